package helmfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

func generated(t *testing.T, pins releases.Pins) output.Set {
	t.Helper()
	g, err := releases.Reference(pins)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Generate(Input{Graph: g, Environment: "example", Text: releases.ExampleEnvironment()})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// R38, R39: the folder helmfile at the root is what is generated, file by file.
// "make generate" writes it anew.
func TestReferenceIsWhatIsGenerated(t *testing.T) {
	const root = "../../helmfile"
	want := map[string]string{}
	for _, f := range generated(t, releases.Pins{Version: kora.Version()}).Files {
		if want[f.Path] = f.Text; !f.Yours {
			want[f.Path] = output.Sealed(Generator, f.Text)
		}
	}
	got := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		at, _ := filepath.Rel(root, path)
		got[filepath.ToSlash(at)] = string(text)
		return err
	})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("run make generate: %v (-generated +committed):\n%s", err, diff)
	}
}

// file is a Helmfile as far as these tests read it.
type file struct {
	HelmDefaults map[string]any `json:"helmDefaults"`
	Repositories []struct {
		Name string `json:"name"`
		URL  string `json:"url"`
		OCI  bool   `json:"oci"`
	} `json:"repositories"`
	Releases []entry `json:"releases"`
}

type entry struct {
	Name                       string   `json:"name"`
	Namespace                  string   `json:"namespace"`
	Chart                      string   `json:"chart"`
	Version                    string   `json:"version"`
	DisableValidationOnInstall bool     `json:"disableValidationOnInstall"`
	Needs                      []string `json:"needs"`
	Values                     []string `json:"values"`
	Set                        []struct {
		Name string `json:"name"`
		File string `json:"file"`
	} `json:"set"`
	Hooks []struct {
		Events   []string `json:"events"`
		ShowLogs bool     `json:"showlogs"`
		Command  string   `json:"command"`
		Args     []string `json:"args"`
	} `json:"hooks"`
}

// read is kora's own reading of the Helmfile: the two parts of the template are
// filled in with the facts, and the second is parsed strictly.
func read(t *testing.T, pins releases.Pins, facts string) file {
	t.Helper()
	out, err := fill(t, pins, facts)
	if err != nil {
		t.Fatal(err)
	}
	var f file
	if err := yaml.UnmarshalStrict([]byte(out), &f); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return f
}

func fill(t *testing.T, pins releases.Pins, facts string) (string, error) {
	t.Helper()
	env, found := environment.Read(source.NewFile("environments/example.yaml", facts))
	if found.Refused() {
		t.Fatal(found)
	}
	set := generated(t, pins)
	return fillIn(t, set, env, onDisk(set))
}

// fillIn fills the part of the Helmfile in that knows its values.
func fillIn(t *testing.T, set output.Set, env *environment.Environment, folder fstest.MapFS) (string, error) {
	t.Helper()
	_, body, ok := strings.Cut(set.Files[0].Text, "\n---\n")
	if !ok {
		t.Fatal("the Helmfile has no second part, so that its values would not be known")
	}
	r := env.NewRenderer()
	r.Folder = folder
	return r.Render("helmfile.yaml.gotmpl", body)
}

