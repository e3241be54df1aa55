package injection

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hostile are shapes of pods that grow with n in two places at once, so that whatever
// looks at the one for each of the other shows.
var hostile = map[string]func(p *corev1.Pod, n int){
	"containers and volumes": func(p *corev1.Pod, n int) { emptied(p, n); bare(p, n) },
	"containers and hosts' volumes": func(p *corev1.Pod, n int) {
		for i := range n {
			source(fmt.Sprint("v", i), corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}})(p)
		}
		bare(p, n)
	},
	"containers and profiles": func(p *corev1.Pod, n int) {
		for i := range n {
			p.Annotations[fmt.Sprintf("container.apparmor.security.beta.kubernetes.io/c%d", i)] = "unconfined"
		}
		bare(p, n)
	},
	"containers and keys": func(p *corev1.Pod, n int) { keys(p, n, "x"); bare(p, n) },
	"containers and sysctls": func(p *corev1.Pod, n int) {
		for i := range n {
			p.Spec.SecurityContext.Sysctls = append(p.Spec.SecurityContext.Sysctls, corev1.Sysctl{Name: fmt.Sprint("kernel.x", i), Value: "1"})
		}
		bare(p, n)
	},
	"containers and groups": func(p *corev1.Pod, n int) {
		p.Spec.SecurityContext.SupplementalGroups = make([]int64, n)
		bare(p, n)
	},
	"containers of all lists": func(p *corev1.Pod, n int) {
		bare(p, n)
		p.Spec.InitContainers = append(p.Spec.InitContainers, p.Spec.Containers[1:]...)
		for i := range n {
			p.Spec.EphemeralContainers = append(p.Spec.EphemeralContainers, corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: fmt.Sprint("e", i)}, TargetContainerName: Enforcer})
		}
	},
	"sockets and mounts": func(p *corev1.Pod, n int) {
		for range n {
			source(meshSocket, driver(spireCSI))(p)
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "c", VolumeMounts: []corev1.VolumeMount{{Name: meshSocket}}})
		}
	},
	"proxies and a status": func(p *corev1.Pod, n int) {
		p.Annotations[statusKey] = `{"containers":["` + strings.Repeat(`x","`, n) + `"]}`
		for range n {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: meshProxy})
		}
	},
	"a long name and claims": func(p *corev1.Pod, n int) {
		p.Name = "workspace-agent-" + strings.Repeat("x", 100*n)
		for i := range n {
			source(fmt.Sprint("v", i), claimed(corev1.PersistentVolumeClaimSpec{}))(p)
		}
	},
	"tokens": func(p *corev1.Pod, n int) {
		var sources []corev1.VolumeProjection
		for range n {
			sources = append(sources, corev1.VolumeProjection{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "t"}})
		}
		emptied(p, n)
		source("v", corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: sources}})(p)
	},
	"variables of Secrets": func(p *corev1.Pod, n int) {
		for i := range n {
			p.Spec.Containers[0].Env = append(p.Spec.Containers[0].Env, corev1.EnvVar{Name: fmt.Sprint("E", i), ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: local("kora-tenant-ca")}}})
		}
		bare(p, n)
	},
	"fields and their names": func(p *corev1.Pod, n int) {
		deep := fields(strings.Repeat("x", 20*n), n)
		p.ManagedFields = deep
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "v", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
			VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{ObjectMeta: metav1.ObjectMeta{ManagedFields: deep}}}}})
	},
	"kora's keys": func(p *corev1.Pod, n int) { keys(p, n, "runkora.io/"); emptied(p, n) },
	"within bounds": func(p *corev1.Pod, n int) {
		for i := range n {
			add(fmt.Sprint("c", i))(p)
		}
		emptied(p, n)
		keys(p, n, "example.com/")
	},
}

// fields are managed fields with many below one name.
func fields(name string, n int) []metav1.ManagedFieldsEntry {
	var below []string
	for i := range n {
		below = append(below, fmt.Sprintf(`"f:%d":{}`, i))
	}
	return []metav1.ManagedFieldsEntry{{FieldsV1: metav1.NewFieldsV1(fmt.Sprintf(`{"f:%s":{%s}}`, name, strings.Join(below, ",")))}}
}

func emptied(p *corev1.Pod, n int) {
	for i := range n {
		source(fmt.Sprint("v", i), corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}})(p)
	}
}

func bare(p *corev1.Pod, n int) {
	for i := range n {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: fmt.Sprint("c", i)})
	}
}

func keys(p *corev1.Pod, n int, prefix string) {
	for i := range n {
		p.Labels[fmt.Sprint(prefix, i)], p.Annotations[fmt.Sprint(prefix, i)] = "x", "x"
	}
}

// allocated is how many bytes a call takes, at the least of some.
func allocated(call func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// R54: what a pod costs grows as the pod does, whatever is in it, and so does what a
// change of it costs: of twice as much, twice as much, and not four times.
func TestAHostilePodCostsAsMuchAsItIsLong(t *testing.T) {
	i := injector()
	for name, grow := range hostile {
		for kind, of := range map[string]func() *corev1.Pod{"sandbox": sandbox, "other": other} {
			pod := func(n int) *corev1.Pod {
				p := of()
				p.Annotations = map[string]string{}
				grow(p, n)
				return p
			}
			costs := map[string]func(n int) uint64{
				"made": func(n int) uint64 {
					p := pod(n)
					return allocated(func() { i.Inject(p, tenant); i.parts(p, tenant) }) // without a bound in between
				},
				"answered": func(n int) uint64 {
					p := pod(n)
					out := p.DeepCopy()
					i.add(out)
					return allocated(func() { patch(p, out) })
				},
				"changed": func(n int) uint64 {
					old, now := pod(n), of()
					return allocated(func() {
						i.Change(old, now, tenant)
						i.Change(now, old, tenant)
						before := i.parts(old, tenant)
						fresh(before, fixed(old, now, before))
					})
				},
			}
			for how, cost := range costs {
				one, two := cost(300), cost(600)
				if two > one*5/2 {
					t.Errorf("%s, %s, %s: %d bytes for 300 and %d for 600", name, kind, how, one, two)
				}
			}
		}
	}
}

// other is a pod of nobody's with a container.
func other() *corev1.Pod {
	p := sandbox()
	p.Labels, p.Spec.Volumes = map[string]string{"app": "tools"}, nil
	p.Name = "tools"
	return p
}
