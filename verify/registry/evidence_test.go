package registry

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/runkora/kora/verify/evidence"
)

// R45: evidence comes from the referrers API, and from the tag that stands in
// for it where a registry has none.
func TestBundlesAreFoundThroughTheAPIAndThroughTheTag(t *testing.T) {
	for _, api := range []bool{true, false} {
		t.Run(fmt.Sprint("api=", api), func(t *testing.T) {
			f := serve(t, ggcr.WithReferrersSupport(api))
			image := f.image("kora", "1")
			bundle := f.bundle("kora", image, []byte("good"))
			if !api {
				f.put("kora", strings.Replace(image.Digest, ":", "-", 1), types.OCIImageIndex, object{"schemaVersion": 2, "manifests": []descriptor{bundle}})
			}
			c, _ := client(t)
			all, good := pieces(t, c, f.host+"/kora:1")
			if !good || len(all) != 1 || all[0].Format != evidence.OneBundle || all[0].Name != "referrer "+bundle.Digest {
				t.Errorf("good %v, pieces %+v", good, all)
			}
		})
	}
}

// R45: the older scheme is read as it is, annotations and all, and only where
// no bundle was good.
func TestTheOlderTagsAreReadWithTheirAnnotations(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	config := f.blob("kora", string(types.OCIConfigJSON), []byte(`{}`))
	for kind, media := range map[string]string{"sig": simpleType, "att": envelopeType} {
		layer := f.blob("kora", media, []byte("payload of "+kind))
		layer.Annotations = map[string]string{"dev.cosignproject.cosign/signature": "c2ln"}
		f.put("kora", olderTag(image.Digest, kind), types.OCIManifestSchema1, object{"schemaVersion": 2, "mediaType": types.OCIManifestSchema1, "config": config, "layers": []descriptor{layer}})
	}
	c, _ := client(t)
	target, a, err := resolve(t, c, f.host+"/kora:1")
	fatal(t, err)
	var got []string
	target.Evidence(t.Context(), a, Attestation, func(p Piece) bool {
		got = append(got, fmt.Sprint(p.Format, " ", string(p.Bytes), " ", p.Annotations["dev.cosignproject.cosign/signature"], " ", p.Err))
		return false
	})
	want := []string{
		fmt.Sprint(evidence.SimpleSigning, " payload of sig c2ln <nil>"),
		fmt.Sprint(evidence.OldEnvelope, " payload of att c2ln <nil>"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.bundle("kora", image, []byte("good"))
	f.put("kora", strings.Replace(image.Digest, ":", "-", 1), types.OCIImageIndex, object{"schemaVersion": 2, "manifests": []descriptor{f.bundle("kora", image, []byte("good"))}})
	f.answer(nil)
	if _, good := pieces(t, c, f.host+"/kora:1"); !good || f.asked(".sig") != 0 {
		t.Errorf("good %v, asked for the older tag %d times", good, f.asked(".sig"))
	}
}

// R45: what lies under an older tag and holds no evidence is called what it is.
func TestOlderTagsThatLeadElsewhere(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	f.put("kora", olderTag(image.Digest, "sig"), types.OCIImageIndex, object{"schemaVersion": 2, "mediaType": types.OCIImageIndex, "manifests": []descriptor{image}})
	f.put("kora", olderTag(image.Digest, "att"), types.OCIManifestSchema1, object{"schemaVersion": 2, "mediaType": types.OCIManifestSchema1, "config": f.blob("kora", string(types.OCIConfigJSON), []byte("{}")), "layers": []descriptor{}})
	c, _ := client(t)
	target, a, err := resolve(t, c, f.host+"/kora:1")
	fatal(t, err)
	var got []string
	target.Evidence(t.Context(), a, Attestation, func(p Piece) bool {
		got = append(got, fmt.Sprint(KindOf(p.Err) == Wrong, p.Err))
		return false
	})
	if len(got) != 2 || !strings.HasPrefix(got[0], "true") || !strings.Contains(got[0], "an index of several platforms") || !strings.Contains(got[1], "no layer, and so no evidence") {
		t.Errorf("%q", got)
	}
}

// A trick of verification.md: 80 foreign referrers and then a good one.
func TestEightyForeignReferrersDoNotHideTheGoodOne(t *testing.T) {
	f := serve(t, ggcr.WithReferrersSupport(true))
	image := f.image("kora", "1")
	for i := range 80 {
		f.bundle("kora", image, fmt.Appendf(nil, "of somebody else %d", i))
	}
	f.bundle("kora", image, []byte("good"))
	c, _ := client(t, func(o *Options) { o.Limits.Beside = 2 })
	all, good := pieces(t, c, f.host+"/kora:1")
	at := slices.IndexFunc(all, func(p Piece) bool { return string(p.Bytes) == "good" })
	if !good || len(all) > at+3 {
		t.Errorf("good %v at %d of %d: what lies beside it is bounded", good, at, len(all))
	}
}

// Whatever the list calls them, the manifests decide; and the order of a
// registry does not decide which are looked at before the cap.
func TestReferrersAreSortedBeforeTheCapAndNotFilteredByTheList(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	var all []descriptor
	for i := range 9 {
		d := f.bundle("kora", image, fmt.Appendf(nil, "junk %d", i))
		d.ArtifactType = "application/octet-stream"
		all = append(all, d)
	}
	good := f.bundle("kora", image, []byte("good"))
	good.Annotations = map[string]string{predicateKey: signPredicate}
	f.list(image, append(all, good)...)
	c, _ := client(t, func(o *Options) { o.Limits.Referrers = 3 })
	if _, ok := pieces(t, c, f.host+"/kora:1"); !ok {
		t.Error("the good one was not reached")
	}
	good.Annotations = nil
	f.list(image, append(all, good)...)
	c, _ = client(t, func(o *Options) { o.Limits.Referrers = 10 })
	if _, ok := pieces(t, c, f.host+"/kora:1"); !ok {
		t.Error("a referrer without its artifactType in the list was passed over")
	}
	c, _ = client(t, func(o *Options) { o.Limits.Referrers = 0 })
	got, _ := pieces(t, c, f.host+"/kora:1")
	if len(got) == 0 || KindOf(got[0].Err) != Unreachable {
		t.Errorf("over the cap: %+v, want that it could not be checked", got)
	}
}

// policy-controller CVE-2022-35930, kyverno CVE-2023-47630 and others: each is
// refused, with its reason, and none is a panic or a surprise.
func TestEvidenceThatIsNotWhatItIsSaidToBe(t *testing.T) {
	big := append([]byte("good"), make([]byte, 20<<20)...)
	for _, tt := range []struct {
		name string
		make func(f *fake, image descriptor) descriptor
		kind Kind
		want string
	}{
		{"a transplanted referrer", func(f *fake, image descriptor) descriptor {
			return f.bundle("kora", f.image("kora", "other"), []byte("good"))
		}, Wrong, "its subject is another artifact"},
		{"a bundle without a subject", func(f *fake, image descriptor) descriptor {
			m := referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), f.blob("kora", bundleType, []byte("good")))
			delete(m, "subject")
			return f.put("kora", "", types.OCIManifestSchema1, m)
		}, Wrong, "its subject is another artifact"},
		{"a list with a wrong digest", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			real, other := d.Digest, digestOf([]byte("other"))
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/manifests/"+other) {
					r.URL.Path = strings.Replace(r.URL.Path, other, real, 1)
				}
				return false
			})
			d.Digest = other
			return d
		}, Wrong, "another digest"},
		{"a list with a wrong size", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			d.Size++
			return d
		}, Wrong, "its descriptor says"},
		{"a list with a size of nothing", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			d.Size = 0
			return d
		}, Wrong, "its descriptor says 0"},
		{"CVE-2024-3727: a digest that is a path", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			d.Digest = "sha256:../../../../etc/passwd"
			return d
		}, Wrong, "its digest is not sha256"},
		{"a bundle layer of 20 MB (CVE-2024-29902)", func(f *fake, image descriptor) descriptor {
			return f.bundle("kora", image, big)
		}, Limited, "at most 4194304 are read"},
		{"a list with a size of 20 MB", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			d.Size = 20 << 20
			return d
		}, Limited, "at most 4194304 are read"},
		{"a list with a size below nothing", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			d.Size = -1
			return d
		}, Wrong, "its descriptor says -1"},
		{"a manifest whose descriptor hides 5 MB", func(f *fake, image descriptor) descriptor {
			d := f.bundle("kora", image, []byte("good"))
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasSuffix(r.URL.Path, "/manifests/"+d.Digest) {
					return false
				}
				_, _ = w.Write(make([]byte, 5<<20))
				return true
			})
			return d
		}, Wrong, "larger than"},
		{"501 layers", func(f *fake, image descriptor) descriptor {
			l := f.blob("kora", simpleType, []byte("good"))
			return f.put("kora", "", types.OCIManifestSchema1, referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), slices.Repeat([]descriptor{l}, maxOlderLayers+1)...))
		}, Limited, "at most 500 are read"},
		{"a layer whose descriptor hides 20 MB", func(f *fake, image descriptor) descriptor {
			layer := f.blob("kora", bundleType, big)
			layer.Size = 4
			return f.put("kora", "", types.OCIManifestSchema1, referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), layer))
		}, Wrong, "larger than 4 bytes"},
		{"regclient GHSA-qvqc-4c52-x6qp: a layer of other bytes", func(f *fake, image descriptor) descriptor {
			d, bad := f.bundle("kora", image, []byte("good")), digestOf([]byte("good"))
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/blobs/"+bad) {
					_, _ = w.Write([]byte("evil"))
					return true
				}
				return false
			})
			return d
		}, Wrong, "another digest"},
		{"two layers of a bundle", func(f *fake, image descriptor) descriptor {
			l := f.blob("kora", bundleType, []byte("good"))
			return f.put("kora", "", types.OCIManifestSchema1, referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), l, l))
		}, Wrong, "more than the one layer"},
		{"no layer", func(f *fake, image descriptor) descriptor {
			return f.put("kora", "", types.OCIManifestSchema1, referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}"))))
		}, Wrong, "has no layer"},
		{"a layer of a foreign kind", func(f *fake, image descriptor) descriptor {
			return f.put("kora", "", types.OCIManifestSchema1, referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), f.blob("kora", "text/plain", []byte("good"))))
		}, Wrong, "its layer is no evidence"},
		{"a referrer that is not there", func(f *fake, image descriptor) descriptor {
			return descriptor{MediaType: string(types.OCIManifestSchema1), Digest: digestOf([]byte("gone")), Size: 4}
		}, Missing, "404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := serve(t)
			image := f.image("kora", "1")
			d := tt.make(f, image)
			f.list(image, d)
			c, _ := client(t)
			all, good := pieces(t, c, f.host+"/kora:1")
			if good || len(all) != 1 || all[0].Err == nil || KindOf(all[0].Err) != tt.kind || !strings.Contains(all[0].Err.Error(), tt.want) {
				t.Errorf("good %v, got %+v, want one error with %q", good, all, tt.want)
			}
		})
	}
}

