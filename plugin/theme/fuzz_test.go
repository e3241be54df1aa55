package theme

import (
	"bytes"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/source"
)

// R32 to R37: no document makes Parse panic, every fault has a place in the
// document, and the page of an accepted one is harmless.
func FuzzTheme(f *testing.F) {
	for _, d := range documents() {
		if len(d.text) < 4096 {
			f.Add(d.text)
		}
	}
	for _, s := range breakouts() {
		f.Add(head + "productName: " + yamlText(s) + "\n" + yamlText(s) + ": 1\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		theme, found := Parse(source.NewFile("theme.yaml", text), "1.4.0")
		if theme == nil != found.Refused() {
			t.Fatalf("theme %v with faults %v", theme, found)
		}
		for _, fault := range found {
			if fault.Line < 1 || fault.Column < 1 || fault.Message == "" {
				t.Errorf("no place: %+v", fault)
			}
		}
		if theme == nil {
			return
		}
		if s := theme.Summary(); strings.ContainsAny(s, "\x1b\u202e\u200b\r\x00") {
			t.Errorf("the summary drives a terminal: %q", s)
		}
		var page bytes.Buffer
		if err := Preview(&page, theme, "1.4.0"); err != nil {
			t.Fatal(err)
		}
		if why := harmless(page.String()); why != "" {
			t.Error(why)
		}
	})
}
