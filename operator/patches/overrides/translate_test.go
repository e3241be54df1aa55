package overrides

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
)

const version = "1.4.0"

// one translates a single variable.
func one(t testing.TB, name, value string) (*Patch, faults.List) {
	t.Helper()
	list, found := Translate([]Variable{{Name: name, Value: value}}, version)
	if len(list)+len(found) != 1 {
		t.Fatalf("%s: %d patches and %d faults, want one of either", name, len(list), len(found))
	}
	if len(list) == 0 {
		return nil, found
	}
	return &list[0], nil
}

// render compiles and renders the patches for an agent type as kora would.
func render(t testing.TB, list []Patch, slug string) []*patches.Object {
	t.Helper()
	var entries []patches.Entry
	for _, p := range list {
		docs, found := source.Parse(source.NewFile(p.Key+".yaml", p.Text), source.DefaultLimits)
		if len(found) > 0 || len(docs) != 1 {
			t.Fatalf("%s: %d documents, %v\n%s", p.Key, len(docs), found, p.Text)
		}
		entries = append(entries, patches.Entry{Key: p.Key, Node: docs[0]})
	}
	entries, found := patches.Join(entries)
	set, more := patches.Compile(entries)
	result, last := set.Render(settings(version, slug))
	for _, f := range append(append(found, more...), last...) {
		if f.Severity == faults.Error {
			t.Fatalf("refused: %+v", f)
		}
	}
	return result.Objects
}

// written is every field that the patches changed, as "Kind path=value".
func written(objects []*patches.Object) string {
	var out []string
	for _, o := range objects {
		for _, w := range o.Writes {
			out = append(out, o.Kind+" "+string(w.Path)+"="+patches.Text(w.To))
		}
	}
	return strings.Join(out, "; ")
}

const (
	sts = "StatefulSet"
	pod = "spec.template.spec"
	sm  = "containers[name=session-manager]"
)

