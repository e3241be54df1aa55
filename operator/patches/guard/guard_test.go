package guard

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

func objects() agents.Objects {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", "render-coder", "kora-tenant-example"
	return agents.Build(s)
}

// R14: what nobody touched is never refused, whatever the settings.
func TestObjectsAsBuiltPass(t *testing.T) {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace, s.SandboxMount = "coder", "x", "kora-tenant-a", true
	s.Workspace.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	for _, built := range []agents.Objects{objects(), agents.Build(s)} {
		for _, o := range built.All() {
			if found := Check(o, o.DeepCopyObject()); len(found) > 0 {
				t.Errorf("%T: %+v", o, found)
			}
		}
		if found := Restricted("spec", &built.Sandbox.ObjectMeta, &built.Sandbox.Spec, &built.Sandbox.Spec, false); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	}
}

// sandboxAfter returns what the guard says of a change to the sandbox.
func sandboxAfter(change func(*corev1.Pod)) []Violation {
	built := objects().Sandbox
	patched := built.DeepCopy()
	change(patched)
	found := append(Check(built, patched), Added("spec", &built.Spec, &patched.Spec)...)
	return append(found, Restricted("spec", &patched.ObjectMeta, &built.Spec, &patched.Spec, len(found) > 0)...)
}

// R14: a mount anywhere over, under or inside the workspace changes it; one
// beside it does not, however alike the names.
func TestMountsThatOverlapTheWorkspace(t *testing.T) {
	for path, refused := range map[string]bool{
		"/": true, "": true, ".": true, "/workspaces": true, "/workspaces/": true, "//workspaces": true, "/./workspaces": true,
		"/x/../workspaces": true, "/workspaces/../workspaces": true, "/workspaces/a/b": true, "workspaces": true, "../workspaces": true,
		"/../": true, "/workspaces//": true, "/workspaces/.": true, "/workspaces/..": true,
		"/workspace": false, "/workspaces2": false, "/workspaces-old/x": false, "/x/workspaces": false, "/Workspaces": false, "/workspaces/../x": false, "/tmp2": false,
	} {
		found := sandboxAfter(func(p *corev1.Pod) {
			c := &p.Spec.Containers[0]
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "tmp", MountPath: path})
		})
		if (len(found) > 0) != refused {
			t.Errorf("%q: %+v", path, found)
		}
	}
}

// R14: every change of a long value is seen, also beyond what a message shows.
func TestLongValuesAreComparedWhole(t *testing.T) {
	long := strings.Repeat("x", 500)
	built := objects().StatefulSet
	built.Spec.ServiceName = long + "a"
	patched := built.DeepCopy()
	patched.Spec.ServiceName = long + "b"
	found := Check(built, patched)
	if len(found) != 1 || len([]rune(found[0].Found)) > 120 {
		t.Errorf("%+v", found)
	}
}

// R14: nil and empty are one to the API server, an empty struct is not always.
func TestNothingIsNoChange(t *testing.T) {
	built := objects()
	set := built.StatefulSet.DeepCopy()
	set.Spec.Template.Spec.InitContainers = []corev1.Container{}
	set.Spec.Template.Annotations = map[string]string{}
	set.Finalizers = []string{}
	if found := Check(built.StatefulSet, set); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	service := built.Service.DeepCopy()
	service.Spec.Selector = map[string]string{}
	if found := Check(built.Service, service); len(found) == 0 {
		t.Error("an emptied selector passes")
	}
	claim := built.Claim.DeepCopy()
	claim.Spec.DataSource = &corev1.TypedLocalObjectReference{}
	if found := Check(built.Claim, claim); len(found) == 0 {
		t.Error("an empty data source passes")
	}
}

