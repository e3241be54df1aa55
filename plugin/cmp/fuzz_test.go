package cmp

import (
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		`null`, `[]`, ``, `[null]`, `[{}]`, `{"name":"values"}`, `[] []`, `[`, strings.Repeat("[", 5000),
		`[{"name":"values-files","array":["a.yaml","b/c.yml"]}]`,
		`[{"name":"values-files","array":["../a.yaml","/etc/passwd","a/../../b.yaml","a\u0000.yaml","..\\a.yaml"]}]`,
		`[{"name":"verify","string":"true"},{"name":"verify","string":"false"}]`,
		`[{"name":"verify","String":"true"}]`, `[{"name":"verify","string":"true","string":"false"}]`,
		`[{"name":"chart","string":"oci://ghcr.io/runkora/charts/kora:1.4.0"}]`,
		`[{"name":"chart","string":"oci://ghcr.io/runkora/charts/../../evil/kora:1.4.0"}]`,
		`[{"name":"chart","string":"./../chart"}]`, `[{"name":"chart","string":"oci://ghcr.io@evil.example.com/kora:1"}]`,
		`[{"name":"values","string":"a: 1","map":{"a":"b"}}]`, `[{"name":"\u001b[2J","string":"x"}]`,
		`[{"name":"release-name","string":"kora\nx"}]`,
	} {
		f.Add(s)
	}
}

// R43: whatever an application gives, its parameters are taken as they were
// announced, or refused with a reason; what is taken stays in the folder, or is a
// chart with its registry.
func FuzzParameters(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		asked, found := ReadAsked([]string{parametersVariable + "=" + text})
		for _, fault := range found {
			if fault.Message == "" || fault.File == "" || !known(fault.Code) || len(fault.Field) > 300 || len(fault.Found) > 300 {
				t.Errorf("%+v", fault)
			}
		}
		if found.Refused() {
			return
		}
		for _, name := range asked.ValuesFiles {
			if clean := path.Clean(name); path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsAny(name, "\x00\n\\") {
				t.Errorf("the values file %q", name)
			}
		}
		if !releaseName.MatchString(asked.ReleaseName) || !utf8.ValidString(asked.ReleaseName) {
			t.Errorf("the release %q", asked.ReleaseName)
		}
		chart(t, asked.Chart)
	})
}

func chart(t *testing.T, name string) {
	t.Helper()
	if name == "" {
		return
	}
	if rest, ok := strings.CutPrefix(name, onDisk); ok {
		if clean := path.Clean(rest); path.IsAbs(rest) || clean == ".." || strings.HasPrefix(clean, "../") {
			t.Errorf("the chart %q", name)
		}
		return
	}
	at := repository(name)
	if host, _, _ := strings.Cut(at, "/"); host == "" || strings.ContainsAny(at, "@ \n") || slices.Contains(strings.Split(at, "/"), "..") {
		t.Errorf("the chart %q is in %q", name, at)
	}
}

// R43: the settings of the sidecar: a registry that is allowed lets in what lies
// below it, and no longer name.
func FuzzRegistries(f *testing.F) {
	for _, s := range []string{"ghcr.io/runkora", "ghcr.io", " ghcr.io/a , oci://example.com/b/ ,,", "localhost:5000", "*", "a@b", "ghcr.io/..", "https://ghcr.io/x", "[::1]:5000/x"} {
		f.Add(s, "ghcr.io/runkora/charts/kora")
	}
	f.Fuzz(func(t *testing.T, text, asked string) {
		s, found := ReadSettings([]string{settingPrefix + "REGISTRIES=" + text})
		if found.Refused() && len(s.Registries) > strings.Count(text, ",") {
			t.Errorf("%q gives %q", text, s.Registries)
		}
		for _, r := range s.Registries {
			if !s.allow(r) || !s.allow(r+"/kora") || s.allow(r+"-x/kora") && len(s.Registries) == 1 {
				t.Errorf("%q", r)
			}
		}
		if s.allow(asked) && !slices.ContainsFunc(s.Registries, func(r string) bool { return strings.HasPrefix(asked+"/", r+"/") }) {
			t.Errorf("%q lets %q in", text, asked)
		}
	})
}

// known is true of a code of the catalogue.
func known(c faults.Code) bool {
	_, ok := faults.Lookup(c)
	return ok
}
