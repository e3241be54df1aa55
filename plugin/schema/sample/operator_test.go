package sample

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/plugin/schema/helmtest"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// R20, R23: with every release that is taken the operator starts: those of
// testdata, and random ones, many of which set what a config module holds.
func TestOperatorStartsWithWhatIsTaken(t *testing.T) {
	own, services := embedded(t), configs(t)
	for name, tree := range releases(t) {
		if found := started(t, services, tree.Plain()); found.Refused() {
			t.Errorf("%s: the operator refuses %v", name, found)
		}
	}
	set := map[string]bool{}
	for seed := range uint64(50) {
		made, err := overriding(seed, own, "operator", "operator", "platform.observability", "platform.mesh", "platform.identity")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		leaves(made["operator"], "", set)
		if found := started(t, services, made); found.Refused() {
			text, _ := yaml.Marshal(made["operator"])
			t.Errorf("seed %d: the operator refuses %v of\n%s", seed, found, text)
		}
	}
	for _, setting := range []string{"collectorCIDRs", "leaderElection.enabled", "sandboxPlacement.tolerations", "sandboxImages.bundled.go.warm", "enforcer", "syncPeriod"} {
		if !set[".configOverrides.internal/operator."+setting] {
			t.Errorf("no seed sets %s", setting)
		}
	}
}

// R2, R23: an agent type is previewed from what kora-agents reads: the values with
// configOverrides merged last stand in the module as they do in the tree.
func TestPreviewIsMadeOfWhatTheModuleHolds(t *testing.T) {
	own, services := embedded(t), configs(t)
	standard, _ := values.Read(source.NewFile("values.yaml", string(own.Values)))
	set := map[string]bool{}
	for seed := range uint64(40) {
		made, err := overriding(seed, own, "agents", "agents")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		leaves(made["agents"], "", set)
		text, err := yaml.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := values.Read(source.NewFile("v.yaml", string(text)))
		tree = tree.Over(standard).Overridden()
		var module map[string]any
		if err := yaml.Unmarshal(modules(t, services, made, "kora-agents")["internal/agents.yaml"].Data, &module); err != nil {
			t.Fatal(err)
		}
		for _, block := range []string{"workloads", "workspace", "environments"} {
			if got, want := inOneForm(t, tree.Get("agents", block).Any()), inOneForm(t, module[block]); got != want {
				t.Errorf("seed %d: agents.%s\n%s", seed, block, cmp.Diff(want, got))
			}
		}
	}
	for _, setting := range []string{"workspace.size", "environments.maxSize", "workloads.common.podLabels", "workloads.sandbox.tolerations"} {
		if !set[".configOverrides.internal/agents."+setting] {
			t.Errorf("no seed sets %s", setting)
		}
	}
}

