package overrides

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const secret = "hunter2-s3cret"

// R17: each reason for leaving a variable alone, in words that help.
func TestR17SaysWhyAVariableIsNotTranslated(t *testing.T) {
	for _, c := range []struct{ name, value, why, fix string }{
		// names
		{"StatefulSet", "x", "no kind and no path", ""},
		{"StatefulSet__any", "x", "no path to a field", ""},
		{"StatefulSet__any__", "x", "no path to a field", ""},
		{"__any__spec", "x", "no kind and no path", ""},
		{"Deployment__any__spec__replicas", "3", `no "Deployment" that could be patched`, ""},
		{"StatefulSets__any__spec__replicas", "3", `no "StatefulSets"`, "did you mean StatefulSet?"},
		{"StatefulSet__sandbox-coder__spec__replicas", "3", "no StatefulSet of kora is called sandbox-coder", ""},
		{"StatefulSet__sandbox__spec__replicas", "3", "no StatefulSet of the name sandbox", "which kind"},
		{"Pod__session-manager__spec__priority", "3", "no Pod of the name session-manager", ""},
		{"Pod__agent-coder-0__spec__priority", "3", "no Pod of kora is called agent-coder-0", "patch the StatefulSet"},
		{"pvc__workspace-agent-coder-1__spec__storageClassName", "x", "come from one template", "replica 0"},
		{"StatefulSet__coder-__spec__replicas", "3", "no name of an object", ""},
		{"StatefulSet__co!der__spec__replicas", "3", "a character that no variable's name has", "correct the name"},
		// paths
		{"StatefulSet__any__spec__replica", "3", `StatefulSetSpec has no field "replica"`, `did you mean "replicas"?`},
		{"StatefulSet__any__spec__replicas__x", "3", "spec.replicas is a whole number, with no field in it", ""},
		{"StatefulSet__any__spec__replicas__", "3", "does not end in a field", ""},
		{"StatefulSet__any__spec____replicas", "3", "a step of its path is empty", ""},
		{"StatefulSet__any__spec[replicas", "3", "bracket in its path is not closed", ""},
		{"StatefulSet__any__spec__template__spec__tolerations__0__key", "x", "replaces spec.template.spec.tolerations as a whole", "write the whole list"},
		{"StatefulSet__any__spec__volumeClaimTemplates__0__spec__storageClassName", "x", "claim is a patch target of its own", "PersistentVolumeClaim"},
		{"StatefulSet__any__spec__template__spec__containers__7__image", "x", "there is no item 7: kora builds 1", "name the item by its name"},
		{"StatefulSet__any__spec__template__spec__initContainers__0__image", "x", "there is no item 0: kora builds 0", ""},
		{"StatefulSet__any__spec__template__spec__containers__0__volumeMounts__scratch__readOnly", "true", `2 items of spec.template.spec.containers[name=session-manager].volumeMounts are called "scratch"`, "mountPath"},
		{"StatefulSet__any__spec__template__spec__topologySpreadConstraints__zone__maxSkew", "2", "the name alone does not make one", ""},
		{"StatefulSet__any__spec__template__spec__containers__0__ports__grpc__hostPort", "2", `no item "grpc"`, ""},
		{"StatefulSet__any__spec__template__spec__containers__0__name", "other", "tells the item from the others", ""},
		{"STATEFULSET__ANY__SPEC__TEMPLATE__SPEC__NODE_SELECTOR__DISKTYPE", "ssd", `the case of the key "DISKTYPE"`, "spell the key"},
		{"StatefulSet__any__spec__template__spec__nodeSelector__$patch", "delete", "a character that no variable's name has", ""},
		// values
		{"StatefulSet__any__spec__minReadySeconds", secret, "does not fit the field", ""},
		{"StatefulSet__any__spec__minReadySeconds", "3000000000", "does not fit the field", ""},
		{"StatefulSet__any__spec__minReadySeconds", "", "does not fit the field", ""},
		{"Pod__any__spec__enableServiceLinks", "yes", "does not fit the field", ""},
		{"pvc__any__spec__resources__requests__storage", secret, "does not fit the field", ""},
		{"StatefulSet__any__spec__template__spec__tolerations", "{" + secret, "not YAML", ""},
		{"StatefulSet__any__spec__template__spec__tolerations", "", "not one document", ""},
		{"StatefulSet__any__spec__template__spec__tolerations", "a: 1\n---\nb: 1", "not one document", ""},
		{"StatefulSet__any__spec__template__spec__tolerations", "[{kei: x}]", "a field that the type does not have", `did you mean "key"?`},
		{"StatefulSet__any__spec__template__spec__tolerations", "[{" + secret + ": x}]", "a field that the type does not have", ""},
		{"StatefulSet__any__spec__template__spec__tolerations", secret, "does not fit the field", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "{a: on}", "takes for a boolean", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "{a: 1, a: 2}", "a key twice", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "{a: 1}", "does not fit the field", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "{$patch: delete}", "a directive", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "{a: null}", "would remove the field", ""},
		{"StatefulSet__any__spec__template__spec__nodeSelector", strings.Repeat("[", 200), "not YAML", ""},
		{"StatefulSet__any__spec__template__spec__priorityClassName", "\xff" + secret, "not text in UTF-8", ""},
		// what kora refuses
		{"StatefulSet__any__metadata__name", secret, "the identity of an object", ""},
		{"StatefulSet__any__metadata__namespace", secret, "the identity of an object", ""},
		{"StatefulSet__any__kind", secret, "the identity of an object", ""},
		{"StatefulSet__any__spec__serviceName", secret, "the identity of an object", "remove the variable"},
		{"StatefulSet__any__spec__template__spec__securityContext__runAsUser", "0", "the security context", "remove the variable"},
		{"StatefulSet__any__spec__template__spec__hostNetwork", "true", "open the node's namespaces", ""},
		{"StatefulSet__any__spec__template__spec__serviceAccountName", secret, "service account", ""},
		{"StatefulSet__any__metadata__labels__runkora.io/agent-type", secret, "that kora owns", ""},
		{"StatefulSet__any__spec__template__spec__volumes__x__hostPath__path", secret, "a folder of the node", ""},
		{"StatefulSet__any__spec__template__spec__containers__evil__image", secret, "an added container must be restricted", ""},
		{"Service__any__spec__type", "ExternalName", "headless", ""},
		{"pvc__any__spec__accessModes", "[ReadWriteOncePod]", "both mount the workspace", ""},
		{"Pod__any__spec__nodeName", secret, "passes the scheduler by", ""},
		{"StatefulSet__any__status__replicas", "3", "the cluster writes this field", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, found := one(t, Prefix+c.name, c.value)
			if p != nil {
				t.Fatalf("translated:\n%s", p.Text)
			}
			f := found[0]
			if f.Code != faults.EnvUntranslated || f.Severity != faults.Error || !strings.Contains(f.Message, Prefix) {
				t.Errorf("not the fault of a variable: %+v", f)
			}
			if !strings.Contains(f.Message, c.why) || !strings.Contains(f.Fix, c.fix) || f.Fix == "" {
				t.Errorf("got  %q, fix %q\nwant %q, fix %q", f.Message, f.Fix, c.why, c.fix)
			}
			if text := fmt.Sprintf("%+v", f); strings.Contains(text, secret) {
				t.Errorf("the value is told: %s", text)
			}
		})
	}
}

