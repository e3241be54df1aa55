package overrides

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/faults"
)

// R17: a name is shown up to the first character that no name has.
func TestR17ANameIsShownUpToWhatNoNameHas(t *testing.T) {
	for name, want := range map[string]string{
		"a__b-c.d/e": "a__b-c.d/e", `sts__any__spec["a"][name=x]["b.c/d"]`: `sts__any__spec["a"][name=x]["b.c/d"]`, `a[name="x"]__b`: `a[name="x"]__b`, "a__*__b": "a__*__b",
		"a b": "a…", "a\tb": "a…", "a:b": "a…", "a=b": "a…", "a->b": "a-…", "a$b": "a…", "a'b": "a…", `a"b`: "a…", `a["b"c`: `a["b…`, "a{b": "a…", "a[{b": "a[…",
		"a\nb": "a…", "a\x1bb": "a…", "aéb": "a…", "a\u202eb": "a…", "a]b": "a…", "a[b[c": "a[b…", "a,b": "a…", "a|b": "a…", "a#b": "a…", "a@b": "a…", "": "",
		strings.Repeat("a", 400): strings.Repeat("a", 300-len(Prefix)) + "…",
	} {
		if got := Shown(Prefix + name); got != Prefix+want {
			t.Errorf("%q: got %q, want %q", name, got, Prefix+want)
		}
	}
}

// planted are files that hold the secret where a value may stand, or where
// somebody put one by mistake.
var planted = map[string]string{
	"a.env": strings.Join([]string{
		"KORA_MANIFEST__bad line " + secret, "KORA_MANIFEST__sts__any__spec__minReadySeconds " + secret, "KORA_MANIFEST__sts__any__spec__minReadySeconds\t" + secret,
		"KORA_MANIFEST__sts__any__spec__minReadySeconds: " + secret, "KORA_MANIFEST__sts__any__spec__minReadySeconds:" + secret, "KORA_MANIFEST__a " + secret + "==",
		"KORA_MANIFEST__a '" + secret + "'", `KORA_MANIFEST__a"` + secret + `"`, "export KORA_MANIFEST__a->" + secret, "KORA_MANIFEST__a[" + secret + "]", "KORA_MANIFEST__a/" + secret,
		"KORA_MANIFEST__sts__any__spec__minReadySeconds=" + secret, "KORA_MANIFEST__sts__any__spec__nope='" + secret, `KORA_MANIFEST__sts__any__spec__nope="` + secret,
		"KORA_MANIFEST__sts__any__metadata__labels__a " + secret + "=x", "KORA_MANIFEST__" + " " + secret, "KORA_MANIFEST__ " + secret + " = x",
	}, "\n"),
	"first": "KORA_MANIFEST__bad " + secret + "\nKORA_MANIFEST__b=" + secret,
	"a.yaml": "env:\n- {name: KORA_MANIFEST__a " + secret + "}\n- {name: KORA_MANIFEST__a=" + secret + "}\n- {name: KORA_MANIFEST__sts__any__spec__replicaz, value: " + secret + "}\n" +
		"data:\n  KORA_MANIFEST__a " + secret + ": x\n  KORA_MANIFEST__b: [" + secret + "]\n  KORA_MANIFEST__sts__any__spec__minReadySeconds: " + secret + "\n",
	"anchor.yaml":    "KORA_MANIFEST__a: *" + secret + "\n",
	"tag.yaml":       "KORA_MANIFEST__a: !" + secret + " x\n",
	"tag2.yaml":      "KORA_MANIFEST__a: !" + secret + "\n",
	"directive.yaml": "%" + secret + "\n---\na: b\n",
	"twice.yaml":     "? " + secret + "\n: a\n? " + secret + "\n: b\n",
	"broken.yaml":    "KORA_MANIFEST__a: " + secret + ": b\n",
	"quote.yaml":     "KORA_MANIFEST__a: \"" + secret + "\n",
	"escape.yaml":    "KORA_MANIFEST__a: \"\\" + secret + "\"\n",
	"tab.yaml":       "a:\n\t" + secret + "\n",
	"alias.yaml":     "KORA_MANIFEST__a: &" + secret + " [*" + secret + "]\n",
}

// R17: whatever form a file has, no fault tells a value, in words or as JSON.
func TestR17NoValueIsEverTold(t *testing.T) {
	for name, text := range planted {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		vars, found := FromFile(path, nil)
		list, more := Translate(vars, version)
		if len(list) > 0 {
			t.Errorf("%s: translated %q", name, list[0].Text)
		}
		if len(found)+len(more) == 0 && name != "directive.yaml" {
			t.Errorf("%s: nothing is told", name)
		}
		untold(t, name, append(found, more...))
	}
}