// cosign CVE-2024-29903 (endless data): a gzip bomb stays as small as it came: no layer is ever unpacked, and no
// answer either.
func TestAGzipBombIsNotUnpacked(t *testing.T) {
	var bomb bytes.Buffer
	z, _ := gzip.NewWriterLevel(&bomb, gzip.BestCompression)
	for range 256 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	_ = z.Close()
	f := serve(t, ggcr.WithReferrersSupport(true))
	image := f.image("kora", "1")
	f.bundle("kora", image, bomb.Bytes())
	c, _ := client(t)
	all, _ := pieces(t, c, f.host+"/kora:1")
	if len(all) != 1 || all[0].Err != nil || !bytes.Equal(all[0].Bytes, bomb.Bytes()) {
		t.Fatalf("%d pieces; the layer is handed on as it is", len(all))
	}
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/blobs/") {
			w.Header().Set("Content-Encoding", "gzip")
		}
		return false
	})
	if all, _ = pieces(t, c, f.host+"/kora:1"); len(all) != 1 || !bytes.Equal(all[0].Bytes, bomb.Bytes()) {
		t.Error("an answer that says it is compressed was unpacked")
	}
	for _, h := range f.headers {
		if enc := h.Get("Accept-Encoding"); strings.Contains(enc, "gzip") {
			t.Errorf("asked for compression: %q", enc)
		}
	}
}

// Lists of files and other schemes' signatures are no evidence, and no fault:
// an image with only these is not signed.
func TestWhatIsNoSigstoreEvidenceIsPassedOver(t *testing.T) {
	f := serve(t, ggcr.WithReferrersSupport(true))
	image := f.image("kora", "1")
	config := f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}"))
	sbom := object{"schemaVersion": 2, "mediaType": types.OCIManifestSchema1, "artifactType": "application/spdx+json", "config": config, "layers": []descriptor{f.blob("kora", "application/spdx+json", []byte("{}"))}, "subject": image}
	f.put("kora", "", types.OCIManifestSchema1, sbom)
	c, _ := client(t)
	if all, _ := pieces(t, c, f.host+"/kora:1"); len(all) != 0 {
		t.Errorf("got %+v", all)
	}
}
