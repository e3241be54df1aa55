package registry

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
)

// notes are annotations or labels, so many of so many bytes, beside the base image's label.
func notes(n, bytes int) map[string]string {
	all := map[string]string{registrytest.BaseLabel: "1.4.0"}
	for i := range n {
		all[fmt.Sprint("example.com/", i)] = strings.Repeat("x", bytes)
	}
	return all
}

func noted(t *testing.T, labels, annotations map[string]string) v1.Image {
	t.Helper()
	return mutate.Annotations(registrytest.Image(t, "linux/amd64", "100", labels), annotations).(v1.Image)
}

// indexed is an index of images, each a variant of the nodes' platform.
func indexed(t *testing.T, images ...v1.Image) v1.ImageIndex {
	t.Helper()
	index := indexOf(t, nil)
	for n, image := range images {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: on("linux", "amd64", fmt.Sprint("v", n+1))}})
	}
	return index
}

// R52: each bound of what an image may be has its own words, with its number, and is the
// image's fault: nothing is asked again before its period for it.
func TestImagesBeyondABoundAreToldSo(t *testing.T) {
	f := serve(t, nil)
	f.client.Limits = Limits{Body: 1 << 20, Total: 2 << 20}
	entries := func(n int) v1.ImageIndex {
		return indexOf(t, slices.Repeat([]entry{{on("linux", "s390x", ""), "100"}}, n))
	}
	heavy := func(n int) []v1.Image {
		var all []v1.Image
		for i := range n {
			all = append(all, noted(t, notes(1, 600_000+i), nil))
		}
		return all
	}
	for name, c := range map[string]struct {
		image any
		says  string // none: it is within the bounds
	}{
		"entries at the bound":   {mutate.AppendManifests(entries(255), mutate.IndexAddendum{Add: sandbox(t, "linux/amd64", "100"), Descriptor: v1.Descriptor{Platform: on("linux", "amd64", "")}}), ""},
		"entries":                {entries(257), "is an index of 257 entries, and the operator reads one of at most 256"},
		"parts of an index":      {mutate.Annotations(entries(1), notes(33000, 1)).(v1.ImageIndex), "an index of more than 32768 parts"},
		"parts of a manifest":    {noted(t, notes(0, 0), notes(33000, 1)), "a manifest of more than 32768 parts"},
		"parts of a config":      {noted(t, notes(33000, 1), nil), "a config of more than 32768 parts"},
		"parts in an index":      {indexed(t, noted(t, notes(33000, 1), nil)), "a config of more than 32768 parts"},
		"bytes of a manifest":    {noted(t, notes(0, 0), notes(1, 1<<20)), "and the operator reads 1048576 of one"},
		"bytes of an index":      {mutate.Annotations(entries(1), notes(1, 1<<20)).(v1.ImageIndex), "and the operator reads 1048576 of one"},
		"bytes of an entry":      {indexed(t, noted(t, notes(0, 0), notes(1, 1<<20))), "has a manifest for linux/amd64/v1 of 10"},
		"bytes of a config":      {noted(t, notes(1, 1<<20), nil), "has a config of 10"},
		"bytes in all":           {indexed(t, heavy(4)...), "descriptions of more than 2097152 bytes"},
		"bytes in all, at it":    {indexed(t, heavy(3)...), ""},
		"images":                 {indexOf(t, many(13)), "has 13 images for the platforms of the nodes, and the operator judges 12"},
		"a config of no machine": {registrytest.Image(t, "linux", "100", notes(0, 0)), "a config that names no platform"},
	} {
		at := "team/" + strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-") + ":1"
		switch image := c.image.(type) {
		case v1.ImageIndex:
			f.PushAny(t, at, image)
		case v1.Image:
			f.Push(t, at, image)
		}
		_, failure := f.client.Read(t.Context(), Request{Image: host + "/" + at, Platforms: []string{"linux/amd64"}})
		switch {
		case c.says == "" && failure != nil:
			t.Errorf("%s: %v", name, failure)
		case c.says != "" && (failure == nil || failure.Reason != v1alpha1.ReasonInvalid || failure.Temporary() || failure.Fix == "" || !strings.Contains(failure.Message, c.says)):
			t.Errorf("%s: %+v", name, failure)
		}
	}
}

// R52: what a registry alone may do, or a proxy before it, has its own words too, and takes
// nothing from what was known of the image.
func TestAnswersBeyondABoundAreTheRegistrys(t *testing.T) {
	send := func(kind string, text []byte) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(text)
		}
	}
	const image = "application/vnd.oci.image.manifest.v1+json"
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter)
		says   string
	}{
		"a page": {send("text/html", bytes.Repeat([]byte("<p>"), 1<<19)), "an answer of more than 1048576 bytes"},
		"an endless one": {func(w http.ResponseWriter) {
			w.(http.Flusher).Flush()
			send(image, bytes.Repeat([]byte(" "), 2<<20))(w)
		}, "an answer of more than 1048576 bytes"},
		"parts":   {send("text/html", bytes.Repeat([]byte(","), 1<<16)), "a document of unknown kind and more than 32768 parts"},
		"headers": {func(w http.ResponseWriter) { w.Header().Set("X-Note", strings.Repeat(planted, 10_000)) }, "more than 65536 bytes of headers"},
	} {
		f := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
			if manifests(r) {
				c.answer(w)
			}
			return manifests(r)
		})
		f.client.Limits = Limits{Body: 1 << 20}
		_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1"})
		if failure == nil || !failure.Temporary() || failure.Fix == "" || !strings.Contains(failure.Message, c.says) {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}

// R52: so have the bounds of all answers of a read together.
func TestReadsBeyondABoundAreTheRegistrys(t *testing.T) {
	f := serve(t, nil)
	index := indexOf(t, nil)
	for n := range 3 { // each says that it is smaller than it is
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: noted(t, notes(0, 0), notes(1, 2000+n)), Descriptor: v1.Descriptor{Size: 1, Platform: on("linux", "amd64", fmt.Sprint("v", n+1))}})
	}
	f.PushAny(t, "team/image:1", index)
	for says, limits := range map[string]Limits{"more than 4 requests for one image": {Requests: 4}, "more than 5000 bytes for one image": {Total: 5000}} {
		f.client.Limits = limits
		_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1"})
		if failure == nil || !failure.Temporary() || failure.Fix == "" || !strings.Contains(failure.Message, says) {
			t.Errorf("%+v: %+v", limits, failure)
		}
	}
}
