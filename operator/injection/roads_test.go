package injection

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/rules"
)

func source(name string, s corev1.VolumeSource) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: s})
	}
}

func driver(name string) corev1.VolumeSource {
	return corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: name, ReadOnly: ptr(true)}}
}

func claimed(spec corev1.PersistentVolumeClaimSpec) corev1.VolumeSource {
	return corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: spec}}}
}

func both(some ...func(*corev1.Pod)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for _, change := range some {
			change(p)
		}
	}
}

// brought are volumes that are refused in every pod of a tenant, whatever the volume is
// called, and what the denial says; others are taken in a pod of nobody's alone.
var brought = map[string]struct {
	change func(*corev1.Pod)
	says   string
	others bool
}{
	"SPIFFE's driver":             {source("mine", driver("csi.spiffe.io")), "csi.driver \"csi.spiffe.io\" hands out the pod's SPIFFE identity", false},
	"another of SPIFFE's":         {source("mine", driver("other.spiffe.io")), "hands out the pod's SPIFFE identity", false},
	"in capitals":                 {source("mine", driver("CSI.Spiffe.IO")), "hands out the pod's SPIFFE identity", false},
	"a driver of the team's":      {source("mine", driver("csi.example.com")), "", true},
	"a certificate of the pod":    {source("mine", corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{PodCertificate: &corev1.PodCertificateProjection{SignerName: "a.example.com/b"}}}}}), "sources[0].podCertificate \"a.example.com/b\"", false},
	"a workspace":                 {source("mine", corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "workspace-agent-other-0"}}), "claimName \"workspace-agent-other-0\" is the workspace of another", false},
	"a copy of a workspace":       {source("mine", claimed(corev1.PersistentVolumeClaimSpec{DataSource: &corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: "workspace-agent-other-0"}})), "dataSource.name \"workspace-agent-other-0\" is the workspace of an agent", false},
	"a copy by reference":         {source("mine", claimed(corev1.PersistentVolumeClaimSpec{DataSourceRef: &corev1.TypedObjectReference{Kind: "PersistentVolumeClaim", Name: "workspace-agent-coder-0"}})), "dataSourceRef.name \"workspace-agent-coder-0\" is the workspace of an agent", false},
	"a snapshot":                  {source("mine", claimed(corev1.PersistentVolumeClaimSpec{DataSource: &corev1.TypedLocalObjectReference{Kind: "VolumeSnapshot", Name: "x"}})), "may hold what another agent wrote", true},
	"a volume by name":            {source("mine", claimed(corev1.PersistentVolumeClaimSpec{VolumeName: "pv-1"})), "volumeName \"pv-1\" may hold what another agent wrote", true},
	"a volume by selector":        {source("mine", claimed(corev1.PersistentVolumeClaimSpec{Selector: &metav1.LabelSelector{}})), "selector may hold what another agent wrote", true},
	"an empty claim":              {source("mine", claimed(corev1.PersistentVolumeClaimSpec{})), "", true},
	"a workspace before its time": {both(func(p *corev1.Pod) { p.Name = "workspace-agent-other" }, source("0", claimed(corev1.PersistentVolumeClaimSpec{}))), "would be the claim of an agent's workspace", false},
}

// R5, R14, R54: a pod's identity is its sidecars', and its workspace its agent's, by
// whatever road and name.
func TestNoVolumeBringsAnIdentityOrAWorkspace(t *testing.T) {
	for name, test := range brought {
		for kind, of := range map[string]func() *corev1.Pod{"sandbox": sandbox, "session-manager": sessionManager, "in the mesh": func() *corev1.Pod { return meshed(sandbox()) }, "other": plain} {
			pod := of()
			test.change(pod)
			_, faults := injector().Inject(pod, tenant)
			want := test.says
			if kind == "other" && test.others {
				want = ""
			}
			if said := rules.Message(faults); (want == "") != (said == "") || !strings.Contains(said, want) {
				t.Errorf("%s, %s: %q, want %q", name, kind, said, want)
			}
		}
	}
}

