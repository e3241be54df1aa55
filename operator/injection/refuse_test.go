package injection

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/rules"
)

// refusals are pods that are not what they say, each by one change of a good one,
// and what the denial says. (R5, R6, R11, R54)
var refusals = map[string]struct {
	of     func() *corev1.Pod
	change func(*corev1.Pod)
	says   string
}{
	"another slug":           {sandbox, label("runkora.io/agent-slug", "other"), "must be agent-other…sandbox-other-…workspace of another agent type"},
	"no slug":                {sandbox, label("runkora.io/agent-slug", ""), "names no agent type: agent slug is empty; write the agent's, or remove runkora.io/component"},
	"a hostile type":         {sandbox, label("runkora.io/agent-type", "a/b c"), "is no agent type's id"},
	"another tenant":         {sandbox, label("runkora.io/tenant", "rich"), `"rich" must be example`},
	"another manager":        {sandbox, label("app.kubernetes.io/managed-by", "me"), "must be kora-agents"},
	"an own kora label":      {sandbox, label("runkora.io/admin", "true"), "not yours to set"},
	"a capital domain":       {sandbox, annotation("Sidecar.Istio.io/inject", "false"), "not yours to set"},
	"out of the mesh":        {sandbox, label("sidecar.istio.io/inject", "false"), "not yours to set"},
	"other proxy templates":  {sandbox, annotation("inject.istio.io/templates", "custom"), "not yours to set"},
	"ports past the proxy":   {sandbox, annotation("traffic.sidecar.istio.io/excludeOutboundPorts", "443"), "not yours to set"},
	"another proxy config":   {sandbox, annotation("proxy.istio.io/config", "{}"), "not yours to set"},
	"a SPIFFE annotation":    {sandbox, annotation("spiffe.io/spiffe-id", "x"), "not yours to set"},
	"a cloud identity":       {sandbox, annotation("iam.gke.io/x", "x"), "a sandbox never has one"},
	"a replica's label":      {sandbox, label("statefulset.kubernetes.io/pod-name", "agent-coder-0"), "not yours to set"},
	"another name":           {sandbox, func(p *corev1.Pod) { p.Name = "agent-coder-0" }, "must begin with sandbox-coder-"},
	"another account":        {sandbox, func(p *corev1.Pod) { p.Spec.ServiceAccountName = "agent-coder" }, "must be default on a sandbox"},
	"another workspace":      {sandbox, func(p *corev1.Pod) { p.Spec.Volumes[0].PersistentVolumeClaim.ClaimName = "workspace-agent-coder-x-0" }, "workspace of another agent type"},
	"a token":                {sandbox, func(p *corev1.Pod) { p.Spec.AutomountServiceAccountToken = ptr(true) }, "must be false"},
	"a projected token":      {sandbox, project("api"), "would give the pod an API token"},
	"a token called istio's": {sandbox, project("istio-token"), "would give the pod an API token"},
	"istiod's token elsewhere": {sandbox, func(p *corev1.Pod) {
		project("mine")(p)
		p.Spec.Volumes[len(p.Spec.Volumes)-1].Projected.Sources[0].ServiceAccountToken.Audience = "istio-ca"
	}, "would give the pod an API token"},
	"one process namespace":     {sandbox, func(p *corev1.Pod) { p.Spec.ShareProcessNamespace = ptr(true) }, "sidecars' processes"},
	"another user":              {sandbox, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsUser = ptr(int64(1000)) }, "must be 100"},
	"the mesh's user":           {sandbox, func(p *corev1.Pod) { p.Spec.Containers[0].SecurityContext.RunAsUser = ptr(int64(1337)) }, "no policy sees"},
	"the mesh's group":          {sandbox, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsGroup = ptr(int64(1337)) }, "no policy sees"},
	"a container's other user":  {sandbox, func(p *corev1.Pod) { p.Spec.Containers[0].SecurityContext.RunAsUser = ptr(int64(200)) }, `runAsUser "200" must be 100`},
	"a container's other group": {sandbox, func(p *corev1.Pod) { p.Spec.Containers[0].SecurityContext.RunAsGroup = ptr(int64(200)) }, `runAsGroup "200" must be 100`},
	"root's group": {sandbox, func(p *corev1.Pod) {
		add("mine")(p)
		p.Spec.Containers[len(p.Spec.Containers)-1].SecurityContext.RunAsGroup = ptr(int64(0))
	}, "is root's group"},
	"root's group for all":  {sandbox, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsGroup = ptr(int64(0)) }, `securityContext.runAsGroup "0" must be 100`},
	"another group for all": {sessionManager, func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsGroup = ptr(int64(5)) }, `securityContext.runAsGroup "5" must be 100`},
	"root's group beside":   {sandbox, func(p *corev1.Pod) { p.Spec.SecurityContext.SupplementalGroups = []int64{200, 0} }, `supplementalGroups[1] "0" is root's group`},
	"a crowd of containers": {sandbox, func(p *corev1.Pod) {
		for range 70 {
			p.Spec.InitContainers = append(p.Spec.InitContainers, p.Spec.Containers[0])
		}
	}, "are more than the 64"},
	"a crowd of volumes": {sandbox, func(p *corev1.Pod) {
		for range 300 {
			p.Spec.Volumes = append(p.Spec.Volumes, p.Spec.Volumes[0])
		}
	}, "are more than the 256"},
	"the cluster's priority":    {sandbox, func(p *corev1.Pod) { p.Spec.PriorityClassName = "system-node-critical" }, "before which every other pod makes room"},
	"a node":                    {sandbox, func(p *corev1.Pod) { p.Spec.NodeName = "node-1" }, "passes the scheduler by"},
	"another network":           {sandbox, annotation("k8s.v1.cni.cncf.io/networks", "x"), "chooses networks and addresses"},
	"another default network":   {sandbox, annotation("v1.multus-cni.io/default-network", "x"), "chooses networks and addresses"},
	"another's address":         {sessionManager, annotation("cni.projectcalico.org/ipAddrs", "[]"), "chooses networks and addresses"},
	"a mount of the socket":     {sandbox, mount("workload-socket"), "by which the pod's identity is proved"},
	"a mount of the policy":     {sandbox, mount("kora-policy"), "by which the pod's identity is proved"},
	"a mount of the identity":   {sandbox, mount("kora-identity"), "by which the pod's identity is proved"},
	"a mount of the token":      {sandbox, mount("istio-token"), "by which the pod's identity is proved"},
	"a stand-in":                {sandbox, add("kora-enforcer"), "stands in for what sidecar injection adds"},
	"a stand-in of the mesh":    {sandbox, add("istio-agent"), "stands in for what sidecar injection adds"},
	"no container of its own":   {sandbox, func(p *corev1.Pod) { p.Spec.Containers[0].Name = "other" }, "must have one named sandbox"},
	"the host's network":        {sandbox, func(p *corev1.Pod) { p.Spec.HostNetwork = true }, "not Pod Security restricted"},
	"a privileged container":    {sandbox, func(p *corev1.Pod) { p.Spec.Containers[0].SecurityContext.Privileged = ptr(true) }, "not Pod Security restricted"},
	"a session-manager by hand": {sessionManager, func(p *corev1.Pod) { p.OwnerReferences = nil }, "session-managers are not made by hand"},
	"of another set": {sessionManager, func(p *corev1.Pod) { p.OwnerReferences[0].Name = "agent-other" },
		"must name the StatefulSet agent-coder"},
	"a replica's other name": {sessionManager, func(p *corev1.Pod) { p.Name = "agent-coder-x-0" }, "must be agent-coder-<number>"},
	"the default account":    {sessionManager, func(p *corev1.Pod) { p.Spec.ServiceAccountName = "" }, "must be agent-coder"},
	"no component, a slug":   {sandbox, func(p *corev1.Pod) { delete(p.Labels, "runkora.io/component") }, "marks an agent's pod…workspace of another"},
	"another component": {sessionManager, label("runkora.io/component", "tool"),
		"marks an agent's pod…is an agent's, with its identity…workspace of another"},
	"a workspace alone": {plain, func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "w", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "workspace-agent-coder-0"}}}}
	}, "workspace of another agent type"},
	"an account alone":      {plain, func(p *corev1.Pod) { p.Spec.ServiceAccountName = "agent-coder" }, "is an agent's, with its identity"},
	"another tenant's name": {plain, label("runkora.io/tenant", "rich"), "another tenant than that of the namespace"},
}