// inOneForm is a value in one form, whatever reader it comes from.
func inOneForm(t *testing.T, v any) string {
	t.Helper()
	text, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// overriding are values of a seed that set modules of a service besides.
func overriding(seed uint64, own rules.Chart, service string, names ...string) (map[string]any, error) {
	made, err := Values(seed, own)
	if err != nil {
		return nil, err
	}
	m, err := makerOf(seed, own)
	if err != nil {
		return nil, err
	}
	modules := map[string]any{}
	for _, name := range names {
		modules["internal/"+strings.ReplaceAll(name, ".", "/")] = m.value(map[string]any{"$ref": "#/$defs/module:" + name}, 0)
	}
	block, _ := made[service].(map[string]any)
	if block == nil {
		block = map[string]any{}
	}
	block["configOverrides"], made[service] = modules, block
	return m.mended(made, own)
}

// R20, R28, R31: of a port of NFS, of a collector and of a time the plugin thinks as
// the operator does: what one takes the other takes.
func TestPluginAndOperatorAgree(t *testing.T) {
	own, services := embedded(t), configs(t)
	taken := 0
	for _, text := range agreed() {
		tree, found := values.Read(source.NewFile("v.yaml", text))
		if found = append(found, rules.Check(tree, own)...); found.Refused() {
			if refused := started(t, services, tree.Plain()); !refused.Refused() {
				t.Errorf("%s: the plugin alone refuses %v", text, found)
			}
			continue
		}
		taken++
		if found := started(t, services, tree.Plain()); found.Refused() {
			t.Errorf("%s: the operator alone refuses %v", text, found)
		}
	}
	if taken < 20 {
		t.Errorf("%d are taken", taken)
	}
}

// agreed are values around the bounds.
func agreed() []string {
	var out []string
	for _, endpoint := range []string{"", "http://otel:4317", "https://otel", "http://[::1]:20491/v1", "http://otel:20490", "http://otel.obs.svc:15012/"} {
		for _, port := range []int{1024, 4317, 8080, 8081, 8443, 15012, 15013, 20490, 20491} {
			out = append(out, fmt.Sprintf("%s, observability: { otlpEndpoint: %q } }\nsandboxMount: { enabled: true, port: %d }\n", needs, endpoint, port))
		}
	}
	for _, period := range []string{"1s", "10m", "1h30m", "99999h", "99999h99999h", "999999m", "99999999s", "2562048h", "99999999h", "9999999999999999999s", "0s", "-1m", "1", "1d"} {
		out = append(out, fmt.Sprintf("%s }\noperator: { syncPeriod: %q }\n", needs, period))
		out = append(out, fmt.Sprintf("%s }\noperator: { configOverrides: { internal/operator: { syncPeriod: %q } } }\n", needs, period))
	}
	for _, cidr := range []string{"203.0.113.0/28", "10.0.0.0/8", "2001:db8::/32", "0.0.0.0/0", "::/0", "foo", ""} {
		out = append(out, fmt.Sprintf("%s }\noperator: { configOverrides: { internal/operator: { collectorCIDRs: [%q] } } }\n", needs, cidr))
	}
	return out
}

const needs = "frontendHost: example.com\nglobal: { trustDomain: example.com"

// started is what the operator says of its config files, as the chart makes them.
func started(t *testing.T, services *chart.Chart, given map[string]any) faults.List {
	t.Helper()
	_, found := settings.Load(modules(t, services, given, "kora-operator"), settings.Folder)
	return found
}

// modules are the config files of a service, as the chart makes them.
func modules(t *testing.T, services *chart.Chart, given map[string]any, workload string) fstest.MapFS {
	t.Helper()
	out, err := helmtest.Render(t, services, given)
	if err != nil {
		t.Fatalf("%v of\n%v", err, given)
	}
	folder := fstest.MapFS{}
	for document := range strings.SplitSeq(out["kora/templates/services.yaml"], "\n---\n") {
		var o struct {
			Kind     string
			Metadata struct{ Name string }
			Data     map[string]string
		}
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		if o.Kind != "ConfigMap" || o.Metadata.Name != workload {
			continue
		}
		for key, text := range o.Data {
			name := strings.ReplaceAll(strings.TrimSuffix(key, ".yaml"), ".", "/") + ".yaml"
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	if len(folder) == 0 {
		t.Fatalf("%s has no config files", workload)
	}
	return folder
}

// configs is the chart with the services' ConfigMaps alone.
func configs(t *testing.T) *chart.Chart {
	t.Helper()
	return helmtest.Chart(t, "templates/services.yaml")
}

func embedded(t *testing.T) rules.Chart {
	t.Helper()
	own, err := rules.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// releases are those of testdata, over the first of them.
func releases(t *testing.T) map[string]*values.Tree {
	t.Helper()
	const folder = "../../../testdata/releases/"
	paths, err := filepath.Glob(folder + "*/values.yaml")
	if err != nil || len(paths) < 7 {
		t.Fatalf("%v, %v", paths, err)
	}
	out := map[string]*values.Tree{}
	for _, path := range paths {
		in := values.Input{Files: []string{folder + "kora/values.yaml", path}}
		if theme := filepath.Dir(path) + "/theme.yaml"; exists(theme) {
			in.Flags = []values.Flag{{Kind: values.SetFile, Text: "theme.document=" + theme}}
		}
		tree, found := values.Load(in)
		if found.Refused() {
			t.Fatal(found)
		}
		out[path] = tree
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