// R54: a pod of nobody's in the mesh has its proxy's socket, and the proxy alone has it.
func TestOtherPodsProxyHasItsSocket(t *testing.T) {
	for name, c := range map[string]struct {
		mounter string
		refused bool
	}{"the proxy": {"istio-proxy", false}, "another": {"main", true}} {
		pod := plain()
		pod.Spec.Containers = []corev1.Container{{Name: c.mounter, VolumeMounts: []corev1.VolumeMount{{Name: "workload-socket", MountPath: "/x"}}}}
		source("workload-socket", driver("csi.spiffe.io"))(pod)
		if _, faults := injector().Inject(pod, tenant); (len(faults) > 0) != c.refused {
			t.Errorf("%s: %s", name, rules.Message(faults))
		}
	}
}

// like is a container under another name, with the volumes that it mounts, in a list.
func like(name, list string, stays bool, mounts ...string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		c := *p.Spec.Containers[0].DeepCopy()
		c.Name, c.VolumeMounts = name, nil
		for _, m := range mounts {
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: m, MountPath: "/" + m})
		}
		if always := corev1.ContainerRestartPolicyAlways; stays {
			c.RestartPolicy = &always
		}
		if list == "containers" {
			p.Spec.Containers = append(p.Spec.Containers, c)
			return
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	}
}

func added(names string) func(*corev1.Pod) {
	return annotation("sidecar.istio.io/status", `{"initContainers":[`+names+`]}`)
}

// R5, R54: a container under a name of the mesh's stands where the mesh puts it, was
// added by its injector, and has nothing of kora's.
func TestTheMeshsNamesAreTheMeshs(t *testing.T) {
	all := added(`"istio-init","istio-validation","istio-proxy"`)
	const place, nobody, koras = "where the mesh's injector puts none", "did not add", "is a volume of kora's sidecar"
	for name, test := range map[string]struct {
		change func(*corev1.Pod)
		says   string
	}{
		"init beside":             {both(all, like("istio-init", "containers", false)), place},
		"validation beside":       {both(all, like("istio-validation", "containers", false)), place},
		"init that stays":         {both(all, like("istio-init", "initContainers", true)), place},
		"a proxy that ends":       {both(all, like("istio-proxy", "initContainers", false)), place},
		"a proxy before":          {both(all, like("istio-proxy", "initContainers", true, "istio-token")), ""},
		"a proxy beside":          {both(all, like("istio-proxy", "containers", false)), ""},
		"validation":              {both(all, like("istio-validation", "initContainers", false)), ""},
		"init that nobody added":  {like("istio-init", "initContainers", false), nobody},
		"a proxy nobody added":    {both(added(`"istio-init"`), like("istio-proxy", "containers", false)), nobody},
		"a status that is none":   {both(annotation("sidecar.istio.io/status", "["), like("istio-proxy", "containers", false)), nobody},
		"a proxy with overrides":  {both(all, annotation("proxy.istio.io/overrides", "{}"), like("istio-proxy", "containers", false)), "not yours to set"},
		"a proxy with identity":   {both(all, like("istio-proxy", "initContainers", true, "kora-identity")), koras},
		"validation with policy":  {both(all, like("istio-validation", "initContainers", false, "kora-policy")), koras},
		"a proxy with kora's own": {both(all, like("istio-proxy", "containers", false, "kora-x")), koras},
	} {
		pod := sandbox()
		test.change(pod)
		_, faults := injector().Inject(pod, tenant)
		if said := rules.Message(faults); (test.says == "") != (said == "") || !strings.Contains(said, test.says) {
			t.Errorf("%s: %q, want %q", name, said, test.says)
		}
	}
}