// R17: nor does one of what kora refuses in a patch, wherever the value has it.
func TestR17NoPartOfAValueIsEverTold(t *testing.T) {
	for _, c := range [][2]string{
		{"sts__any__spec__template__spec__containers", "[{name: " + secret + ", image: " + secret + "}]"},
		{"sts__any__spec__template__spec__containers", "[{name: session-manager, image: " + secret + ", volumeMounts: [{name: " + secret + ", mountPath: /" + secret + "}]}]"},
		{"sts__any__spec__template__spec__initContainers", "[{name: " + secret + ", securityContext: {privileged: true}}]"},
		{"sts__any__spec__template__spec__volumes", "[{name: " + secret + ", hostPath: {path: /" + secret + "}}]"},
		{"sts__any__spec__template__spec__volumes", "[{name: " + secret + ", persistentVolumeClaim: {claimName: " + secret + "}}]"},
		{"sts__any__spec__template__spec__tolerations", "[{operator: " + secret + "}]"},
		{"sts__any__spec__template__spec__tolerations", "[{key: a, effect: " + secret + "}]"},
		{"sts__any__spec__template__spec__nodeSelector", "{runkora.io/" + secret + ": " + secret + "}"},
		{"sts__any__spec__template__metadata__annotations", "{sidecar.istio.io/" + secret + ": " + secret + "}"},
		{"sts__any__spec__template__metadata__labels", "{runkora.io/agent-slug: " + secret + "}"},
		{"sts__any__spec__template__spec__securityContext", "{sysctls: [{name: " + secret + ", value: " + secret + "}]}"},
		{"sts__any__spec__template__spec__dnsPolicy", secret},
		{"sts__any__spec__template__spec__serviceAccountName", secret},
		{"sts__any__spec__template__spec__affinity", "{nodeAffinity: {" + secret + ": {}}}"},
		{"sts__any__spec__updateStrategy", "{type: " + secret + "}"},
		{"pod__any__spec__nodeSelector", "{" + secret + ": " + secret + "}"},
		{"pod__any__spec__nodeName", secret},
		{"pod__any__metadata__annotations", "{eks.amazonaws.com/" + secret + ": " + secret + "}"},
		{"pvc__any__spec__accessModes", "[" + secret + "]"},
		{"pvc__any__spec__resources__requests__storage", "1e999999999"},
		{"svc__any__spec__type", secret},
		{"svc__any__spec__ports", "[{name: " + secret + ", port: 99999999}]"},
		{"hpa__any__spec__scaleTargetRef", "{kind: " + secret + ", name: " + secret + "}"},
	} {
		_, found := Translate([]Variable{{Name: Prefix + c[0], Value: c[1]}}, version)
		untold(t, c[0]+"="+c[1], found)
	}
}

func untold(t *testing.T, name string, found faults.List) {
	t.Helper()
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		text = append(text, f.Source...)
	}
	if strings.Contains(strings.ToLower(string(text)), secret) {
		t.Errorf("%s: the value is told: %s", name, text)
	}
}

// R17: many variables for many agent types are translated in seconds, or
// refused at once with what to do.
func TestR17VariablesOfManyAgentTypesAreBounded(t *testing.T) {
	var own, all []Variable
	for i := range 500 {
		own = append(own, Variable{Name: fmt.Sprintf("%spdb__agent-t%d__spec__maxUnavailable", Prefix, i), Value: "1"})
		all = append(all, Variable{Name: fmt.Sprintf("%ssts__any__spec__template__metadata__annotations__a%d", Prefix, i), Value: "1"})
	}
	start := time.Now()
	list, found := Translate(append(all, own...), version)
	if len(list) != 0 || len(found) != 1 || found[0].Code != faults.PatchLimit || found[0].Found != "1000 variables for 500 agent types" || found[0].Fix == "" {
		t.Errorf("%d patches, %+v", len(list), found)
	}
	if list, found := Translate(append(all[:5:5], own...), version); len(list) != 505 || len(found) > 0 {
		t.Errorf("%d patches, %d faults", len(list), len(found))
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// R17: what one agent type's patches do together is no matter of another's.
func TestR17ARefusalIsTriedAgainWhereItMatters(t *testing.T) {
	var vars []Variable
	for i := range 20 {
		vars = append(vars,
			Variable{Name: fmt.Sprintf("%spod__t%d__spec__nodeSelector__a", Prefix, i), Value: "x"},
			Variable{Name: fmt.Sprintf("%spdb__t%d__spec__maxUnavailable", Prefix, i), Value: "1"})
	}
	vars = append(vars, Variable{Name: Prefix + "sts__t3__spec__template__spec__nodeSelector__a", Value: "x"})
	list, found := Translate(vars, version)
	if len(list) != 22 || len(found) != 19 {
		t.Errorf("%d patches, %d faults", len(list), len(found))
	}
}
