package cmp

import "testing"

// R43: credentials and queries of URLs are masked, and a URL without them stays as
// it is, also beside a word with an @.
func TestURLsStayReadable(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:18080/a.json":                                                         "http://127.0.0.1:18080/a.json",
		"get http://a.example/x: ask me@example.com":                                            "get http://a.example/x: ask me@example.com",
		"https://me:p@ss/w@a.example/x":                                                         "https://***@a.example/x",
		"https://a.example/x?token=1 failed":                                                    "https://a.example/x?… failed",
		"https://me:pw@refs/heads/x":                                                            "https://***@refs/heads/x",
		"oci://me:pw@a.example/x@sha256:00":                                                     "oci://***@a.example/x@sha256:00",
		"oci://a.example/x@sha256:00":                                                           "oci://a.example/x@sha256:00",
		"signed by https://github.com/org/repo/.github/workflows/x.yml@refs/tags/v1":            "signed by https://github.com/org/repo/.github/workflows/x.yml@refs/tags/v1",
		`not ^https://github\.com/org/repo/\.github/workflows/x\.yml@refs/tags/v`:               `not ^https://github\.com/org/repo/\.github/workflows/x\.yml@refs/tags/v`,
		"https://github.com/org/repo/.github/workflows/x.yml@refs/tags/@a/b@1.0":                "https://github.com/org/repo/.github/workflows/x.yml@refs/tags/@a/b@1.0",
		"https://me:pw@github.com/org/repo/.github/workflows/x.yml@refs/heads/main":             "https://***@github.com/org/repo/.github/workflows/x.yml@refs/heads/main",
		`"https://me:pw@a.example/x" and https://github.com/o/.github/workflows/x.yml@refs/a/b`: `"https://***@a.example/x" and https://github.com/o/.github/workflows/x.yml@refs/a/b`,
	} {
		if got := masked(text); got != want {
			t.Errorf("%q", got)
		}
	}
}
