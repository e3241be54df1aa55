package lock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/runkora/kora/internal/source"
)

var digest = "sha256:" + strings.Repeat("ab", 32)

func example() *Lock {
	who := []Signer{{Identity: "https://github.com/runkora/kora/.github/workflows/release.yml@refs/tags/v1.4.0", Issuer: "https://token.actions.githubusercontent.com", Time: "2026-01-31T12:00:00Z"}}
	return New(
		Artifact{Ref: "ghcr.io/runkora/session-manager:1.4.0", Kind: Image, Digest: digest, Signers: who},
		Artifact{Ref: "oci://ghcr.io/runkora/charts/kora:1.4.0+a", Kind: Chart, Digest: digest, Signers: []Signer{{Key: "sha256:" + strings.Repeat("c0", 32)}}},
	)
}

// R49: what is written is read again, the same each time, and as a person
// would like to read it.
func TestALockIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kora.lock")
	if err := example().Write(path); err != nil {
		t.Fatal(err)
	}
	got, found := Read(path)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if d := cmp.Diff(example(), got, cmpopts.IgnoreFields(Artifact{}, "Pos")); d != "" {
		t.Error(d)
	}
	text, _ := os.ReadFile(path)
	want, err := os.ReadFile("testdata/kora.lock")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		err = os.WriteFile("testdata/kora.lock", text, 0o644)
		want = text
	}
	if err != nil || string(text) != string(want) {
		t.Errorf("%v\n%s", err, cmp.Diff(string(want), string(text)))
	}
}

// The generator pins by it, whatever form a reference has there.
func TestDigestsAreFoundByReference(t *testing.T) {
	l := example()
	for _, ref := range []string{"ghcr.io/runkora/charts/kora:1.4.0_a", "oci://ghcr.io/runkora/charts/kora:1.4.0+a"} {
		if d, ok := l.Digest(ref); !ok || d != digest {
			t.Errorf("%s: %q, %v", ref, d, ok)
		}
		if p, _ := l.Pinned(ref); p != "ghcr.io/runkora/charts/kora@"+digest {
			t.Errorf("%s: pinned as %q", ref, p)
		}
	}
	if d, ok := l.Digest("ghcr.io/runkora/charts/kora:1.4.1"); ok {
		t.Errorf("another tag has %q", d)
	}
	if r := (Artifact{Ref: "localhost:5000/kora"}).Repository(); r != "localhost:5000/kora" {
		t.Errorf("a port was taken for a tag: %q", r)
	}
}

// A reader sees the old lock or the new one, and a failed write leaves nothing.
func TestWritingReplacesTheWholeFile(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real.lock")
	link := filepath.Join(dir, "kora.lock")
	if err := os.Symlink("real.lock", link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, []byte(strings.Repeat("old ", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := example().Write(link); err != nil {
		t.Fatal(err)
	}
	if _, found := Read(real); len(found) > 0 {
		t.Error(found)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	if err := example().Write(filepath.Join(dir, "missing", "kora.lock")); err == nil {
		t.Error("a folder that is not there was written to")
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// R49: each fault has its place, and all of them are told at once.
func TestLocksAreReadStrictly(t *testing.T) {
	good, _ := example().YAML()
	for _, tt := range []struct{ name, old, new, want string }{
		{"another version", "version: 1", "version: 2", "the version of the lock is not 1"},
		{"no version", "version: 1", "", "the version of the lock is not 1"},
		{"a misspelt field", "digest:", "digst:", "digest"},
		{"a short digest", digest, "sha256:abcd", "the digest is not sha256:"},
		{"upper case", digest, strings.ToUpper(digest), "the digest is not sha256:"},
		{"sha512", digest, "sha512:" + strings.Repeat("ab", 64), "the digest is not sha256:"},
		{"a path as digest", digest, "sha256:../../etc/passwd", "the digest is not sha256:"},
		{"a key's name", "key: sha256:" + strings.Repeat("c0", 32), "key: cosign.pub", "not its fingerprint"},
		{"another digest", "ab\n    signers:\n      - key", "ac\n    signers:\n      - key", "the sum is not"},
		{"another time", "2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z", "the sum is not"},
		{"no sum", "sum: ", "# ", "the sum is not"},
		{"no registry", "ghcr.io/runkora/session-manager:1.4.0", "session-manager:1.4.0", "the reference is not"},
		{"no tag", "session-manager:1.4.0", "session-manager", "the reference is not"},
		{"oci://", "ref: ghcr.io/runkora/charts", "ref: oci://ghcr.io/runkora/charts", "the reference is not"},
		{"twice", "charts/kora:1.4.0_a", "session-manager:1.4.0", "stands in the lock twice"},
		{"another kind", "kind: chart", "kind: file", "the kind is neither"},
		{"a signer of nothing", "key: sha256:" + strings.Repeat("c0", 32), "time: 2026-01-31T12:00:00Z", "a signer has an identity"},
		{"a time", "2026-01-31T12:00:00Z", "yesterday", "the time is not"},
		{"two documents", "version: 1", "version: 1\n---\nversion: 1", "one YAML document"},
		{"a digest that is not the reference's", "session-manager:1.4.0", "session-manager@sha256:" + strings.Repeat("cd", 32), "not the one that the reference has"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(string(good), tt.old, tt.new)
			if text == string(good) {
				t.Fatal("nothing was changed")
			}
			l, found := Parse(source.NewFile("kora.lock", text))
			if !found.Refused() || l != nil {
				t.Fatal("it was taken")
			}
			at := false
			for _, f := range found {
				at = at || f.Line > 0 && strings.Contains(f.Message+f.Fix+f.Expected, tt.want)
			}
			if !at {
				t.Errorf("no fault with a place says %q: %+v", tt.want, found)
			}
		})
	}
	if _, found := Parse(source.NewFile("kora.lock", strings.NewReplacer(digest, "x", "kind: image", "kind: wrong").Replace(string(good)))); len(found) != 3 {
		t.Errorf("%d faults, want all three: %+v", len(found), found)
	}
	whole := strings.Split(string(good), "  - ref: ")
	for name, part := range map[string]string{
		"an entry less": whole[0] + "  - ref: " + whole[1],
		"no entry":      strings.Replace(whole[0], "artifacts:", "artifacts: []", 1),
		"none at all":   strings.Replace(whole[0], "artifacts:\n", "", 1),
	} {
		if l, found := Parse(source.NewFile("kora.lock", part)); l != nil || len(found) != 1 || found[0].Line == 0 {
			t.Errorf("%s: %+v\n%s", name, found, part)
		}
	}
	if _, found := Read(filepath.Join(t.TempDir(), "none.lock")); len(found) != 1 || !found[0].Code.Unchecked() {
		t.Errorf("a lock that is not there: %+v", found)
	}
}

func FuzzLock(f *testing.F) {
	good, _ := example().YAML()
	for _, s := range []string{string(good), "version: 1\nartifacts: []\n", "version: 1\nartifacts: [{}]", "- a", "artifacts: {a: b}\nversion: 1", "version: 1\nartifacts:\n- signers: [null]\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, found := Parse(source.NewFile("kora.lock", text))
		if (l == nil) != found.Refused() {
			t.Fatalf("lock %v, faults %v", l, found)
		}
		if l == nil {
			return
		}
		again, err := l.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if _, found := Parse(source.NewFile("kora.lock", string(again))); found.Refused() {
			t.Fatalf("what was written cannot be read: %v\n%s", found, again)
		}
	})
}
