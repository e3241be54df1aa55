package release_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

const testdata = "../../testdata"

// examples are the releases of the documents, and the values files of agent types.
var examples = []string{
	"releases/kora", "releases/node-pools", "releases/warming", "releases/scale-out", "releases/telemetry",
	"releases/own-gateway", "releases/theme",
	"values/default.yaml", "values/node-pools.yaml", "values/sandbox-mount.yaml", "values/shared-workspace.yaml",
}

// inputOf is the values of one example: a release lies over that of "kora".
func inputOf(name string) values.Input {
	at := func(parts ...string) string { return filepath.Join(append([]string{testdata}, parts...)...) }
	in := values.Input{Files: []string{at("releases/kora/values.yaml")}}
	switch {
	case strings.HasSuffix(name, ".yaml"):
		in.Files = append(in.Files, at(name))
	case name != "releases/kora":
		in.Files = append(in.Files, at(name, "values.yaml"))
	}
	switch name {
	case "releases/own-gateway":
		in.Files = append(in.Files, "../../charts/kora/values/gateway-byo.yaml")
	case "releases/theme":
		in.Flags = []values.Flag{{Kind: values.SetFile, Text: "theme.document=" + at(name, "theme.yaml")}}
	}
	return in
}

// flagsOf are the same for Helm.
func flagsOf(in values.Input) []string {
	var flags []string
	for _, f := range in.Files {
		flags = append(flags, "--values", f)
	}
	for _, f := range in.Flags {
		flags = append(flags, f.Kind.String(), f.Text)
	}
	return flags
}

// good renders, and fails the test where anything is refused.
func good(t testing.TB, r release.Request) *release.Result {
	t.Helper()
	out := release.Render(t.Context(), r)
	if out.Found.Refused() {
		t.Fatalf("%s", told(out.Found))
	}
	return out
}

func printed(t testing.TB, r *release.Result) string {
	t.Helper()
	out, err := release.YAML(r.Objects)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// told are faults a line each: code, place, object, field, message.
func told(found faults.List) string {
	var out strings.Builder
	for _, f := range found.Sorted() {
		out.WriteString(strings.Join([]string{string(f.Code), f.File, f.Object, f.Field, f.Message}, " | ") + "\n")
	}
	return out.String()
}

// refused renders what has to be refused, by these words and code alone.
func refused(t *testing.T, r release.Request, code faults.Code, words ...string) faults.List {
	t.Helper()
	out := release.Render(t.Context(), r)
	if !out.Found.Refused() {
		t.Fatalf("nothing is refused; wanted %s %v", code, words)
	}
	for _, f := range out.Found {
		if f.Code != code {
			t.Errorf("%s instead of %s: %s", f.Code, code, f.Message)
		}
	}
	all := told(out.Found)
	for _, w := range words {
		if !strings.Contains(all, w) {
			t.Errorf("nothing says %q:\n%s", w, all)
		}
	}
	return out.Found
}

// chart writes a small chart of these files, and returns its folder.
func chart(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "small")
	if _, ok := files["Chart.yaml"]; !ok {
		write(t, folder, "Chart.yaml", "apiVersion: v2\nname: small\nversion: 0.1.0\n")
	}
	for name, text := range files {
		write(t, folder, name, text)
	}
	return folder
}

func write(t testing.TB, folder, name, text string) {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// of is a request for a small chart of one template.
func of(t testing.TB, template string) release.Request {
	return release.Request{Chart: chart(t, map[string]string{"templates/all.yaml": template})}
}
