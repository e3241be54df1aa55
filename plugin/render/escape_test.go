package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/patches"
)

// hostile is an object whose texts hold every kind of character that a terminal
// may obey, alone and among what asks for another style of YAML.
func hostile() map[string]any {
	texts := map[string]any{}
	for i, c := range []string{
		"\x7f", "\u0080", "\u0085", "\u009b31m", "\u202e", "\u2066", "\u200b", "\u2028", "\u2029", "\ufeff", "\u00ad",
		"\U000e0041", "\U0001f600", "é", "\u00a0", "\x1b[2J", "\a", "\r", "\t",
	} {
		for j, form := range []string{"%s", "a%sb", "a\n%s\nb\n", "- %s: #", "\"'%s\\", " %s ", "a\tb\n%s"} {
			texts[fmt.Sprintf("k%02d-%d", i, j)] = fmt.Sprintf(form, c)
		}
		texts["key "+c] = []any{c, true, int64(i), "true", nil}
	}
	return map[string]any{"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": "a", "annotations": texts}}
}

// security.md: no output drives a terminal, and it means what it did.
func TestManifestsNeverDriveTheTerminal(t *testing.T) {
	want := hostile()
	objects := []*patches.Object{{Plain: want}}
	printed, err := YAML(objects)
	if err != nil {
		t.Fatal(err)
	}
	assertCalm(t, printed)
	assertSame(t, want, printed, func(b []byte, to any) error { return yaml.Unmarshal(b, to) })
	printed, err = JSON(objects)
	if err != nil {
		t.Fatal(err)
	}
	assertCalm(t, printed)
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(printed, &list); err != nil {
		t.Fatal(err)
	}
	assertSame(t, want, list.Items[0], json.Unmarshal)
}

// assertCalm allows what a terminal shows, a line's end, and a tab.
func assertCalm(t *testing.T, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Error("not UTF-8")
	}
	if i := bytes.IndexFunc(out, Driving); i >= 0 {
		t.Errorf("%q", out[i:min(i+20, len(out))])
	}
	if strings.ContainsAny(string(out), "\x1b\x7f\r\u009b\u202e\u2028\ufeff") {
		t.Error("a control character")
	}
}

func assertSame(t *testing.T, want map[string]any, text []byte, decode func([]byte, any) error) {
	t.Helper()
	var got, plain map[string]any
	if err := decode(text, &got); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(want)
	if err := json.Unmarshal(raw, &plain); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
