package reference

import (
	"strings"
	"testing"
)

// R45: a reference means one artifact, for every reader.
func TestReferences(t *testing.T) {
	digest := "sha256:" + strings.Repeat("ab", 32)
	for text, want := range map[string]bool{
		"ghcr.io/runkora/kora:1.4.0": true, "localhost:5000/kora:1": true, "127.0.0.1:5000/a/b_c/d__e/f-g@" + digest: true, "[::1]:5000/a:1": true, "ghcr.io/a:1@" + digest: true,
		"ghcr.io/a/../b:1": false, "ghcr.io/./a:1": false, "ghcr.io/a//b:1": false, "ghcr.io/a/:1": false, "ghcr.io/A:1": false, "ghcr.io/a..b:1": false,
		"oci://ghcr.io/a:1": false, "https://ghcr.io/a:1": false, "oci-layout:/tmp:1": false, "user@ghcr.io/a:1": false, "ghcr.io?x/a:1": false, "ghcr.io:99999999/a:1": false,
		"kora:1": false, "runkora/kora:1": false, "ghcr.io/kora": false, "ghcr.io/kora:": false, "ghcr.io/kora@": false, "": false, "/": false,
		"ghcr.io/a@sha512:" + strings.Repeat("a", 128): false, "ghcr.io/a@" + strings.ToUpper(digest): false, "ghcr.io/a@" + digest + "a": false, "ghcr.io/a:1@" + digest + "@" + digest: false,
	} {
		if _, ok := Parse(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}

// No credential in something that was given for a reference is shown.
func TestShown(t *testing.T) {
	digest := "sha256:" + strings.Repeat("ab", 32)
	for text, want := range map[string]string{
		"ghcr.io/a:1": "ghcr.io/a:1", "nginx": "nginx", "ghcr.io/a:1@" + digest: "ghcr.io/a:1@" + digest,
		"user:secret@ghcr.io/a:1":                   "[hidden]@ghcr.io/a:1",
		"oci://user:secret@ghcr.io/a@" + digest:     "[hidden]@ghcr.io/a@" + digest,
		"https://user:sec/ret@ghcr.io/a":            "[hidden]@ghcr.io/a",
		"user:s@cret@ghcr.io/a":                     "[hidden]@ghcr.io/a",
		"user:secret@ghcr.io/a@" + digest + "@sha1": "[hidden]@sha1",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func FuzzReference(f *testing.F) {
	for _, s := range []string{"ghcr.io/a/b:1", "localhost:1/a@sha256:" + strings.Repeat("0", 64), "a/../b:1", "[::1]/a:b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := Parse(text)
		if ok && (r == nil || strings.Contains(text, "..") && strings.Contains(r.Context().RepositoryStr(), "..") || strings.ContainsAny(text, " \t\r\n?#%\\\x1b")) {
			t.Fatalf("%q", text)
		}
	})
}