// R17: each row is a variable, and the one field that its patch changes.
func TestR17TranslatesTheFieldThatANameMeans(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		// the seven kinds, by name, in any case, and by kubectl's names
		{"StatefulSet__any__spec__template__spec__nodeSelector__disktype", "ssd", sts + " " + pod + ".nodeSelector.disktype=ssd"},
		{"statefulset__any__spec__minReadySeconds", "5", sts + " spec.minReadySeconds=5"},
		{"STATEFUL_SET__ANY__SPEC__MIN_READY_SECONDS", "5", sts + " spec.minReadySeconds=5"},
		{"sts__any__spec__podManagementPolicy", "OrderedReady", sts + " spec.podManagementPolicy=OrderedReady"},
		{"Service__any__spec__sessionAffinity", "ClientIP", "Service spec.sessionAffinity=ClientIP"},
		{"svc__any__spec__publishNotReadyAddresses", "true", "Service spec.publishNotReadyAddresses=true"},
		{"ServiceAccount__any__metadata__annotations__eks.amazonaws.com/role-arn", "arn:aws:iam::1:role/x", `ServiceAccount metadata.annotations["eks.amazonaws.com/role-arn"]=arn:aws:iam::1:role/x`},
		{"sa__agent__imagePullSecrets", `[{"name":"regcred"}]`, `ServiceAccount imagePullSecrets=[{"name":"regcred"}]`},
		{"sts__any__spec__template__spec__imagePullSecrets__regcred", "{}", sts + " " + pod + ".imagePullSecrets[name=regcred].name=regcred"},
		{"PersistentVolumeClaim__workspace__spec__storageClassName", "fast", "PersistentVolumeClaim spec.storageClassName=fast"},
		{"pvc__any__spec__resources__requests__storage", "50Gi", "PersistentVolumeClaim spec.resources.requests.storage=50Gi"},
		{"pvc__any__spec__accessModes", "[ReadWriteMany]", `PersistentVolumeClaim spec.accessModes=["ReadWriteMany"]`},
		{"HorizontalPodAutoscaler__any__spec__maxReplicas", "9", "HorizontalPodAutoscaler spec.maxReplicas=9"},
		{"hpa__any__spec__behavior__scaleDown__stabilizationWindowSeconds", "60", "HorizontalPodAutoscaler spec.behavior.scaleDown.stabilizationWindowSeconds=60"},
		{"PodDisruptionBudget__any__spec__maxUnavailable", "2", "PodDisruptionBudget spec.maxUnavailable=2"},
		{"pdb__any__spec__maxUnavailable", "50%", "PodDisruptionBudget spec.maxUnavailable=50%"},
		{"Pod__sandbox__spec__terminationGracePeriodSeconds", "3", "Pod spec.terminationGracePeriodSeconds=3"},
		{"po__any__spec__enableServiceLinks", "true", "Pod spec.enableServiceLinks=true"},
		// names of objects
		{"StatefulSet__agent-coder__spec__minReadySeconds", "5", sts + " spec.minReadySeconds=5"},
		{"StatefulSet__AGENT_CODER__spec__minReadySeconds", "5", sts + " spec.minReadySeconds=5"},
		{"StatefulSet__coder__spec__minReadySeconds", "5", sts + " spec.minReadySeconds=5"},
		{"StatefulSet____spec__minReadySeconds", "5", sts + " spec.minReadySeconds=5"},
		{"pvc__workspace-agent-coder-0__spec__storageClassName", "fast", "PersistentVolumeClaim spec.storageClassName=fast"},
		{"Pod__sandbox-coder__spec__activeDeadlineSeconds", "5", "Pod spec.activeDeadlineSeconds=5"},
		// dotted paths, brackets, and both styles in one
		{"StatefulSet__any__spec.template.spec.priorityClassName", "high", sts + " " + pod + ".priorityClassName=high"},
		{`StatefulSet__any__spec.template.metadata.annotations["example.com/a.b"]`, "x", sts + ` spec.template.metadata.annotations["example.com/a.b"]=x`},
		{"StatefulSet__any__spec.template.metadata.annotations.example.com/team", "x", sts + ` spec.template.metadata.annotations["example.com/team"]=x`},
		{"StatefulSet__any__spec.template.spec.containers[0].image", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"StatefulSet__any__spec.template.spec.containers[name=session-manager].image", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"StatefulSet__any__spec__template__spec__containers[0]__image", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"StatefulSet__any__spec__template__metadata__annotations__a__b", "x", sts + " spec.template.metadata.annotations.a__b=x"},
		// items of lists
		{"StatefulSet__any__spec__template__spec__containers__session-manager__image", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"STS__ANY__SPEC__TEMPLATE__SPEC__CONTAINERS__SESSION_MANAGER__IMAGE", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"StatefulSet__any__spec__template__spec__containers__0__image", "r/i:1", sts + " " + pod + "." + sm + ".image=r/i:1"},
		{"StatefulSet__any__spec__template__spec__containers__session-manager__env__HOME__value", "/x", sts + " " + pod + "." + sm + ".env[name=HOME].value=/x"},
		{"StatefulSet__any__spec__template__spec__containers__session-manager__env__home__value", "/x", sts + " " + pod + "." + sm + ".env[name=home].name=home; " + sts + " " + pod + "." + sm + ".env[name=home].value=/x"},
		{"StatefulSet__any__spec__template__spec__containers__session-manager__ports__8080__name", "web", sts + " " + pod + "." + sm + ".ports[containerPort=8080].name=web"},
		{"StatefulSet__any__spec__template__spec__containers__session-manager__ports__0__name", "web", sts + " " + pod + "." + sm + ".ports[containerPort=8080].name=web"},
		{"Service__any__spec__ports__http__targetPort", "8081", "Service spec.ports[port=8080].targetPort=8081"},
		{"StatefulSet__any__spec__template__spec__containers__session-manager__ports__9000__name", "x", sts + " " + pod + "." + sm + ".ports[containerPort=9000].containerPort=9000; " + sts + " " + pod + "." + sm + ".ports[containerPort=9000].name=x"},
		{"StatefulSet__any__spec__template__spec__topologySpreadConstraints__0__maxSkew", "2", sts + " " + pod + ".topologySpreadConstraints[topologyKey=kubernetes.io/hostname][whenUnsatisfiable=ScheduleAnyway].maxSkew=2"},
		{"StatefulSet__any__spec__template__spec__volumes__scratch__emptyDir__sizeLimit", "5Gi", sts + " " + pod + ".volumes[name=scratch].emptyDir.sizeLimit=5Gi"},
		// values by the type of the field
		{"Pod__any__spec__containers__sandbox__resources__limits__cpu", "3", "Pod spec.containers[name=sandbox].resources.limits.cpu=3"},
		{"POD__ANY__SPEC__CONTAINERS__SANDBOX__RESOURCES__LIMITS__EPHEMERAL_STORAGE", "20Gi", "Pod spec.containers[name=sandbox].resources.limits.ephemeral-storage=20Gi"},
		{"StatefulSet__any__spec__template__spec__tolerations", `[{"key":"gpu","operator":"Exists"}]`, sts + " " + pod + `.tolerations=[{"key":"gpu","operator":"Exists"}]`},
		{"StatefulSet__any__spec__template__spec__nodeSelector", "a: b\nc: 'true'", sts + " " + pod + ".nodeSelector.a=b; " + sts + " " + pod + ".nodeSelector.c=true"},
		{"StatefulSet__any__spec__template__metadata__annotations__on", "on", sts + " spec.template.metadata.annotations.on=on"},
		{"StatefulSet__any__spec__template__metadata__annotations__n", "010", sts + " spec.template.metadata.annotations.n=010"},
		{"StatefulSet__any__spec__minReadySeconds", " 010 ", sts + " spec.minReadySeconds=10"},
		{"StatefulSet__any__spec__template__spec__securityContext__fsGroup", "2000", sts + " " + pod + ".securityContext.fsGroup=2000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, found := one(t, Prefix+c.name, c.value)
			if p == nil {
				t.Fatalf("untranslated: %s (%s; %s)", found[0].Message, found[0].Expected, found[0].Fix)
			}
			if got := written(render(t, []Patch{*p}, "coder")); got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, p.Text)
			}
		})
	}
}

