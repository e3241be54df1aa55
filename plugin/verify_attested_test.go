package main

import (
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/runkora/kora/verify/lock"
	"github.com/runkora/kora/verify/sigstoretest"
)

const (
	envelopeLayer = "application/vnd.dsse.envelope.v1+json"
	spdx          = "https://spdx.dev/Document"
)

// attested are artifacts with attestations beside them, one repository a case
// (R45, R47): as cosign 3 and 2 put them, kora's and a stranger's, of the type
// that is asked for and of another, and about another artifact.
func (r *shelf) attested(kora, fork sigstoretest.Identity) {
	digest := func(d desc) string { return d["digest"].(string) }
	sbom := func(of string) []byte { return sigstoretest.Statement(spdx, map[string]any{}, of) }
	other := sigstoretest.DigestOf([]byte("another"))
	for repo, bundle := range map[string]func(of string) []byte{
		"by-referrer":      func(of string) []byte { return r.s.SignStatement(kora, provenanceOf(of)) },
		"charts/attested":  func(of string) []byte { return r.s.SignStatement(kora, provenanceOf(of)) },
		"by-fork":          func(of string) []byte { return r.s.SignStatement(fork, provenanceOf(of)) },
		"sbom":             func(of string) []byte { return r.s.SignStatement(kora, sbom(of)) },
		"of-another":       func(string) []byte { return r.s.SignStatement(kora, provenanceOf(other)) },
		"by-referrers-tag": func(of string) []byte { return r.s.SignStatement(kora, provenanceOf(of)) },
	} {
		d := r.imageOrChart(repo, "1.4.0")
		r.attach(repo, d, bundle(digest(d)))
	}
	for repo, of := range map[string]func(raw []byte) string{
		"long":       func(raw []byte) string { return fmt.Sprintf("%x", sha512.Sum512(raw)) },
		"long-other": func([]byte) string { return strings.Repeat("0", 128) },
	} {
		d := r.image(repo, "1.4.0")
		sum := strings.TrimPrefix(digest(d), "sha256:")
		long := strings.Replace(string(provenanceOf(digest(d))), `"`+sum+`"`, `"`+sum+`","sha512":"`+of(r.raw(repo))+`"`, 1)
		r.attach(repo, d, r.s.SignStatement(kora, []byte(long)))
	}
	renamed := r.chartOf("charts/renamed", "1.4.0", "other", "1.4.0", r.pack(map[string]string{"other/Chart.yaml": "name: other\n"}))
	r.attach("charts/renamed", renamed, r.s.SignStatement(kora, provenanceOf(digest(renamed))))
	r.listed("by-referrers-tag")
	for repo, of := range map[string]func(of string) (sigstoretest.Identity, []byte){
		"by-tag":            func(of string) (sigstoretest.Identity, []byte) { return kora, provenanceOf(of) },
		"by-tag-fork":       func(of string) (sigstoretest.Identity, []byte) { return fork, provenanceOf(of) },
		"by-tag-sbom":       func(of string) (sigstoretest.Identity, []byte) { return kora, sbom(of) },
		"by-tag-of-another": func(string) (sigstoretest.Identity, []byte) { return kora, provenanceOf(other) },
	} {
		d := r.image(repo, "1.4.0")
		layer, annotations := r.s.AttestImageOlder(of(digest(d)))
		l := r.blob(repo, envelopeLayer, layer)
		l["annotations"] = annotations
		r.put(repo, strings.Replace(digest(d), ":", "-", 1)+".att", desc{
			"schemaVersion": 2, "mediaType": string(types.OCIManifestSchema1),
			"config": r.blob(repo, string(types.OCIConfigJSON), []byte("{}")), "layers": []desc{l},
		})
	}
}

// raw is the manifest of REPO:1.4.0.
func (r *shelf) raw(repo string) []byte {
	ref, err := name.NewTag(r.host + "/" + repo + ":1.4.0")
	r.try(err)
	got, err := remote.Get(ref)
	r.try(err)
	if r.err != nil {
		return nil
	}
	return got.Manifest
}

// listed puts the referrers of REPO:1.4.0 under the tag that stands in for the
// list of a registry that has none.
func (r *shelf) listed(repo string) {
	ref, err := name.NewTag(r.host + "/" + repo + ":1.4.0")
	r.try(err)
	head, err := remote.Head(ref)
	r.try(err)
	if r.err != nil {
		return
	}
	index, err := remote.Referrers(ref.Digest(head.Digest.String()))
	r.try(err)
	list, err := index.RawManifest()
	r.try(err)
	tag := ref.Tag(strings.Replace(head.Digest.String(), ":", "-", 1))
	r.try(remote.Put(tag, rawManifest{list, types.OCIImageIndex}))
}

// layoutOf DIR REPO:TAG writes an artifact of the registry, and what refers to
// it, as an OCI layout.
func layoutOf(ts *testscript.TestScript, _ bool, args []string) {
	r, dir := ts.Value("shelf").(*shelf), ts.MkAbs(args[0])
	repo, tag, _ := strings.Cut(args[1], ":")
	blobs := filepath.Join(dir, "blobs", "sha256")
	ts.Check(os.MkdirAll(blobs, 0o755))
	fetch := func(path string) []byte {
		resp, err := http.Get(r.URL + "/v2/" + repo + "/" + path)
		ts.Check(err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		ts.Check(err)
		return body
	}
	keep := func(body []byte) desc {
		digest := sigstoretest.DigestOf(body)
		ts.Check(os.WriteFile(filepath.Join(blobs, strings.TrimPrefix(digest, "sha256:")), body, 0o644))
		return desc{"mediaType": string(types.OCIManifestSchema1), "digest": digest, "size": len(body)}
	}
	manifest := func(ref string) desc {
		body := fetch("manifests/" + ref)
		var m struct {
			Config struct{ Digest string }
			Layers []struct{ Digest string }
		}
		ts.Check(json.Unmarshal(body, &m))
		keep(fetch("blobs/" + m.Config.Digest))
		for _, l := range m.Layers {
			keep(fetch("blobs/" + l.Digest))
		}
		return keep(body)
	}
	one := manifest(tag)
	one["annotations"] = desc{"org.opencontainers.image.ref.name": tag}
	all := []desc{one}
	var list struct{ Manifests []struct{ Digest string } }
	ts.Check(json.Unmarshal(fetch("referrers/"+one["digest"].(string)), &list))
	for _, m := range list.Manifests {
		all = append(all, manifest(m.Digest))
	}
	index, err := json.Marshal(desc{"schemaVersion": 2, "mediaType": string(types.OCIImageIndex), "manifests": all})
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "index.json"), index, 0o644))
	ts.Check(os.WriteFile(filepath.Join(dir, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644))
}

// forgeLock FILE REPO:TAG REPO:TAG adds to a lock that the second leads where the
// first does, with a sum that is right.
func forgeLock(ts *testscript.TestScript, _ bool, args []string) {
	r, path := ts.Value("shelf").(*shelf), ts.MkAbs(args[0])
	l, found := lock.Read(path)
	if found.Refused() {
		ts.Fatalf("%v", found)
	}
	for _, a := range l.Artifacts {
		if a.Ref == r.host+"/"+args[1] {
			a.Ref = r.host + "/" + args[2]
			ts.Check(lock.New(append(l.Artifacts, a)...).Write(path))
			return
		}
	}
	ts.Fatalf("%s is not in the lock", args[1])
}