// R17: a variable without a plain value is named with where the value is.
func TestR17SaysWhyThereIsNoValue(t *testing.T) {
	v := Variable{Name: Prefix + "sts__any__spec__minReadySeconds", Unreadable: "its value comes from key a of Secret b"}
	list, found := Translate([]Variable{v}, version)
	if len(list) != 0 || len(found) != 1 || !strings.Contains(found[0].Message, "key a of Secret b") {
		t.Errorf("%d patches, %+v", len(list), found)
	}
}

// R17: of one variable with two values the last one counts, and that is said.
func TestR17TheLastOfTwoValuesCounts(t *testing.T) {
	const name = Prefix + "sts__any__spec__minReadySeconds"
	f := source.NewFile("a.env", "")
	twice := []Variable{{Name: name, Value: "1", Pos: f.At(1, 1)}, {Name: name, Value: "2", Pos: f.At(2, 1)}}
	list, found := Translate(twice, version)
	if len(list) != 1 || !strings.Contains(list[0].Text, "minReadySeconds: 2") {
		t.Errorf("got %+v", list)
	}
	if len(found) != 1 || found.Refused() || found[0].Line != 1 || !strings.Contains(found[0].Expected, "a.env:2") {
		t.Errorf("got %+v", found)
	}
	if _, found = Translate([]Variable{twice[0], twice[0]}, version); len(found) != 0 {
		t.Errorf("the same twice: %+v", found)
	}
}

// R17: what cannot be kept in bounds is refused at once.
func TestR17TooManyVariablesAreRefused(t *testing.T) {
	var vars []Variable
	for i := range 1001 {
		vars = append(vars, Variable{Name: fmt.Sprintf("%ssts__any__metadata__labels__a%d", Prefix, i)})
	}
	if list, found := Translate(vars, version); len(list) != 0 || len(found) != 1 || found[0].Code != faults.PatchLimit {
		t.Errorf("%d patches, %v", len(list), found)
	}
}

// R17: whom to blame for what very many patches do together is not searched for.
func TestR17ManyDoubtfulPatchesAreJudgedAlone(t *testing.T) {
	var vars []Variable
	for i := range maxDoubtful + 1 {
		vars = append(vars, Variable{Name: fmt.Sprintf("%sPod__any__spec__nodeSelector__a%d", Prefix, i), Value: "x"})
	}
	vars = append(vars, Variable{Name: Prefix + "hpa__any__spec__maxReplicas", Value: "9"})
	if list, found := Translate(vars, version); len(list) != 1 || len(found) != maxDoubtful+1 {
		t.Errorf("%d patches, %d faults", len(list), len(found))
	}
}