// R17: a patch for one agent type leaves the others alone.
func TestR17AnObjectsNameBecomesTheTarget(t *testing.T) {
	for name, want := range map[string]string{
		"StatefulSet__agent-coder__spec__minReadySeconds":              "name: agent-coder\n",
		"pvc__agent-coder__spec__storageClassName":                     "name: workspace-agent-coder-0\n",
		"Pod__sandbox-coder-sample__spec__priorityClassName":           `labelSelector: "runkora.io/agent-slug=coder"` + "\n",
		"ServiceAccount__coder__metadata__annotations__example.com/id": "name: agent-coder\n",
	} {
		p, found := one(t, Prefix+name, "7")
		if p == nil {
			t.Errorf("%s: %s", name, found[0].Message)
			continue
		}
		if !strings.Contains(p.Text, want) || written(render(t, []Patch{*p}, "coder")) == "" || written(render(t, []Patch{*p}, "other")) != "" {
			t.Errorf("%s: want %s\n%s", name, want, p.Text)
		}
	}
}

// R17: patches are judged together. A sandbox may be placed as its
// session-manager is, and a container may be added by several variables.
func TestR17PatchesAreProvedTogether(t *testing.T) {
	selector := Variable{Name: Prefix + "Pod__any__spec__nodeSelector__disktype", Value: "ssd"}
	list, found := Translate([]Variable{selector}, version)
	if len(list) != 0 || len(found) != 1 || !strings.Contains(found[0].Message, "placed apart") {
		t.Errorf("a split placement alone: %d patches, %v", len(list), found)
	}
	list, found = Translate([]Variable{selector, {Name: Prefix + "StatefulSet__any__spec__template__spec__nodeSelector__disktype", Value: "ssd"}}, version)
	if len(list) != 2 || len(found) != 0 {
		t.Errorf("placed alike: %d patches, %v", len(list), found)
	}
	const proxy = Prefix + "StatefulSet__any__spec__template__spec__containers__proxy__"
	context := Variable{Name: proxy + "securityContext", Value: "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}"}
	image := Variable{Name: proxy + "image", Value: "r/proxy:1"}
	if list, found = Translate([]Variable{image, context}, version); len(list) != 2 || len(found) != 0 {
		t.Errorf("a whole container: %d patches, %v", len(list), found)
	}
	if list, found = Translate([]Variable{image}, version); len(list) != 0 || len(found) != 1 {
		t.Errorf("half a container: %d patches, %v", len(list), found)
	}
}

// R12, R17: the bytewise order of the keys is that of the variables' names.
func TestR17KeysSortAsTheVariablesDo(t *testing.T) {
	var vars []Variable
	for _, letter := range strings.Split("zyxwvutsrqponmlkjihgfedcba", "") {
		for _, more := range []string{"", "a", "b", "c"} {
			vars = append(vars, Variable{Name: Prefix + "sts__any__metadata__annotations__" + letter + more, Value: "x"})
		}
	}
	list, found := Translate(vars, version)
	if len(list) != len(vars) || len(found) > 0 {
		t.Fatalf("%d patches, %v", len(list), found)
	}
	for i := 1; i < len(list); i++ {
		if list[i-1].Key >= list[i].Key || list[i-1].Variable.Name >= list[i].Variable.Name {
			t.Errorf("%s before %s", list[i-1].Key, list[i].Key)
		}
	}
	if list[0].Key != "0010-statefulset-annotations-a" {
		t.Errorf("the first key is %s", list[0].Key)
	}
}
