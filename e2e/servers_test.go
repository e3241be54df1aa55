//go:build e2e

package e2e

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/testcluster/mesh"
)

// chartServer packs Istio's real charts, kora's own in two versions, and stand-ins
// of SPIRE's, and serves them as a repository on this machine.
func chartServer(w *world) string {
	served, istio := w.TempDir(), released(w, mesh.IstioCharts(w))
	crds := w.TempDir()
	definition, err := os.ReadFile(mesh.SpireDefinition(w))
	if err != nil {
		w.Fatal(err)
	}
	for file, text := range map[string]string{"Chart.yaml": "apiVersion: v2\nname: spire-crds\nversion: 0.0.0\n", "templates/clusterspiffeids.yaml": string(definition)} {
		if err := os.MkdirAll(filepath.Join(crds, "templates"), 0o755); err != nil {
			w.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(crds, file), []byte(text), 0o644); err != nil {
			w.Fatal(err)
		}
	}
	here, err := filepath.Abs("..")
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range [][2]string{
		{filepath.Join(istio, "base"), releases.IstioVersion}, {filepath.Join(istio, "istio-cni"), releases.IstioVersion},
		{filepath.Join(istio, "istio-control", "istio-discovery"), releases.IstioVersion},
		{crds, releases.SPIRECRDsVersion}, {filepath.Join(here, "e2e/testdata/spire"), releases.SPIREVersion},
		{filepath.Join(here, "charts/kora-crds"), version}, {filepath.Join(here, "charts/kora"), version},
		{filepath.Join(here, "charts/kora-crds"), next}, {filepath.Join(here, "charts/kora"), next},
	} {
		args := []string{"package", c[0], "--version", c[1], "--destination", served}
		if strings.Contains(c[0], here) && !strings.HasSuffix(c[0], "spire") {
			args = append(args, "--app-version", c[1])
		}
		w.do("helm", args...)
	}
	w.do("helm", "repo", "index", served)
	server := httptest.NewServer(http.FileServer(http.Dir(served)))
	w.Cleanup(server.Close)
	return server.URL
}

// released makes Istio's charts those of a release: in the source their images have
// the tag latest.
func released(w *world, source string) string {
	w.Helper()
	folder := w.TempDir()
	for _, chart := range []string{"base", "istio-cni", "istio-control/istio-discovery"} {
		if err := os.CopyFS(filepath.Join(folder, chart), os.DirFS(filepath.Join(source, chart))); err != nil {
			w.Fatal(err)
		}
		file := filepath.Join(folder, chart, "values.yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			w.Fatal(err)
		}
		changed := strings.ReplaceAll(string(text), "tag: latest", "tag: "+releases.IstioVersion)
		if err := os.Chmod(file, 0o644); err != nil {
			w.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			w.Fatal(err)
		}
	}
	return folder
}

// imageServer is an empty registry on this machine, which the values name as a
// mirror of those that references name.
func imageServer(w *world) string {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	w.Cleanup(server.Close)
	return server.URL
}

// push puts a sandbox image, as kora takes one, under a reference, and gives its digest.
func (w *world) push(reference string) string {
	w.Helper()
	_, repository, _ := strings.Cut(reference, "/")
	ref, err := name.ParseReference(strings.TrimPrefix(w.mirror, "http://")+"/"+repository, name.Insecure)
	if err != nil {
		w.Fatal(err)
	}
	image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{OS: "linux", Architecture: "amd64", RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{User: "100", Labels: map[string]string{"io.runkora.sandbox.base": version}}})
	if err != nil {
		w.Fatal(err)
	}
	if err := remote.Write(ref, image); err != nil {
		w.Fatal(err)
	}
	digest, err := image.Digest()
	if err != nil {
		w.Fatal(err)
	}
	return digest.String()
}
