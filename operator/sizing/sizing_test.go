package sizing

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

func list(cpu, memory, disk string) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
		corev1.ResourceEphemeralStorage: resource.MustParse(disk),
	}
}

func node(name string, labels map[string]string, allocatable corev1.ResourceList) corev1.Node {
	return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Status: corev1.NodeStatus{
		Allocatable: allocatable, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
	}}
}

// owned is a pod of a controller of this kind.
func owned(kind, on string, requests corev1.ResourceList) corev1.Pod {
	yes := true
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: kind, Controller: &yes}}},
		Spec:       corev1.PodSpec{NodeName: on, Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: requests}}}},
	}
}

// waiting is a DaemonSet's pod that the scheduler did not bind yet.
func waiting(on string, requests corev1.ResourceList) corev1.Pod {
	p := owned("DaemonSet", "", requests)
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{on}}}}},
	}}}
	return p
}

func wanted(t *testing.T) Sandbox {
	t.Helper()
	s := agents.Defaults("1.4.0")
	s.Slug, s.Namespace = "coder", "kora-tenant-x"
	return Wanted(s, s.SandboxSize, agents.Build(s).Sandbox)
}

// R10: the worked example of D, "Sandbox images and environments".
func TestTheWorkedExample(t *testing.T) {
	r := Judge(Request{
		Nodes:  []corev1.Node{node("a", nil, list("3900m", "14Gi", "20Gi"))},
		Pods:   []corev1.Pod{owned("DaemonSet", "a", list("500m", "1Gi", "0"))},
		Wanted: wanted(t),
	})
	if got := *r.Pools[0].MaxSize; got != (Values{"2.5", "12.6Gi", "19Gi"}) {
		t.Errorf("the largest sandbox is %+v", got)
	}
	if got := *r.Pools[0].Offer; got != (Values{"2", "12Gi", "19Gi"}) {
		t.Errorf("the offer is %+v", got)
	}
}

// R10: only pods of DaemonSets count, each once, also before it is bound; a
// finished one does not.
func TestWhatCountsOnANode(t *testing.T) {
	done := owned("DaemonSet", "a", list("1", "1Gi", "1Gi"))
	done.Status.Phase = corev1.PodFailed
	pods := []corev1.Pod{owned("DaemonSet", "a", list("100m", "1Gi", "1Gi")), waiting("a", list("200m", "1Gi", "0")), done, owned("ReplicaSet", "a", list("3", "9Gi", "9Gi")), owned("DaemonSet", "b", list("1", "1Gi", "1Gi"))}
	taken, many := daemons(pods)
	if got := Exact(taken["a"]); got != (Values{"300m", "2Gi", "1Gi"}) {
		t.Errorf("DaemonSets take %+v", got)
	}
	if many["a"] != 2 || many["b"] != 1 {
		t.Errorf("%v", many)
	}
}

// R10: a static pod, which a node has of itself, takes its room as a DaemonSet's does, and
// a node that these fill takes no sandbox.
func TestStaticPodsAndTheNumberOfPods(t *testing.T) {
	mirror := owned("Node", "a", list("1", "1Gi", "0"))
	marked := owned("Node", "a", list("1", "1Gi", "0"))
	marked.OwnerReferences, marked.Annotations = nil, map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	n := node("a", nil, list("8", "16Gi", "40Gi"))
	for most, want := range map[string]string{"3": "", "2": "it takes 2 pods, and DaemonSets and static pods are as many", "0": "it takes no pods"} {
		n.Status.Allocatable[corev1.ResourcePods] = resource.MustParse(most)
		r := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{n}, Pods: []corev1.Pod{mirror, marked}})
		if got := r.Nodes[0]; got.Closed != want || short(Exact(got.DaemonSets)) != "2 / 2Gi / 0" {
			t.Errorf("%s pods: %q %+v", most, got.Closed, got.DaemonSets)
		}
	}
}

