package agreement

import (
	"encoding/json"
	"testing"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/source"
)

const whole = `trustDomain: td.example.com
frontendHost: kora.example.com
imagePullSecrets: [mirror]
istio: { revision: canary }
workspace:
  storageClassName: shared
nodePools:
  sandbox:
    nodeSelector: { tier: sandbox }
    tolerations: [{ key: tier, operator: Exists }]
`

// R38, R55: what an environment gives kora are values as the generated tree has
// them, and each stands where its fact does.
func TestValuesOfAnEnvironmentHaveItsPlaces(t *testing.T) {
	env, found := environment.ReadPlaced(source.NewFile("environments/mine.yaml", whole))
	if found.Refused() {
		t.Fatal(found)
	}
	root, err := Values(env)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(root.Any())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"agents":{"workloads":{"sandbox":{"nodeSelector":{"tier":"sandbox"},"tolerations":[{"key":"tier","operator":"Exists"}]},"sessionManager":{"nodeSelector":{}}},"workspace":{"storageClassName":"shared"}},"frontendHost":"kora.example.com","global":{"imagePullSecrets":["mirror"],"trustDomain":"td.example.com"},"istio":{"revision":"canary"},"spire":{"className":"spire-system-spire"}}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	at := func(keys ...string) source.Pos {
		n := root
		for _, key := range keys {
			n = n.Get(key)
		}
		return n.Pos
	}
	for line, pos := range map[int]source.Pos{
		1: at("global", "trustDomain"), 2: at("frontendHost"), 4: at("istio", "revision"), 6: at("agents", "workspace", "storageClassName"),
		9: at("agents", "workloads", "sandbox", "nodeSelector", "tier"), 10: root.Get("agents").Get("workloads").Get("sandbox").Get("tolerations").Items[0].Get("key").Pos,
		0: at("spire", "className"),
	} {
		if pos.File == nil || pos.File.Name != "environments/mine.yaml" || pos.Line != line {
			t.Errorf("want line %d of environments/mine.yaml, got %+v", line, pos)
		}
	}
}
