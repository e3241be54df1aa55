package release_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

const metadata = "apiVersion: v2\nname: small\nversion: 0.1.0\n"

// packed writes an archive of these headers and contents.
func packed(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	in := tar.NewWriter(zip)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), Typeflag: e.kind, Linkname: e.link}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := in.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type entry struct {
	name, text, link string
	kind             byte
}

func archive(t testing.TB, data []byte) release.Request {
	t.Helper()
	file := filepath.Join(t.TempDir(), "small-0.1.0.tgz")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return release.Request{Chart: file}
}

// R43: an archive is a folder of plain files, and nothing else is unpacked.
func TestHostileArchives(t *testing.T) {
	yaml := entry{name: "small/Chart.yaml", text: metadata}
	secret := entry{name: "small/templates/a.yaml", text: "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n"}
	if got := good(t, archive(t, packed(t, yaml, secret))); len(got.Objects) != 1 || got.Chart != "small 0.1.0" {
		t.Fatalf("%d objects of %s", len(got.Objects), got.Chart)
	}
	var many []entry
	for i := range 20_000 {
		many = append(many, entry{name: fmt.Sprintf("small/files/%d", i)})
	}
	nested := packed(t, yaml, secret)
	for range 6 {
		nested = packed(t, yaml, entry{name: "small/charts/x.tgz", text: string(nested)})
	}
	bomb := strings.Repeat("a", 4<<20)
	var bombs []entry
	for i := range 30 {
		bombs = append(bombs, entry{name: fmt.Sprintf("small/files/%d", i), text: bomb})
	}
	inner := string(packed(t, append(bombs[:20:20], yaml)...))
	for name, c := range map[string]struct {
		data  []byte
		code  faults.Code
		words string
	}{
		"a link":                    {packed(t, yaml, entry{name: "small/values.yaml", kind: tar.TypeSymlink, link: "/etc/passwd"}), faults.ChartShape, `"small/values.yaml", which is not a plain file`},
		"a hard link":               {packed(t, yaml, entry{name: "small/values.yaml", kind: tar.TypeLink, link: "small/Chart.yaml"}), faults.ChartShape, "not a plain file"},
		"a device":                  {packed(t, yaml, entry{name: "small/x", kind: tar.TypeChar}), faults.ChartShape, "not a plain file"},
		"a pipe":                    {packed(t, yaml, entry{name: "small/x", kind: tar.TypeFifo}), faults.ChartShape, "not a plain file"},
		"a path that leads out":     {packed(t, yaml, entry{name: "small/../../x", text: "x"}), faults.ChartShape, "a path that leads out of it"},
		"one with backslashes":      {packed(t, yaml, entry{name: `small\..\..\x`, text: "x"}), faults.ChartShape, "a path that leads out of it"},
		"an absolute path":          {packed(t, yaml, entry{name: "/etc/x", text: "x"}), faults.ChartShape, "a path that leads out of it"},
		"too many files":            {packed(t, append(many, yaml)...), faults.ChartLimit, "too many files"},
		"a huge file":               {packed(t, yaml, entry{name: "small/x", text: strings.Repeat("a", 6<<20)}), faults.ChartLimit, `"small/x" is too large`},
		"huge together":             {packed(t, append(bombs, yaml)...), faults.ChartLimit, "too large together"},
		"huge with those inside":    {packed(t, yaml, entry{name: "small/charts/a.tgz", text: inner}, entry{name: "small/charts/b.tgz", text: inner}), faults.ChartLimit, "too large together"},
		"archives within archives":  {nested, faults.ChartLimit, "archives within archives"},
		"no archive":                {[]byte("hello"), faults.ChartShape, "neither a folder nor a packed chart"},
		"a cut archive":             {packed(t, yaml, secret)[:100], faults.ChartShape, ""},
		"an empty archive":          {packed(t), faults.ChartShape, "no files"},
		"no Chart.yaml":             {packed(t, secret), faults.ChartShape, "Chart.yaml"},
		"a Chart.yaml that is none": {packed(t, entry{name: "small/Chart.yaml", text: "name: [\n"}), faults.ChartShape, "Chart.yaml"},
		"a library":                 {packed(t, entry{name: "small/Chart.yaml", text: metadata + "type: library\n"}), faults.ChartShape, "type library"},
		"a missing dependency":      {packed(t, entry{name: "small/Chart.yaml", text: metadata + "dependencies: [{ name: redis, version: 1.0.0, repository: 'https://example.com' }]\n"}), faults.ChartShape, `"redis"`},
		"larger than is read":       {bytes.Repeat([]byte{0x1f}, 21<<20), faults.ChartLimit, "its archive has more than"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, archive(t, c.data), c.code, c.words)
		})
	}
}