// R8: both pods mount the workspace and write, whatever other modes it has.
func TestAccessModesOfTheClaim(t *testing.T) {
	for modes, ok := range map[string]bool{
		"ReadWriteOnce": true, "ReadWriteMany": true, "ReadOnlyMany ReadWriteMany": true, "ReadWriteOnce ReadOnlyMany": true,
		"": false, "ReadOnlyMany": false, "ReadWriteOncePod": false, "ReadWriteOnce ReadWriteOncePod": false, "ReadWriteMany ReadWriteOncePod": false, "Other": false,
	} {
		claim := objects().Claim
		patched := claim.DeepCopy()
		patched.Spec.AccessModes = nil
		for _, m := range strings.Fields(modes) {
			patched.Spec.AccessModes = append(patched.Spec.AccessModes, corev1.PersistentVolumeAccessMode(m))
		}
		found := Check(claim, patched)
		if len(found) == 0 != ok || len(found) > 1 || !ok && found[0].Code != faults.BadAccess {
			t.Errorf("%q: %+v", modes, found)
		}
	}
}

// R14: names of what injection adds are not free, in any list of containers.
func TestNamesOfInjectedPartsAreRefused(t *testing.T) {
	secure := objects().Sandbox.Spec.Containers[0].SecurityContext
	for name, refused := range map[string]bool{
		"istio-proxy": true, "istio-init": true, "istio-validation": true, "kora-enforcer": true, "istiod-x": true, "istio": false, "proxy": false, "workload-socket": false,
	} {
		for _, init := range []bool{true, false} {
			found := sandboxAfter(func(p *corev1.Pod) {
				c := corev1.Container{Name: name, Image: "x", SecurityContext: secure}
				if init {
					p.Spec.InitContainers = append(p.Spec.InitContainers, c)
				} else {
					p.Spec.Containers = append(p.Spec.Containers, c)
				}
			})
			if (len(found) > 0) != refused {
				t.Errorf("container %s: %+v", name, found)
			}
		}
	}
	for name, refused := range map[string]bool{"istio-envoy": true, "istiod-ca-cert": true, "workload-socket": true, "workload-certs": true, "credential-socket": true, "kora-identity": true, "cache": false} {
		found := sandboxAfter(func(p *corev1.Pod) {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		})
		if (len(found) > 0) != refused {
			t.Errorf("volume %s: %+v", name, found)
		}
	}
}

// R14: D leaves fsGroup and its policy to the cluster, on both pods.
func TestFSGroupIsTheClustersToChoose(t *testing.T) {
	built := objects()
	always, group := corev1.FSGroupChangeAlways, int64(2000)
	set := built.StatefulSet.DeepCopy()
	set.Spec.Template.Spec.SecurityContext.FSGroup, set.Spec.Template.Spec.SecurityContext.FSGroupChangePolicy = &group, &always
	if found := Check(built.StatefulSet, set); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	if found := sandboxAfter(func(p *corev1.Pod) {
		p.Spec.SecurityContext.FSGroup, p.Spec.SecurityContext.FSGroupChangePolicy = nil, nil
	}); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// R7: the message about claim templates says what to patch instead.
func TestClaimTemplatesSayToPatchTheClaim(t *testing.T) {
	built := objects().StatefulSet
	for _, change := range []func(*appsv1.StatefulSet){
		func(s *appsv1.StatefulSet) { s.Spec.VolumeClaimTemplates = nil },
		func(s *appsv1.StatefulSet) { s.Spec.VolumeClaimTemplates[0].Name = "other" },
		func(s *appsv1.StatefulSet) { s.Spec.VolumeClaimTemplates[0].Labels["a"] = "b" },
	} {
		patched := built.DeepCopy()
		change(patched)
		found := Check(built, patched)
		if len(found) == 0 || slices.ContainsFunc(found, func(v Violation) bool {
			return v.Code != faults.ClaimTemplates || !strings.Contains(v.Fix, "PersistentVolumeClaim")
		}) {
			t.Errorf("%+v", found)
		}
	}
}

// R14: a merge may reorder mounts; which there are is what counts.
func TestOrderOfMountsSaysNothing(t *testing.T) {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace, s.SandboxMount = "coder", "x", "kora-tenant-a", true
	built := agents.Build(s).Sandbox
	patched := built.DeepCopy()
	mounts := patched.Spec.Containers[0].VolumeMounts
	slices.Reverse(mounts)
	if found := Check(built, patched); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	patched.Spec.Containers[0].VolumeMounts = append(mounts, mounts[len(mounts)-1])
	if found := Check(built, patched); len(found) != 1 {
		t.Errorf("a mount twice: %+v", found)
	}
}
