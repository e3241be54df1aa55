package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
	"github.com/runkora/kora/verify/sigstoretest"
)

const chartLayer = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"

func (r *shelf) imageOrChart(repo, tag string) desc {
	if name, ok := strings.CutPrefix(repo, "charts/"); ok {
		return r.chartOf(repo, tag, name, tag, r.pack(map[string]string{name + "/Chart.yaml": "apiVersion: v2\nname: " + name + "\nversion: " + tag + "\n"}))
	}
	return r.image(repo, tag)
}

// chart is kora's own chart as helm push puts it.
func (r *shelf) chart(repo, tag string) desc {
	return r.chartOf(repo, tag, path.Base(repo), tag, r.koraChart())
}

func (r *shelf) chartOf(repo, tag, name, version string, packed []byte) desc {
	config := r.blob(repo, "application/vnd.cncf.helm.config.v1+json", fmt.Appendf(nil, `{"name":%q,"version":%q}`, name, version))
	layer := r.blob(repo, chartLayer, packed)
	return r.put(repo, tag, desc{"schemaVersion": 2, "mediaType": string(types.OCIManifestSchema1), "config": config, "layers": []desc{layer}})
}

// koraChart is the chart in the binary, packed.
func (r *shelf) koraChart() []byte {
	files, err := charts.Open(charts.Kora)
	r.try(err)
	texts := map[string]string{}
	r.try(fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		texts["kora/"+path] = string(text)
		return err
	}))
	return r.pack(texts)
}

func (r *shelf) pack(texts map[string]string) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		r.try(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(text))
		r.try(err)
	}
	r.try(w.Close())
	r.try(z.Close())
	return packed.Bytes()
}

// images are all images that the chart of the release brings, signed.
func (r *shelf) images(kora sigstoretest.Identity) {
	set := func(text string) values.Flag { return values.Flag{Kind: values.SetString, Text: text} }
	out := release.Render(context.Background(), release.Request{Values: values.Input{Flags: []values.Flag{
		set("global.trustDomain=example.org"), set("frontendHost=example.com"), set("global.imageRegistry=" + r.host),
	}}})
	for _, ref := range out.Images() {
		repo, tag, _ := strings.Cut(strings.TrimPrefix(ref, r.host+"/"), ":")
		d := r.image(repo, tag)
		r.attach(repo, d, r.s.SignImage(kora, d["digest"].(string)))
	}
}

// files writes a directory of downloads, and the chart of the release.
func (r *shelf) files(dir string, kora sigstoretest.Identity) error {
	chart := r.chart("charts/kora", "1.4.0")
	r.attach("charts/kora", chart, r.s.SignImage(kora, chart["digest"].(string)))
	r.images(kora)
	files := map[string][]byte{
		"kora-1.4.0.tgz":      r.koraChart(),
		"kora-crds-1.4.0.tgz": r.pack(map[string]string{"kora-crds/Chart.yaml": "apiVersion: v2\nname: kora-crds\nversion: 1.4.0\n"}),
		"images.txt":          []byte("# of kora 1.4.0\nghcr.io/runkora/session-manager:1.4.0\nghcr.io/runkora/kora-agents:1.4.0\n"),
	}
	r.downloads(filepath.Join(dir, "downloads"), files, kora)
	r.downloads(filepath.Join(dir, "by-test"), files, sigstoretest.GitHub("runkora/kora", ".github/workflows/test.yml", "refs/tags/v1.4.0"))
	branch := kora
	branch.SourceRef, branch.BuildConfig = "refs/heads/evil", "https://github.com/runkora/kora/.github/workflows/evil.yml@refs/heads/evil"
	r.downloads(filepath.Join(dir, "by-branch"), files, branch)
	r.pinned(dir, kora)
	r.keyed(dir)
	r.try(os.WriteFile(filepath.Join(dir, "trusted_root.json"), r.s.TrustedRoot(), 0o644))
	return r.err
}

// provenanceOfFiles names its subjects as they are called, and what the
// certificate says.
func provenanceOfFiles(files map[string][]byte, id sigstoretest.Identity) []byte {
	started, ref, _ := strings.Cut(strings.TrimPrefix(id.BuildConfig, "https://github.com/runkora/kora/"), "@")
	var subjects []any
	for name, body := range files {
		subjects = append(subjects, desc{"name": name, "digest": desc{"sha256": strings.TrimPrefix(sigstoretest.DigestOf(body), "sha256:")}})
	}
	out, err := json.Marshal(desc{
		"_type": "https://in-toto.io/Statement/v1", "predicateType": "https://slsa.dev/provenance/v1", "subject": subjects,
		"predicate": sigstoretest.ProvenanceV1("runkora/kora", started, ref),
	})
	if err != nil {
		panic(err) // maps of texts always are JSON
	}
	return out
}

