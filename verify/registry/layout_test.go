package registry

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	fatal(t, err)
	return b
}

func describe(kind string, b []byte, annotations ...string) descriptor {
	d := descriptor{MediaType: kind, Digest: digestOf(b), Size: int64(len(b)), Annotations: map[string]string{}}
	for i := 0; i < len(annotations); i += 2 {
		d.Annotations[annotations[i]] = annotations[i+1]
	}
	return d
}

// sample is a layout with one image and its bundle.
func sample(t *testing.T, how string) string {
	t.Helper()
	config, layer := []byte("{}"), []byte("good")
	manifestType := string(types.OCIManifestSchema1)
	image := jsonOf(t, object{"schemaVersion": 2, "mediaType": manifestType, "config": describe(string(types.OCIConfigJSON), config), "layers": []descriptor{}})
	imageDesc := describe(manifestType, image, refName, "1.4.0")
	bundle := jsonOf(t, referrer(imageDesc, describe("application/vnd.oci.empty.v1+json", config), describe(bundleType, layer)))
	older := jsonOf(t, object{"schemaVersion": 2, "mediaType": manifestType, "config": describe(string(types.OCIConfigJSON), config), "layers": []descriptor{describe(simpleType, layer)}})
	list := jsonOf(t, object{"schemaVersion": 2, "manifests": []descriptor{describe(manifestType, bundle)}})
	all := []descriptor{imageDesc}
	tag := strings.Replace(imageDesc.Digest, ":", "-", 1)
	switch how {
	case "referrer":
		all = append(all, describe(manifestType, bundle))
	case "referrers tag":
		all = append(all, describe(string(types.OCIImageIndex), list, refName, tag))
	case "older tag":
		all = append(all, describe(manifestType, older, refName, tag+".sig"))
	case "cosign save":
		all = append(all, describe(manifestType, older, savedKind, savedSigs))
	}
	return save(t, object{"schemaVersion": 2, "manifests": all}, config, layer, image, bundle, older, list)
}

// R48: layouts on disk, as the tools write them, without any network.
func TestLayoutsAreReadOffline(t *testing.T) {
	for _, how := range []string{"referrer", "referrers tag", "older tag", "cosign save"} {
		dir := sample(t, how)
		archive := pack(t, dir)
		for _, ref := range []string{dir, layoutScheme + dir, layoutScheme + dir + ":1.4.0", archive, layoutScheme + archive} {
			c, _ := client(t, func(o *Options) { o.Offline = true })
			if all, good := pieces(t, c, ref); !good || len(all) != 1 {
				t.Errorf("%s, %s: good %v, %+v", how, ref, good, all)
			}
		}
	}
	c, _ := client(t)
	if all, _ := pieces(t, c, sample(t, "nothing")); len(all) != 0 {
		t.Errorf("an unsigned one: %+v", all)
	}
}

func pack(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "layout.tar")
	f, err := os.Create(path)
	fatal(t, err)
	defer f.Close()
	w := tar.NewWriter(f)
	fatal(t, w.AddFS(os.DirFS(dir)))
	fatal(t, w.Close())
	return path
}