// onDisk is the folder as it was written, with a theme beside the values.
func onDisk(set output.Set) fstest.MapFS {
	folder := fstest.MapFS{"values/theme.yaml": {}}
	for _, f := range set.Files {
		folder[f.Path] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	return folder
}

const least = "trustDomain: td.example.com\nfrontendHost: kora.example.com\n"

// R39: needs name releases that are there, by namespace and name, and following
// nothing but them gives SPIRE, Istio, kora-crds and kora in dependency order.
func TestNeedsGiveTheOrder(t *testing.T) {
	f := read(t, releases.Pins{Version: "1.4.0"}, least+"systemNamespace: platform\n")
	byID := map[string]entry{}
	for _, r := range f.Releases {
		byID[r.Namespace+"/"+r.Name] = r
	}
	before := func(first, then string) bool { return reaches(byID, then, first) }
	for _, pair := range [][2]string{
		{"spire-system/spire-crds", "spire-system/spire"},
		{"spire-system/spire", "platform/kora"},
		{"istio-system/istio-base", "istio-system/istio-cni"},
		{"istio-system/istio-cni", "istio-system/istiod"},
		{"istio-system/istiod", "platform/kora"},
		{"platform/kora-crds", "platform/kora"},
	} {
		if !before(pair[0], pair[1]) {
			t.Errorf("%s is not before %s", pair[0], pair[1])
		}
	}
	for id, r := range byID {
		for _, need := range r.Needs {
			if _, ok := byID[need]; !ok {
				t.Errorf("%s needs %s, which is not there", id, need)
			}
		}
	}
	if len(byID) != 7 || f.HelmDefaults["wait"] != true {
		t.Errorf("%d releases, wait %v", len(byID), f.HelmDefaults["wait"])
	}
	if _, there := f.HelmDefaults["skipDeps"]; there {
		t.Error("with skipDeps Helmfile does not add the repositories either")
	}
}

func reaches(all map[string]entry, from, to string) bool {
	return slices.ContainsFunc(all[from].Needs, func(need string) bool { return need == to || reaches(all, need, to) })
}

// R39: a hook before each release makes its namespace with the labels; the facts
// are arguments, never a part of the script.
func TestHooksMakeTheNamespaces(t *testing.T) {
	for facts, injection := range map[string][]string{
		least:                             {"istio-injection=enabled", "istio.io/rev-"},
		least + "istio: { revision: r1 }": {"istio-injection-", "istio.io/rev=r1"},
	} {
		for _, r := range read(t, releases.Pins{Version: "1.4.0"}, facts).Releases {
			if len(r.Hooks) != 1 || !slices.Equal(r.Hooks[0].Events, []string{"presync"}) || r.Hooks[0].Command != "sh" {
				t.Fatalf("%s: %+v", r.Name, r.Hooks)
			}
			args := r.Hooks[0].Args
			if args[0] != "-ec" || args[1] != script || args[2] != Hook || args[3] != "{{ .Release.KubeContext }}" || args[4] != r.Namespace {
				t.Errorf("%s: %q", r.Name, args)
			}
			want := append(slices.Clone(injection), "pod-security.kubernetes.io/enforce=restricted", "pod-security.kubernetes.io/warn=restricted", "pod-security.kubernetes.io/audit=restricted")
			if r.Namespace != "kora-system" {
				want = []string{"pod-security.kubernetes.io/enforce=privileged", "pod-security.kubernetes.io/warn=privileged", "pod-security.kubernetes.io/audit=privileged"}
			}
			if diff := cmp.Diff(want, args[5:]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", r.Name, diff)
			}
		}
	}
}

// R39: the trust domain stands in the environment alone; SPIRE, Istio and kora
// have it from there, and it wins over a person's values.
func TestTrustDomainIsInjectedOnce(t *testing.T) {
	set := generated(t, releases.Pins{Version: "1.4.0"})
	var from []string
	for _, f := range set.Files {
		if strings.Contains(f.Text, ".Values.trustDomain") {
			from = append(from, f.Path)
		}
		if f.Path != "environments/example.yaml" && strings.Contains(f.Text, "trustDomain: example.com") {
			t.Errorf("%s has the trust domain itself", f.Path)
		}
	}
	slices.Sort(from)
	if diff := cmp.Diff([]string{"values/istiod.yaml.gotmpl", "values/kora.facts.yaml.gotmpl", "values/spire.yaml.gotmpl"}, from); diff != "" {
		t.Error(diff)
	}
	for _, r := range read(t, releases.Pins{Version: "1.4.0"}, least).Releases {
		if r.Name == "kora" && !slices.Equal(r.Values, []string{"values/kora.yaml", "values/kora.facts.yaml.gotmpl"}) {
			t.Errorf("%v", r.Values)
		}
		for _, v := range r.Values {
			if !slices.ContainsFunc(set.Files, func(f output.File) bool { return f.Path == v }) {
				t.Errorf("%s reads %s, which is not written", r.Name, v)
			}
		}
	}
}