// R6, R54: what is not Pod Security restricted is told by field, and with what to do, the
// same of a pod with users of its own.
func TestPodSecurityIsToldByField(t *testing.T) {
	secure := func(change func(*corev1.SecurityContext)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(p.Spec.Containers[0].SecurityContext) }
	}
	for field, test := range map[string]struct {
		change func(*corev1.Pod)
		mend   string
	}{
		"spec.hostNetwork":                              {func(p *corev1.Pod) { p.Spec.HostNetwork = true }, "remove it"},
		"spec.hostPID":                                  {func(p *corev1.Pod) { p.Spec.HostPID = true }, "remove it"},
		"spec.hostIPC":                                  {func(p *corev1.Pod) { p.Spec.HostIPC = true }, "remove it"},
		"spec.volumes":                                  {source("x", corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}), "use an emptyDir"},
		"spec.securityContext.runAsNonRoot":             {func(p *corev1.Pod) { p.Spec.SecurityContext.RunAsNonRoot = ptr(false) }, "write true"},
		"spec.securityContext.sysctls":                  {func(p *corev1.Pod) { p.Spec.SecurityContext.Sysctls = []corev1.Sysctl{{Name: "a", Value: "b"}} }, "remove them"},
		"spec.containers[0].securityContext.privileged": {secure(func(s *corev1.SecurityContext) { s.Privileged = ptr(true) }), "remove it"},
		"spec.containers[0].securityContext.allowPrivilegeEscalation": {secure(func(s *corev1.SecurityContext) { s.AllowPrivilegeEscalation = nil }), "write false"},
		"spec.containers[0].securityContext.capabilities":             {secure(func(s *corev1.SecurityContext) { s.Capabilities = nil }), "write {drop: [ALL]}"},
		"spec.containers[0].securityContext.runAsUser":                {secure(func(s *corev1.SecurityContext) { s.RunAsUser = ptr(int64(0)) }), "leave it out"},
		"spec.containers[0].securityContext.seccompProfile":           {secure(func(s *corev1.SecurityContext) { s.SeccompProfile.Type = "Unconfined" }), "write {type: RuntimeDefault}"},
		"spec.containers[0].ports": {func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		}, "remove hostPort"},
		"spec.initContainers[0].securityContext.procMount": {both(like("first", "initContainers", false), func(p *corev1.Pod) {
			p.Spec.InitContainers[0].SecurityContext.ProcMount = ptr(corev1.UnmaskedProcMount)
		}), "remove it"},
		"spec.initContainers[0].securityContext.runAsUser": {both(like("first", "initContainers", false), func(p *corev1.Pod) {
			p.Spec.InitContainers[0].SecurityContext.RunAsUser = ptr(int64(0))
		}), "leave it out"},
		"spec.containers[1].securityContext.runAsNonRoot": {both(like("second", "containers", false), func(p *corev1.Pod) {
			p.Spec.Containers[1].SecurityContext.RunAsNonRoot = ptr(false)
		}), "write true"},
		"spec.ephemeralContainers[0].securityContext.runAsUser": {func(p *corev1.Pod) {
			secured := p.Spec.Containers[0].SecurityContext.DeepCopy()
			secured.RunAsUser = ptr(int64(0))
			p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", SecurityContext: secured}}}
		}, "leave it out"},
	} {
		for _, users := range []*bool{nil, ptr(true), ptr(false)} {
			pod := sandbox()
			pod.Spec.HostUsers = users
			test.change(pod)
			faults := restricted(pod)
			if len(faults) == 0 || faults[0].Field != field || !strings.Contains(faults[0].Detail, test.mend) || !strings.Contains(faults[0].Detail, "is not Pod Security restricted") {
				t.Errorf("%s: %v", field, faults)
			}
		}
	}
	pod := sandbox()
	if pod.Spec.HostUsers = ptr(false); len(restricted(pod)) > 0 {
		t.Errorf("users of its own: %v", restricted(pod))
	}
}

// R6: two containers with the same fault are both told of.
func TestEachContainerIsToldOf(t *testing.T) {
	pod := sandbox()
	like("second", "containers", false)(pod)
	for n := range pod.Spec.Containers {
		pod.Spec.Containers[n].SecurityContext.Capabilities = nil
	}
	var fields []string
	for _, f := range restricted(pod) {
		fields = append(fields, f.Field)
	}
	if want := []string{"spec.containers[0].securityContext.capabilities", "spec.containers[1].securityContext.capabilities"}; !slices.Equal(fields, want) {
		t.Errorf("%v", fields)
	}
}

// R11, R54: one fault is told once, and never with two ways out that contradict each other.
func TestOneFaultIsToldOnce(t *testing.T) {
	for _, key := range []string{"runkora.io/tenant", "app.kubernetes.io/managed-by", "app.kubernetes.io/name"} {
		pod := sandbox()
		pod.Labels[key] = "me"
		_, faults := injector().Inject(pod, tenant)
		if said := rules.Message(faults); strings.Count(said, key) != 1 || strings.Contains(said, "remove it") {
			t.Errorf("%s: %s", key, said)
		}
	}
}
