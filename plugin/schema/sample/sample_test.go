package sample

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/plugin/schema/rules"
)

// R20: values from some hundred seeds are taken, differ from one another, and are
// the same again from the same seed; together they set nearly everything.
func TestValuesAreTaken(t *testing.T) {
	chart, err := rules.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	texts, set := map[string]bool{}, map[string]bool{}
	for seed := range uint64(300) {
		made, err := Values(seed, chart)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if found, err := refusals(made, chart); err != nil || found.Refused() {
			t.Errorf("seed %d: %v, %v", seed, found, err)
		}
		text, err := yaml.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		texts[string(text)] = true
		if again, err := once(seed, chart, string(text)); err != nil || again != string(text) {
			t.Fatalf("seed %d: %v (-once +again):\n%s", seed, err, cmp.Diff(string(text), again))
		}
		leaves(made, "", set)
	}
	if len(texts) < 290 {
		t.Errorf("%d different values of 300", len(texts))
	}
	for _, path := range []string{
		".agents.workspace.size", ".agents.sandboxWarming.mode", ".agents.environments.maxSize.cpu", ".config.db.port", ".gateway.create",
		".networkPolicy.externalServices", ".agents.manifestPatches", ".theme.document", ".policyService.extraEnv",
		".policyService.configOverrides.internal/platform/observability.logLevel", ".policyService.autoscaling.maxReplicas",
	} {
		if !set[path] {
			t.Errorf("no seed sets %s", path)
		}
	}
	if len(set) < 200 {
		t.Errorf("only %d values are ever set", len(set))
	}
}

// once makes every tenth text again.
func once(seed uint64, chart rules.Chart, text string) (string, error) {
	if seed%10 != 0 {
		return text, nil
	}
	return Text(seed, chart)
}

func leaves(v any, path string, into map[string]bool) {
	into[path] = true
	if m, ok := v.(map[string]any); ok {
		for k, below := range m {
			leaves(below, path+"."+k, into)
		}
	}
}

// A schema that is none gives no values.
func TestNoSchemaGivesNoValues(t *testing.T) {
	for _, text := range []string{"", "[]", `{"type": "string", "enum": ["a"]}`} {
		if made, err := Values(1, rules.Chart{Schema: []byte(text)}); err == nil {
			t.Errorf("%q gives %v", text, made)
		}
	}
}
