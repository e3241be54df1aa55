package evidence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R47: a file of several lines gives each line, good or not, by its number.
func TestLinesAreNamedByNumber(t *testing.T) {
	s := sigstoretest.New(t)
	b := s.SignBlob(sigstoretest.Kora("1.4.0"), []byte("data"))
	data := append(append([]byte("{\"a\":1}\n\n"), b...), "\nx\n"...)
	items, found := evidence.Raw{Name: "kora.intoto.jsonl", Format: evidence.Lines, Bytes: data}.Parse()
	if len(items) != 1 || items[0].Name != "kora.intoto.jsonl:3" {
		t.Errorf("items: %+v", items)
	}
	if len(found) != 2 || found[0].Name != "kora.intoto.jsonl:1" || found[1].Name != "kora.intoto.jsonl:4" {
		t.Errorf("faults: %+v", found)
	}
}

// R47: where among the lines the junk stands decides nothing.
func TestJunkLinesAnywhere(t *testing.T) {
	s := sigstoretest.New(t)
	b := string(s.SignBlob(sigstoretest.Kora("1.4.0"), []byte("data")))
	for _, junk := range []string{"x", "{", "[", "}", "# a comment", "null", "[]", "7", `"text"`, "{}", "\xef\xbb\xbf{}", "\xff", `{"a":{`} {
		for _, data := range []string{junk + "\n" + b, b + "\n" + junk, b + "\n" + junk + "\n" + b, junk + "\n" + b + "\n" + junk} {
			items, found := evidence.Raw{Name: "x", Format: evidence.Lines, Bytes: []byte(data)}.Parse()
			if len(items) != strings.Count(data, b) || len(found) != strings.Count(data, "\n")+1-len(items) {
				t.Errorf("%q beside a bundle: %d items, %v", junk, len(items), found)
			}
		}
	}
	items, found := evidence.Raw{Name: "x", Format: evidence.Lines, Bytes: []byte("{\n\"a\": 1,\n")}.Parse()
	if len(items) != 0 || len(found) != 1 || found[0].Name != "x" {
		t.Errorf("one bundle that is cut: %v", found)
	}
}

// One bundle over several lines is one bundle.
func TestABundleOverSeveralLines(t *testing.T) {
	s := sigstoretest.New(t)
	b := strings.ReplaceAll(string(s.SignBlob(sigstoretest.Kora("1.4.0"), []byte("data"))), ",", ",\r\n")
	items, found := evidence.Raw{Name: "x", Format: evidence.Lines, Bytes: []byte(b)}.Parse()
	if len(items) != 1 || len(found) != 0 || items[0].Name != "x" {
		t.Errorf("%+v %+v", items, found)
	}
}

// Messages about what a stranger wrote are short and hold none of its lines.
func TestMessagesStayShort(t *testing.T) {
	long := strings.Repeat("evil", 10000)
	for _, data := range []string{
		fmt.Sprintf(`{"mediaType":%q}`, long), fmt.Sprintf(`{%q:1,%q:2}`, long, long), `{"a\n":1,"a\n":2}`,
	} {
		_, found := evidence.Raw{Name: "x", Bytes: []byte(data)}.Parse()
		if len(found) != 1 || len(found[0].Error()) > 400 || strings.Contains(found[0].Error(), "\n") {
			t.Errorf("%d bytes: %.200q", len(data), found)
		}
	}
}

// R47: a subject is the artifact when a digest is the same and all were compared.
func TestSubjectsAreComparedByEveryDigest(t *testing.T) {
	a, b, long := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 128)
	for _, c := range []struct {
		subject, artifact map[string]string
		want              evidence.Match
	}{
		{map[string]string{"sha256": a}, map[string]string{"sha256": a}, evidence.Same},
		{map[string]string{"sha256": a}, map[string]string{"sha256": b}, evidence.Other},
		{map[string]string{"sha256": a, "sha512": long}, map[string]string{"sha256": a}, evidence.Unknown},
		{map[string]string{"sha256": a, "sha512": long}, map[string]string{"sha256": a, "sha512": long}, evidence.Same},
		{map[string]string{"sha256": b, "sha512": long}, map[string]string{"sha256": a}, evidence.Other},
		{map[string]string{"sha256": a, "sha512": long}, map[string]string{"sha256": a, "sha512": strings.Repeat("d", 128)}, evidence.Other},
		{map[string]string{"sha512": long}, map[string]string{"sha256": a}, evidence.Unknown},
		{map[string]string{}, map[string]string{"sha256": a}, evidence.Other},
		{map[string]string{"sha256": ""}, map[string]string{}, evidence.Unknown},
	} {
		s := evidence.Statement{Subjects: []evidence.Subject{{Digests: c.subject}}}
		if got := s.Names(c.artifact); got != c.want {
			t.Errorf("%v of %v: %v", c.subject, c.artifact, got)
		}
	}
}