// R43: a folder is read without following any link, and nothing but plain files.
func TestHostileFolders(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, filepath.Dir(secret), "secret", "planted")
	for name, c := range map[string]struct {
		make  func(folder string) error
		words string
	}{
		"a link to a file":       {func(f string) error { return os.Symlink(secret, filepath.Join(f, "values.yaml")) }, `"values.yaml", which is not a plain file`},
		"a link to a folder":     {func(f string) error { return os.Symlink(filepath.Dir(secret), filepath.Join(f, "files")) }, `"files"`},
		"a pipe":                 {func(f string) error { return syscall.Mkfifo(filepath.Join(f, "values.yaml"), 0o600) }, `"values.yaml"`},
		"a link for .helmignore": {func(f string) error { return os.Symlink(secret, filepath.Join(f, ".helmignore")) }, `".helmignore"`},
	} {
		t.Run(name, func(t *testing.T) {
			folder := chart(t, map[string]string{"templates/a.yaml": "{{ .Files.Get \"files/secret\" }}"})
			if err := c.make(folder); err != nil {
				t.Fatal(err)
			}
			if found := refused(t, release.Request{Chart: folder}, faults.ChartShape, c.words); strings.Contains(told(found), "planted") {
				t.Error("it was read")
			}
		})
	}
	refused(t, release.Request{Chart: filepath.Join(t.TempDir(), "nowhere")}, faults.ChartSource, "cannot read the chart")
	refused(t, release.Request{Chart: "/dev/null"}, faults.ChartShape, "neither a folder nor a file")
}

// R43: templates have an end, whatever they do: in time, in memory, and in what
// they write. (That the process ends is in the script render-hostile.)
func TestEndlessTemplates(t *testing.T) {
	slow := of(t, `{{ range until 3000 }}{{ range until 3000 }}{{ $x := . }}{{ end }}{{ end }}`)
	slow.Limits.Time = 50 * time.Millisecond
	refused(t, slow, faults.RenderLimit, "did not end", "deadline exceeded")

	wide := of(t, `{{ $s := repeat 1000 "0123456789" }}{{ range until 20000 }}{{ $s }}{{ end }}`)
	wide.Limits.Output = 1 << 20
	refused(t, wide, faults.RenderLimit, "wrote too much")

	// It goes on for a while beside the tests after it, and so to 200 MB at most.
	runtime.GC() // what the tests before it left is not held
	greedy := of(t, `{{ $s := repeat 100000 "0123456789" }}{{ range until 200 }}{{ $s = printf "%s%s" $s "0123456789" }}{{ $s }}{{ range until 20000 }}{{ end }}{{ end }}`)
	greedy.Limits.Memory = 20 << 20
	refused(t, greedy, faults.RenderLimit, "MiB of memory")
}

// R15, R43: a request that nobody waits for any more ends.
func TestRenderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := release.Render(ctx, of(t, `{{ range until 1000 }}{{ range until 1000 }}{{ $x := . }}{{ end }}{{ end }}`))
	if len(out.Found) != 1 || out.Found[0].Code != faults.RenderLimit {
		t.Errorf("%s", told(out.Found))
	}
}