// R10: a pool is as large as its smallest open node; closed nodes and those that
// the placement does not admit say so.
func TestPools(t *testing.T) {
	label := map[string]string{"karpenter.sh/nodepool": "heavy", "tier": "sandbox"}
	cordoned := node("c", label, list("1", "2Gi", "3Gi"))
	cordoned.Spec.Unschedulable = true
	tainted := node("d", label, list("1", "2Gi", "3Gi"))
	tainted.Spec.Taints = []corev1.Taint{{Key: "tier", Value: "other", Effect: corev1.TaintEffectNoSchedule}}
	lost := node("e", label, list("1", "2Gi", "3Gi"))
	lost.Status.Conditions[0].Status = corev1.ConditionUnknown
	w := wanted(t)
	w.Spec.NodeSelector = map[string]string{"tier": "sandbox"}
	r := Judge(Request{Wanted: w, Nodes: []corev1.Node{
		node("z", nil, list("64", "64Gi", "64Gi")), tainted, lost, cordoned,
		node("b", label, list("8", "16Gi", "40Gi")), node("a", label, list("16", "8Gi", "80Gi")),
	}})
	if r.Elsewhere != 1 || len(r.Nodes) != 5 || len(r.Pools) != 1 {
		t.Fatalf("%+v", r)
	}
	p := r.Pools[0]
	if p.Name != "heavy" || p.Nodes != 5 || p.Closed != 3 || *p.MaxSize != (Values{"7.1", "7.6Gi", "39Gi"}) {
		t.Errorf("%+v", p)
	}
	table := string(r.Table())
	for _, want := range []string{"cordoned", "taint tier=other:NoSchedule is not tolerated", "not ready", `maxSize: { cpu: "7.1", memory: 7.6Gi, disk: 39Gi }`} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
}

// R10: a size that fits nowhere is a warning; no node at all could not be checked.
func TestFaults(t *testing.T) {
	w := wanted(t)
	w.Largest.CPU = resource.MustParse("40")
	one := Judge(Request{Wanted: w, Nodes: []corev1.Node{node("a", nil, list("16", "32Gi", "80Gi"))}}).Faults(w)
	if len(one) != 1 || one[0].Code != faults.SizeFitsNone || one[0].Field != "agents.environments.maxSize" || one[0].Expected != "at most cpu 15.1, memory 31.6Gi, disk 79Gi" {
		t.Errorf("%+v", one)
	}
	none := Judge(Request{Wanted: w}).Faults(w)
	if len(none) != 1 || none[0].Code != faults.NoSandboxNode {
		t.Errorf("%+v", none)
	}
}

// R10: a node that is too small has nothing left, and not less than nothing.
func TestNothingIsLeftOfASmallNode(t *testing.T) {
	r := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{node("a", nil, list("500m", "64Gi", "80Gi"))}})
	if n := r.Nodes[0]; !n.Largest.Empty() || n.Largest.CPU.Sign() != 0 {
		t.Errorf("%+v", n)
	}
	if !strings.Contains(string(r.Table()), "an open node of it has no room") {
		t.Errorf("%s", r.Table())
	}
}

// A container that a patch adds takes room besides the size.
func TestAddedContainersCount(t *testing.T) {
	s := agents.Defaults("1.4.0")
	pod := agents.Build(s).Sandbox
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "scanner", Resources: corev1.ResourceRequirements{Requests: list("100m", "128Mi", "0")}})
	if got := Exact(Wanted(s, s.SandboxSize, pod).Beside); got != (Values{"1", "448Mi", "1Gi"}) {
		t.Errorf("%+v", got)
	}
}

