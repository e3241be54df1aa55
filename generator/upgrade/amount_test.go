package upgrade

import (
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R56: a quantity in other words is no change, wherever one stands; another one is.
func TestQuantitiesAreComparedByTheirAmount(t *testing.T) {
	workspace := func(size string) string {
		return same + "agents: { workspace: { size: " + size + " } }\n"
	}
	patch := func(text string) string {
		return same + "agents:\n  manifestPatches:\n    10-a:\n      target: { kind: PersistentVolumeClaim }\n      patch: |\n        " + text + "\n"
	}
	merge := func(size string) string { return patch("{spec: {resources: {requests: {storage: " + size + "}}}}") }
	operation := func(size string) string {
		return patch("[{op: replace, path: /spec/resources/requests/storage, value: " + size + "}]")
	}
	whole := func(size string) string {
		return patch("[{op: add, path: /spec/resources, value: {limits: {storage: " + size + "}}}]")
	}
	for name, write := range map[string]func(string) string{"workspace": workspace, "merge": merge, "operation": operation, "resources": whole} {
		for _, words := range []string{"10Gi", "10240Mi", "10737418240", "'10737418240'", "10737418240000m"} {
			if _, found := Make(request(t, "1.3.2", "1.4.0", write("10Gi"), write(words))); len(found) != 0 {
				t.Errorf("%s %s: %+v", name, words, found)
			}
		}
		for _, words := range []string{"10G", "11Gi", "1", "''"} {
			if _, found := Make(request(t, "1.3.2", "1.4.0", write("10Gi"), write(words))); len(found) != 1 || found[0].Code != faults.ClaimsMove {
				t.Errorf("%s %s: %+v", name, words, found)
			}
		}
	}
	name := func(class string) string { return patch("{spec: {storageClassName: '" + class + "'}}") }
	if _, found := Make(request(t, "1.3.2", "1.4.0", name("1024"), name("1Ki"))); len(found) != 1 {
		t.Error("a name is taken for a quantity")
	}
}

// A number of Helm's records, which are JSON, is what YAML has.
func TestAmountsOfRecords(t *testing.T) {
	for _, v := range []any{float64(10737418240), int64(10737418240), "10Gi"} {
		if got := amount(v); got != "10737418240" {
			t.Errorf("%v: %v", v, got)
		}
	}
	if got := amount([]any{"a"}); len(got.([]any)) != 1 {
		t.Error(got)
	}
}
