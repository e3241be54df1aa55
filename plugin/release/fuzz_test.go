package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"

	"github.com/runkora/kora/plugin/values"
)

// zipped is an archive of one file.
func zipped(tb testing.TB, name, text string) []byte {
	tb.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	in := tar.NewWriter(zip)
	err := in.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644})
	if err == nil {
		_, err = in.Write([]byte(text))
	}
	if err := errors.Join(err, in.Close(), zip.Close()); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// R43: whatever an archive holds, it is read within its limits or refused, and no
// file has a path that leads out.
func FuzzArchive(f *testing.F) {
	f.Add(zipped(f, "small/Chart.yaml", "apiVersion: v2\nname: small\nversion: 0.1.0\n"))
	f.Add(zipped(f, "small/../x", "x"))
	f.Add(zipped(f, `small\..\x`, "x"))
	f.Add([]byte("hello"))
	l := Limits{Archive: 1 << 20, File: 1 << 16, Unpacked: 1 << 18, Files: 50}
	f.Fuzz(func(t *testing.T, data []byte) {
		files, found := (&budget{limits: l}).archive("fuzz.tgz", data)
		if found.Refused() {
			return
		}
		var all int64
		for _, file := range files {
			all += int64(len(file.Data))
			if strings.HasPrefix(file.Name, "/") || strings.Contains("/"+file.Name+"/", "/../") {
				t.Errorf("%q leads out", file.Name)
			}
		}
		if len(files) > l.Files || all > l.Unpacked {
			t.Errorf("%d files, %d bytes", len(files), all)
		}
		_, _ = loader.LoadFiles(files) // must not panic
	})
}

// R20: whatever the engine says becomes at least one fault with a text in one line.
func FuzzStumbled(f *testing.F) {
	for _, text := range []string{
		"execution error at (small/templates/a.yaml:1:2): a.b: is wrong\nc[1].d: too",
		"parse error at (small/templates/a.yaml:2): unexpected {{end}}",
		"template: small/templates/a.yaml:1:3: executing \"x\" at <.a>: nil pointer",
		"rendering template failed: boom", "", "execution error at (:::): ",
		"template: a:99999999999999999999:1: x",
	} {
		f.Add(text)
	}
	tree, _ := values.Load(values.Input{})
	small := &chart.Chart{Metadata: &chart.Metadata{Name: "small"}, Values: map[string]any{"a": 1, "c": []any{}}}
	f.Fuzz(func(t *testing.T, text string) {
		p := &pass{out: &Result{}, tree: tree, chart: small}
		found := p.stumbled(errors.New(text))
		if !found.Refused() {
			t.Fatalf("%q is no fault", text)
		}
	})
}

// R43: a reference names its registry and a tag or digest, or is refused.
func FuzzReference(f *testing.F) {
	for _, text := range []string{"oci://ghcr.io/runkora/charts/kora:1.4.0", "oci://127.0.0.1:5000/a@sha256:" + strings.Repeat("a", 64), "oci://", "oci://a/b", "oci://localhost/x:1+2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := reference(text)
		if err == nil && (ref.Identifier() == "" || !strings.HasPrefix(strings.TrimPrefix(text, ociScheme), ref.Context().RegistryStr())) {
			t.Errorf("%q: %s", text, ref)
		}
	})
}
