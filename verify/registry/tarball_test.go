package registry

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// R48: an archive in which two readers see two things is refused, whatever the
// second thing is: a link or a folder takes a file's place when it is unpacked.
func TestTarballsWithTwoContents(t *testing.T) {
	file := tar.Header{Typeflag: tar.TypeReg, Mode: 0o644}
	link := tar.Header{Typeflag: tar.TypeLink, Linkname: "other.json"}
	symlink := tar.Header{Typeflag: tar.TypeSymlink, Linkname: "other.json"}
	folder := tar.Header{Typeflag: tar.TypeDir, Mode: 0o755}
	as := func(h tar.Header, name string) tar.Header { h.Name = name; return h }
	for _, tt := range []struct {
		name    string
		entries []tar.Header
		bad     string
	}{
		{"a file twice", []tar.Header{as(file, "index.json"), as(file, "./index.json")}, "a file twice"},
		{"a link behind a file", []tar.Header{as(file, "index.json"), as(link, "index.json")}, "a file twice"},
		{"a link before a file", []tar.Header{as(symlink, "index.json"), as(file, "index.json")}, "a file twice"},
		{"a folder behind a file", []tar.Header{as(file, "index.json"), as(folder, "index.json/")}, "a file twice"},
		{"a folder, and a link in its place", []tar.Header{as(folder, "blobs/"), as(symlink, "blobs")}, "a file twice"},
		{"a file below a link", []tar.Header{as(symlink, "blobs"), as(file, "blobs/sha256/a")}, "below blobs"},
		{"a file below a file", []tar.Header{as(file, "blobs/sha256"), as(file, "blobs/sha256/a")}, "below blobs/sha256"},
		{"a folder twice", []tar.Header{as(folder, "./"), as(folder, "blobs/"), as(file, "blobs/a"), as(folder, "blobs")}, ""},
		{"a link beside", []tar.Header{as(symlink, "latest"), as(file, "index.json")}, ""},
	} {
		path := filepath.Join(t.TempDir(), "layout.tar")
		f, err := os.Create(path)
		fatal(t, err)
		w := tar.NewWriter(f)
		for _, h := range tt.entries {
			fatal(t, w.WriteHeader(&h))
		}
		fatal(t, w.Close())
		fatal(t, f.Close())
		if _, err := openTar(path); (err == nil) != (tt.bad == "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.bad)
		}
	}
}