// R10: an init container that ends takes the room of what comes after it, and not
// more; one that stays takes its own. A node without room for it takes no sandbox.
func TestInitContainersCountAsKubernetesCounts(t *testing.T) {
	s, always := agents.Defaults("1.4.0"), corev1.ContainerRestartPolicyAlways
	with := func(more ...corev1.Container) Sandbox {
		pod := agents.Build(s).Sandbox
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, more...)
		return Wanted(s, s.SandboxSize, pod)
	}
	container := func(name string, policy *corev1.ContainerRestartPolicy, requests corev1.ResourceList) corev1.Container {
		return corev1.Container{Name: name, RestartPolicy: policy, Resources: corev1.ResourceRequirements{Requests: requests}}
	}
	warm := container("warm", nil, list("4", "8Gi", "0"))
	stays := container("stays", &always, list("100m", "128Mi", "0"))
	for _, c := range []struct {
		w                   Sandbox
		beside, least, most string
	}{
		{with(), "900m / 320Mi / 1Gi", "900m / 320Mi / 0", "31.1"},
		{with(warm), "900m / 320Mi / 1Gi", "4900m / 8512Mi / 0", "31.1"},
		{with(stays), "1 / 448Mi / 1Gi", "1 / 448Mi / 0", "31"},
		{with(stays, warm), "1 / 448Mi / 1Gi", "5 / 8640Mi / 0", "31"},
	} {
		r := Judge(Request{Wanted: c.w, Nodes: []corev1.Node{node("a", nil, list("32", "128Gi", "80Gi"))}})
		if b, l := short(Exact(c.w.Beside)), short(Exact(c.w.Least)); b != c.beside || l != c.least || r.Pools[0].MaxSize.CPU != c.most {
			t.Errorf("beside %s, at least %s, largest %+v; want %+v", b, l, r.Pools[0].MaxSize, c)
		}
	}
	small := Judge(Request{Wanted: with(warm), Nodes: []corev1.Node{node("a", nil, list("4800m", "128Gi", "80Gi"))}})
	if f := small.Faults(with(warm)); small.Pools[0].MaxSize != nil || len(f) != 2 || !strings.Contains(string(small.Table()), "they request 4900m / 8512Mi / 0") {
		t.Errorf("%+v\n%s", f, small.Table())
	}
}

// R10: what is printed as a value is one that kora takes: no zero, and nothing below
// it where a cluster says more than a number holds.
func TestValuesToSetAreTaken(t *testing.T) {
	small := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{node("a", nil, list("950m", "400Mi", "1.05Gi"))}})
	if p := small.Pools[0]; p.MaxSize != nil || p.Offer != nil || strings.Contains(string(small.Table()), "maxSize") {
		t.Errorf("%s", small.Table())
	}
	w := wanted(t)
	found := small.Faults(w)
	if len(found) == 0 || found[0].Expected != "" || !strings.Contains(found[0].Fix, "larger nodes") {
		t.Errorf("%+v", found)
	}
	vast := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{node("a", nil, list("9e18", "15E", "15Ei"))}})
	if got := vast.Pools[0].MaxSize; got == nil || strings.Contains(written(*got), "-") {
		t.Errorf("%s", vast.Table())
	}
}

// R55: a cluster's words drive no terminal.
func TestTableShowsWhatItHolds(t *testing.T) {
	label := map[string]string{"karpenter.sh/nodepool": "a\x1b[31m\nb"}
	table := string(Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{node("n\u202e", label, list("8", "16Gi", "40Gi"))}}).Table())
	if strings.ContainsAny(table, "\x1b\u202e") || !strings.Contains(table, `a\x1b[31m\nb`) {
		t.Errorf("%q", table)
	}
}

// R10: without any node the labels are to blame, not the placement.
func TestNoNodeAtAll(t *testing.T) {
	w := wanted(t)
	if f := Judge(Request{Wanted: w}).Faults(w)[0]; f.Field != "" || !strings.Contains(f.Fix, "--nodes") {
		t.Errorf("%+v", f)
	}
}

// R10: what does not fit is not offered: nothing is rounded up, a request below
// nothing adds nothing, and the default size comes down with the largest.
func TestOffersFit(t *testing.T) {
	w := wanted(t)
	odd := Judge(Request{Wanted: w, Nodes: []corev1.Node{node("a", nil, list("3399999999n", "16Gi", "40Gi"))}}).Pools[0]
	fits := Amount{resource.MustParse(odd.MaxSize.CPU), resource.MustParse(odd.MaxSize.Memory), resource.MustParse(odd.MaxSize.Disk)}
	if !odd.Every.Covers(fits) {
		t.Errorf("%+v is offered of %+v", odd.MaxSize, odd.Every)
	}
	less := Judge(Request{Wanted: w, Nodes: []corev1.Node{node("a", nil, list("4", "16Gi", "40Gi"))}, Pods: []corev1.Pod{owned("DaemonSet", "a", list("-100", "0", "0"))}})
	if less.Nodes[0].Largest.CPU.Cmp(resource.MustParse("4")) > 0 {
		t.Errorf("%s of 4", less.Nodes[0].Largest.CPU.String())
	}
	w.Default = Amount{resource.MustParse("2"), resource.MustParse("4Gi"), resource.MustParse("10Gi")}
	narrow := Judge(Request{Wanted: w, Nodes: []corev1.Node{node("a", nil, list("2", "2Gi", "4Gi"))}})
	if p := narrow.Pools[0]; p.DefaultSize == nil || *p.DefaultSize != *p.MaxSize || !strings.Contains(string(narrow.Table()), "defaultSize: { cpu: ") {
		t.Errorf("%s", narrow.Table())
	}
}