// What is not a layout, or leads out of one, is refused and never waited for.
func TestLayoutsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(dir string) string
		want   string
	}{
		{"no layout", func(dir string) string {
			fatal(t, os.Remove(filepath.Join(dir, "oci-layout")))
			return layoutScheme + dir
		}, "no OCI layout"},
		{"not there", func(dir string) string { return layoutScheme + dir + "-gone" }, "there is no such OCI layout"},
		{"another tag", func(dir string) string { return layoutScheme + dir + ":9" }, "nothing named"},
		{"another digest", func(dir string) string { return layoutScheme + dir + "@sha256:" + strings.Repeat("0", 64) }, "does not hold it"},
		{"a digest that is a path", func(dir string) string { return layoutScheme + dir + "@sha256:../../oci-layout" }, "does not say which artifact"},
		{"a link out of it", func(dir string) string {
			fatal(t, os.Remove(filepath.Join(dir, "index.json")))
			fatal(t, os.Symlink("/etc/passwd", filepath.Join(dir, "index.json")))
			return layoutScheme + dir
		}, "index.json cannot be read"},
		{"blobs elsewhere", func(dir string) string {
			away := t.TempDir()
			fatal(t, os.Rename(filepath.Join(dir, "blobs"), filepath.Join(away, "blobs")))
			fatal(t, os.Symlink(filepath.Join(away, "blobs"), filepath.Join(dir, "blobs")))
			return layoutScheme + dir + ":1.4.0"
		}, "its blobs is a link that leads out of the layout"},
		{"a marker elsewhere", func(dir string) string {
			fatal(t, os.Remove(filepath.Join(dir, "oci-layout")))
			fatal(t, os.Symlink("/etc/passwd", filepath.Join(dir, "oci-layout")))
			return layoutScheme + dir
		}, "its oci-layout is a link"},
		{"a fifo", func(dir string) string {
			fatal(t, os.Remove(filepath.Join(dir, "index.json")))
			fatal(t, syscall.Mkfifo(filepath.Join(dir, "index.json"), 0o600))
			return layoutScheme + dir
		}, "no regular file"},
		{"bytes that were changed", func(dir string) string {
			entries, _ := fs.Glob(os.DirFS(dir), "blobs/sha256/*")
			for _, e := range entries {
				b, err := os.ReadFile(filepath.Join(dir, e))
				fatal(t, err)
				fatal(t, os.WriteFile(filepath.Join(dir, e), bytes.ReplaceAll(b, []byte("schemaVersion"), []byte("schemaversion")), 0o600))
			}
			return layoutScheme + dir + ":1.4.0"
		}, "another digest"},
		{"a compressed tarball", func(dir string) string {
			path := filepath.Join(t.TempDir(), "layout.tar")
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write(make([]byte, 1<<20))
			fatal(t, z.Close())
			fatal(t, os.WriteFile(path, b.Bytes(), 0o600))
			return path
		}, "no tarball"},
		{"a device", func(string) string { return layoutScheme + "/dev/zero" }, "neither a directory nor a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := sample(t, "referrer")
			c, _ := client(t)
			_, _, err := resolve(t, c, tt.change(dir))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// References that mean different things to different readers are refused.
func TestReferencesThatSayNothingDefinite(t *testing.T) {
	for _, ref := range []string{"", "kora", "kora:1", "ghcr.io/runkora/kora", "oci://ghcr.io/runkora/charts/kora", "ghcr.io/a/b@sha512:" + strings.Repeat("a", 128), "ghcr.io/a/b@sha256:abc", "https://ghcr.io/a/b:1", "ghcr.io/a b:1", "ghcr.io/a/../b:1"} {
		c, _ := client(t)
		if _, err := c.Open(ref); KindOf(err) != Wrong {
			t.Errorf("%q: %v", ref, err)
		}
	}
	c, _ := client(t)
	target, err := c.Open("oci://ghcr.io/runkora/charts/kora:1.4.0+build.1")
	if err != nil || target.wanted != "1.4.0_build.1" {
		t.Errorf("%q, %v", target.wanted, err)
	}
}

// Two readers of one document would see two artifacts (CVE-2021-41190).
func TestManifestsThatAreTwoThings(t *testing.T) {
	index, image := string(types.OCIImageIndex), string(types.OCIManifestSchema1)
	for name, tt := range map[string]struct{ body, kind, want string }{
		"both":              {`{"schemaVersion":2,"manifests":[],"layers":[],"config":{}}`, index, "at once"},
		"called an index":   {`{"schemaVersion":2,"layers":[]}`, index, "is none"},
		"called a manifest": {`{"schemaVersion":2,"manifests":[]}`, image, "is an index"},
		"two names":         {`{"schemaVersion":2,"mediaType":"` + string(types.DockerManifestSchema2) + `","layers":[]}`, image, "by itself"},
		"the first schema":  {`{"schemaVersion":1,"fsLayers":[]}`, string(types.DockerManifestSchema1), "first schema"},
		"a page":            {`<html>`, image, "cannot be read"},
		"a foreign kind":    {`{"schemaVersion":2}`, "text/html", "does not know"},
		"a million things":  {`{"schemaVersion":2,"manifests":[` + strings.Repeat("{},", 1_000_000) + `{}]}`, index, "more than 10,000"},
	} {
		m, err := parse([]byte(tt.body))
		if err == nil {
			err = m.agrees(tt.kind)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzManifest(f *testing.F) {
	for _, s := range []string{`{"schemaVersion":2,"manifests":[{"digest":"sha256:a","size":1}]}`, `{"layers":[1]}`, `[`, `{"subject":{"digest":"x"}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := parse(raw)
		if err != nil {
			return
		}
		if len(m.Manifests) > maxListed || m.Manifests != nil && m.Layers != nil {
			t.Fatalf("%q", raw)
		}
		_, _ = listed(raw)
		_ = sigstore(m)
	})
}