func TestPodsThatAreNotWhatTheySayAreRefused(t *testing.T) {
	for name, test := range refusals {
		for _, mesh := range []bool{false, true} {
			pod := test.of()
			if mesh {
				pod = meshed(pod)
			}
			test.change(pod)
			_, faults := injector().Inject(pod, tenant)
			said := rules.Message(faults)
			for part := range strings.SplitSeq(test.says, "…") {
				if !strings.Contains(said, part) {
					t.Errorf("%s (mesh %v): %q lacks %q", name, mesh, said, part)
				}
			}
		}
	}
}

// R15, R54: everything that is wrong is told at once, and a hostile pod gets no
// long answer.
func TestEveryFaultIsToldAndTheAnswerIsBounded(t *testing.T) {
	pod := sandbox()
	pod.Spec.HostPID, pod.Spec.ServiceAccountName, pod.Labels["runkora.io/x"] = true, "root", "y"
	_, faults := injector().Inject(pod, tenant)
	for _, part := range []string{"hostPID=true", `"root" must be default`, "runkora.io/x"} {
		if !strings.Contains(rules.Message(faults), part) {
			t.Errorf("%q is not told in %s", part, rules.Message(faults))
		}
	}
	for n := range 5000 {
		pod.Labels["runkora.io/"+strings.Repeat("x", n)] = strings.Repeat("€", 300)
	}
	_, faults = injector().Inject(pod, tenant)
	if said := rules.Message(faults); len(said) > 20_000 || !strings.Contains(said, "more") {
		t.Errorf("%d bytes are said", len(said))
	}
}

func label(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels[key] = value }
}

func annotation(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { metav1.SetMetaDataAnnotation(&p.ObjectMeta, key, value) }
}

func project(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
			Sources: []corev1.VolumeProjection{{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}}}}}})
	}
}

func mount(volume string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		c := &p.Spec.Containers[0]
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: volume, MountPath: "/x"})
	}
}

func add(container string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		c := *p.Spec.Containers[0].DeepCopy()
		c.Name = container
		p.Spec.Containers = append(p.Spec.Containers, c)
	}
}

func plain() *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name, pod.Labels, pod.Annotations = "tools", map[string]string{"app": "tools"}, map[string]string{}
	return pod
}