// R10: a node that takes no pods, or says of itself nothing, is not open.
func TestNodesThatTakeNothing(t *testing.T) {
	full, silent := node("a", nil, list("8", "16Gi", "40Gi")), node("b", nil, list("8", "16Gi", "40Gi"))
	full.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("0")
	silent.Status.Conditions = nil
	for _, n := range Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{full, silent}}).Nodes {
		if n.Closed == "" {
			t.Errorf("%s is open", n.Name)
		}
	}
}

// R10: what a pod requests in all counts in place of its containers' sum, as the
// scheduler has it: of CPU and memory, each for itself.
func TestPodsOwnRequestsCountAsKubernetesCounts(t *testing.T) {
	s := agents.Defaults("1.4.0")
	with := func(requests corev1.ResourceList) Sandbox {
		pod := agents.Build(s).Sandbox
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: requests}
		return Wanted(s, s.SandboxSize, pod)
	}
	cpu := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
	for _, c := range []struct {
		w                          Sandbox
		allocatable                corev1.ResourceList
		beside, least, cpu, memory string
	}{
		{with(nil), list("32", "64Gi", "80Gi"), "900m / 320Mi / 1Gi", "900m / 320Mi / 0", "31.1", "63.6Gi"},
		{with(cpu), list("32", "64Gi", "80Gi"), "900m / 320Mi / 1Gi", "4 / 320Mi / 0", "3.1", "63.6Gi"},
		{with(list("4", "8Gi", "1Gi")), list("32", "64Gi", "80Gi"), "900m / 320Mi / 1Gi", "4 / 8Gi / 0", "3.1", "7.6Gi"},
		{with(cpu), list("3900m", "64Gi", "80Gi"), "900m / 320Mi / 1Gi", "4 / 320Mi / 0", "", ""},
	} {
		r := Judge(Request{Wanted: c.w, Nodes: []corev1.Node{node("a", nil, c.allocatable)}})
		if b, l := short(Exact(c.w.Beside)), short(Exact(c.w.Least)); b != c.beside || l != c.least {
			t.Errorf("beside %s, at least %s; want %+v", b, l, c)
		}
		most := r.Pools[0].MaxSize
		if (most == nil) != (c.cpu == "") || most != nil && (most.CPU != c.cpu || most.Memory != c.memory) {
			t.Errorf("largest %+v; want %s and %s", most, c.cpu, c.memory)
		}
	}
	own := with(cpu)
	r := Judge(Request{Wanted: own, Nodes: []corev1.Node{node("a", nil, list("32", "64Gi", "80Gi"))}})
	own.Default.CPU = resource.MustParse("8")
	if f := r.Faults(own); len(f) == 0 || !strings.Contains(f[0].Fix, "spec.resources") || !strings.Contains(string(r.Table()), "requests 4 / 0 / 0 in all") {
		t.Errorf("%+v\n%s", f, r.Table())
	}
}

// R10: a pod of a DaemonSet that requests for itself as a whole takes that.
func TestADaemonSetsOwnRequests(t *testing.T) {
	p := owned("DaemonSet", "a", list("1", "1Gi", "0"))
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}}
	taken, _ := daemons([]corev1.Pod{p})
	if got := short(Exact(taken["a"])); got != "2 / 1Gi / 0" {
		t.Error(got)
	}
}