// send answers with something else than what was asked for.
func (r *shelf) send(w http.ResponseWriter, req *http.Request, kind string) {
	switch kind {
	case "hang":
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-req.Context().Done()
	case "elsewhere":
		http.Redirect(w, req, "http://192.0.2.1/blob?signature=planted-Passw0rd", http.StatusTemporaryRedirect)
	case "realm":
		w.Header().Set("WWW-Authenticate", `Bearer realm="http://192.0.2.1/token",service="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	default:
		fmt.Fprint(w, kind)
	}
}

// layerIs REF KIND lets the registry send something else for the chart's layer.
func layerIs(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	ref, err := name.ParseReference(args[0])
	ts.Check(err)
	image, err := remote.Image(ref)
	ts.Check(err)
	layers, err := image.Layers()
	ts.Check(err)
	digest, err := layers[0].Digest()
	ts.Check(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.body, digest.String())
	r.status[digest.String()] = 0
	if status, err := strconv.Atoi(args[1]); err == nil {
		r.status[digest.String()] = status
	} else {
		r.body[digest.String()] = args[1]
	}
}

// bomb REPO:TAG puts a signed chart there that unpacks to far more than it has.
func bomb(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	repo, tag, _ := strings.Cut(args[0], ":")
	packed := r.pack(map[string]string{"kora/Chart.yaml": "apiVersion: v2\nname: kora\nversion: 1.4.0\n", "kora/values.yaml": strings.Repeat("#", 200<<20)})
	d := r.chartOf(repo, tag, "kora", tag, packed)
	r.attach(repo, d, r.s.SignImage(sigstoretest.Kora("1.4.0"), d["digest"].(string)))
	ts.Check(r.err)
}

// keyed is an image that two keys have signed, one that a third has, with an entry
// in the log, and the keys.
func (r *shelf) keyed(dir string) {
	d := r.image("keyed", "1.4.0")
	for _, file := range []string{"one.pub", "two.pub"} {
		key, public := r.s.NewKey()
		r.attach("keyed", d, r.s.SignImage(sigstoretest.Identity{}, d["digest"].(string), sigstoretest.Shape{Key: key, NoLog: true}))
		r.try(os.WriteFile(filepath.Join(dir, file), public, 0o644))
	}
	logged, public := r.s.NewKey()
	d = r.image("timed", "1.4.0")
	r.attach("timed", d, r.s.SignImage(sigstoretest.Identity{}, d["digest"].(string), sigstoretest.Shape{Key: logged}))
	r.try(os.WriteFile(filepath.Join(dir, "timed.pub"), public, 0o644))
}

// pinned is a directory of downloads whose list has digests.
func (r *shelf) pinned(dir string, kora sigstoretest.Identity) {
	list := "# of kora 1.4.0\n"
	for _, repo := range []string{"session-manager", "kora-agents"} {
		ref, err := name.ParseReference(r.host + "/" + repo + ":1.4.0")
		r.try(err)
		head, err := remote.Head(ref)
		r.try(err)
		list += "ghcr.io/runkora/" + repo + ":1.4.0@" + head.Digest.String() + "\n"
	}
	files := map[string][]byte{"images.txt": []byte(list)}
	for _, file := range []string{"kora-1.4.0.tgz", "kora-crds-1.4.0.tgz"} {
		body, err := os.ReadFile(filepath.Join(dir, "downloads", file))
		r.try(err)
		files[file] = body
	}
	r.downloads(filepath.Join(dir, "pinned"), files, kora)
}

// downloads writes files, with their bundles and their provenance.
func (r *shelf) downloads(dir string, files map[string][]byte, kora sigstoretest.Identity) {
	r.try(os.MkdirAll(dir, 0o755))
	for file, body := range files {
		r.try(os.WriteFile(filepath.Join(dir, file), body, 0o644))
		r.try(os.WriteFile(filepath.Join(dir, file+".sigstore.json"), r.s.SignBlob(kora, body), 0o644))
	}
	r.try(os.WriteFile(filepath.Join(dir, "kora-1.4.0.intoto.jsonl"), append(r.s.SignStatement(kora, provenanceOfFiles(files, kora)), '\n'), 0o644))
}

// signedChart REPO:TAG NAME VERSION puts a chart there that says to be another.
func signedChart(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	repo, tag, _ := strings.Cut(args[0], ":")
	d := r.chartOf(repo, tag, args[1], args[2], r.pack(map[string]string{args[1] + "/Chart.yaml": "name: " + args[1] + "\n"}))
	r.attach(repo, d, r.s.SignImage(sigstoretest.Kora("1.4.0"), d["digest"].(string)))
	ts.Check(r.err)
}

// signedCopy REPO:TAG REPO:TAG puts the second, and its signature, in the place
// of the first.
func signedCopy(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	got := r.copied(ts, args[0], args[1])
	repo, _, _ := strings.Cut(args[0], ":")
	r.attach(repo, desc{"mediaType": got.MediaType, "digest": got.Digest.String(), "size": got.Size}, r.s.SignImage(sigstoretest.Kora("1.4.0"), got.Digest.String()))
	ts.Check(r.err)
}
