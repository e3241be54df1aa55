package cmp

import "testing"

// R43: credentials and queries of URLs are masked, and a URL without them stays as
// it is, also beside a word with an @.
func TestURLsStayReadable(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:18080/a.json":              "http://127.0.0.1:18080/a.json",
		"get http://a.example/x: ask me@example.com": "get http://a.example/x: ask me@example.com",
		"https://me:p@ss/w@a.example/x":              "https://***@a.example/x",
		"https://a.example/x?token=1 failed":         "https://a.example/x?… failed",
	} {
		if got := masked(text); got != want {
			t.Errorf("%q", got)
		}
	}
}
