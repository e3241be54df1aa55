package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R46: strict, to the line, and all faults at once.
func TestTheListOfImages(t *testing.T) {
	digest := "sha256:" + strings.Repeat("ab", 32)
	for _, tt := range []struct {
		name, text string
		refs       []string
		lines      []int
	}{
		{"tags and digests", "ghcr.io/a/b:1\r\n\n# comment\nlocalhost:5000/c@" + digest + " # it\n\tghcr.io/a/b:2@" + digest, []string{"ghcr.io/a/b:1", "localhost:5000/c@" + digest, "ghcr.io/a/b:2@" + digest}, nil},
		{"a byte order mark", "\uFEFFghcr.io/a/b:1", []string{"ghcr.io/a/b:1"}, nil},
		{"nothing", "# nothing\n", nil, []int{1}},
		{"no registry", "nginx:1", nil, []int{1}},
		{"no tag", "ghcr.io/a/b:1\nghcr.io/a/b", nil, []int{2}},
		{"two on a line", "ghcr.io/a/b:1 ghcr.io/a/c:1", nil, []int{1}},
		{"a carriage return", "ghcr.io/a/b:1 # no\rghcr.io/a/c:1", nil, []int{1}},
		{"another line end", "ghcr.io/a/b:1 # no\u2028ghcr.io/a/c:1", nil, []int{1}},
		{"a paragraph", "ghcr.io/a/b:1\n#\u2029ghcr.io/a/c:1", nil, []int{2}},
		{"a next line", "# x\u0085ghcr.io/a/c:1\nghcr.io/a/b:1", nil, []int{1}},
		{"a form feed", "# x\fghcr.io/a/c:1\nghcr.io/a/b:1", nil, []int{1}},
		{"writing turned around", "ghcr.io/a/b:1 # \u202eabc", nil, []int{1}},
		{"isolated", "ghcr.io/a/b:1 # \u2066abc", nil, []int{1}},
		{"no width", "ghcr.io/a/b:1 # a\u200bb", nil, []int{1}},
		{"a mark in the middle", "ghcr.io/a/b:1\n\uFEFFghcr.io/a/c:1", nil, []int{2}},
		{"words of a terminal in a comment", "ghcr.io/a/b:1 # \x1b[8m", nil, []int{1}},
		{"no UTF-8", "ghcr.io/a/b:1 # \xff", nil, []int{1}},
		{"words of the world", "ghcr.io/a/b:1 # größer, 世界 🙂", []string{"ghcr.io/a/b:1"}, nil},
		{"a chart", "oci://ghcr.io/a/b:1", nil, []int{1}},
		{"another hash", "ghcr.io/a/b@sha512:" + strings.Repeat("ab", 64), nil, []int{1}},
		{"a path", "ghcr.io/../../etc:1", nil, []int{1}},
		{"a layout", "oci-layout:/tmp:1", nil, []int{1}},
		{"words of a terminal", "ghcr.io/a/b\x1b[31m:1", nil, []int{1}},
		{"all at once", "a\nghcr.io/a/b:1\nb\nc", nil, []int{1, 3, 4}},
		{"a long line", "ghcr.io/a/b:1\nghcr.io/" + strings.Repeat("a", 5000) + ":1", nil, []int{2}},
		{"a long list", strings.Repeat("#\n", 600_000), nil, []int{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, found := ParseImages("images.txt", strings.NewReader(tt.text))
			var refs []string
			for _, i := range items {
				refs = append(refs, i.Ref)
			}
			var lines []int
			for _, f := range found {
				lines = append(lines, f.Line)
				if f.Code != faults.ImagesList || f.File != "images.txt" || f.Column < 1 || f.Fix == "" {
					t.Errorf("%+v", f)
				}
			}
			if strings.Join(refs, " ") != strings.Join(tt.refs, " ") || len(lines) != len(tt.lines) {
				t.Fatalf("%q, faults %+v", refs, found)
			}
			for i := range lines {
				if lines[i] != tt.lines[i] {
					t.Errorf("line %d, want %d", lines[i], tt.lines[i])
				}
			}
		})
	}
}

// R46: what is named twice is verified once, and told.
func TestNamedTwice(t *testing.T) {
	items, found := ParseImages("images.txt", strings.NewReader("ghcr.io/a/b:1\nghcr.io/a/c:1\nghcr.io/a/b:1"))
	if len(items) != 2 || found.Refused() || len(found) != 1 || found[0].Code != faults.NamedTwice || found[0].Line != 3 || found[0].File != "images.txt" {
		t.Errorf("%v %+v", items, found)
	}
	if items, found := Once([]Item{{What: Chart, Ref: "oci://ghcr.io/a/b:1+x"}, {What: Chart, Ref: "ghcr.io/a/b:1_x"}, {What: Image, Ref: "ghcr.io/a/b:1_x"}}); len(items) != 2 || len(found) != 1 {
		t.Errorf("%v %+v", items, found)
	}
}

// No fault shows a password that somebody wrote into a list.
func TestPasswordsAreNotShown(t *testing.T) {
	_, found := ParseImages("images.txt", strings.NewReader("robot:planted-Passw0rd@ghcr.io/a/b:1\nghcr.io/a/b:1 robot:planted-Pass/w0rd@x"))
	if text := fmt.Sprintf("%+v", found); len(found) != 2 || strings.Contains(text, "planted") {
		t.Error(text)
	}
}

// The list that is followed is the one that was verified.
func TestAListThatChangesIsNotFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "images.txt")
	if err := os.WriteFile(path, []byte("ghcr.io/a/b:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if items, found := SameImages(path, "sha256:"+strings.Repeat("0", 64)); items != nil || len(found) != 1 || !found[0].Code.Unchecked() {
		t.Errorf("%v %+v", items, found)
	}
}

func FuzzImages(f *testing.F) {
	for _, s := range []string{"ghcr.io/a/b:1\n", "# x\n\nlocalhost:5000/a@sha256:" + strings.Repeat("0", 64), "\uFEFF", "a:b:c", "\t \r\n#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items, found := ParseImages("images.txt", strings.NewReader(text))
		if (len(items) > 0) == found.Refused() {
			t.Fatalf("%d images and faults %v", len(items), found)
		}
		for _, i := range items {
			if !Reference(i.Ref) || strings.ContainsAny(i.Ref, " \t\r\n#") {
				t.Fatalf("%q", i.Ref)
			}
		}
	})
}
