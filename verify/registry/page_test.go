package registry

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// said lets f answer whatever has part in its path with 200 and a text.
func (f *fake) said(part, kind, text string) {
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, part) {
			return false
		}
		w.Header()["Content-Type"] = nil
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		_, _ = io.WriteString(w, text)
		return true
	})
}

// R45, R49: what answers in the place of the list of referrers, a proxy or a
// login page, shows nothing about signatures: that is not "not signed". The tag
// that stands in for the list says what there is, where it is there.
func TestAPageInThePlaceOfTheReferrers(t *testing.T) {
	for kind, want := range map[string]string{
		"text/html; charset=utf-8": "a page for a browser",
		"application/xhtml+xml":    "a page for a browser",
		"application/json":         `of the type "application/json"`,
		"":                         "has no type",
	} {
		f := serve(t, ggcr.WithReferrersSupport(true))
		image := f.image("kora", "1")
		f.said("/referrers/", kind, "<html>who are you?")
		c, _ := client(t)
		all, good := pieces(t, c, f.host+"/kora:1")
		if good || len(all) != 1 || KindOf(all[0].Err) != Unreachable || !strings.Contains(fmt.Sprint(all[0].Err), want) || !strings.Contains(FixOf(all[0].Err), "proxy") {
			t.Errorf("%q: good %v, %+v", kind, good, all)
		}
		f.list(image)
		if all, _ = pieces(t, c, f.host+"/kora:1"); len(all) != 0 {
			t.Errorf("%q, and a list without entries under the tag: %+v", kind, all)
		}
		f.list(image, f.bundle("kora", image, []byte("good")))
		if all, good = pieces(t, c, f.host+"/kora:1"); !good || len(all) != 1 {
			t.Errorf("%q, and a list under the tag: good %v, %+v", kind, good, all)
		}
	}
}

// R45, R49: the same of the artifact, of the tags of evidence and of its layers:
// none of them is called malformed, or another digest, for a login page.
func TestAPageInThePlaceOfAnythingElse(t *testing.T) {
	for _, part := range []string{"/manifests/1", "/manifests/sha256-", ".sig", "/manifests/sha256:", "/blobs/"} {
		f := serve(t)
		image := f.image("kora", "1")
		bundle := f.bundle("kora", image, []byte("bad"))
		if part == "/manifests/sha256:" || part == "/blobs/" {
			f.list(image, bundle)
		}
		f.said(part, "text/html", "<html>who are you?")
		c, _ := client(t)
		target, a, err := resolve(t, c, f.host+"/kora:1")
		if err == nil {
			target.Evidence(t.Context(), a, Signature, func(p Piece) bool { err = cmp.Or(err, p.Err); return false })
		}
		t.Log(part, f.requests)
		if KindOf(err) != Unreachable || !strings.Contains(fmt.Sprint(err), "a page for a browser") {
			t.Errorf("%s: %v", part, err)
		}
	}
}

// R45: a later page of the list that is one for people leaves what was read.
func TestAPageForPeopleAfterOneOfTheList(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	good := f.bundle("kora", image, []byte("good"))
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case !strings.Contains(r.URL.Path, "/referrers/"):
			return false
		case r.URL.RawQuery != "":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		default:
			w.Header().Set("Content-Type", string(types.OCIImageIndex))
			w.Header().Set("Link", "<"+r.URL.Path+`?n=2>; rel="next"`)
			_, _ = w.Write(jsonOf(t, object{"schemaVersion": 2, "manifests": []descriptor{good}}))
		}
		return true
	})
	c, _ := client(t)
	all, ok := pieces(t, c, f.host+"/kora:1")
	if !ok || len(all) != 2 || KindOf(all[1].Err) != Unreachable || !strings.Contains(fmt.Sprint(all[1].Err), "browser") {
		t.Errorf("good %v, %+v", ok, all)
	}
}
