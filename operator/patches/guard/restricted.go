package guard

import (
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// evaluator holds Pod Security's checks; it has no state of its own.
var evaluator = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err) // the library's own checks are wrong
	}
	return e
})

// Restricted judges a pod as all patches left it: the whole by Pod Security
// at "restricted", and each container that is not kora's alone, without the
// help of the pod's context (R14). At is the path of the pod's spec.
func Restricted(at fields.Path, meta *metav1.ObjectMeta, built, patched *corev1.PodSpec) []Violation {
	c := &checker{}
	for _, r := range refusals(meta, patched) {
		c.add(Violation{Code: faults.PodSecurity, Path: at, Message: "the pod no longer passes Pod Security restricted: " + r.ForbiddenReason,
			Found: r.ForbiddenDetail, Expected: "restricted", Fix: "see kubernetes.io/docs/concepts/security/pod-security-standards"})
	}
	c.added(at.Child("containers"), built.Containers, patched.Containers, false)
	c.added(at.Child("initContainers"), built.InitContainers, patched.InitContainers, true)
	return c.found
}

func refusals(meta *metav1.ObjectMeta, spec *corev1.PodSpec) []policy.CheckResult {
	var out []policy.CheckResult
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, r := range evaluator().EvaluatePod(level, meta, spec) {
		if !r.Allowed {
			out = append(out, r)
		}
	}
	return out
}

func (c *checker) added(at fields.Path, built, patched []corev1.Container, init bool) {
	for _, container := range patched {
		if named(built, container.Name) == nil {
			c.alone(at.Item("name", container.Name), container, init)
		}
	}
}

// alone puts a container into a pod of its own.
func (c *checker) alone(at fields.Path, container corev1.Container, init bool) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{container}}
	if init {
		spec = &corev1.PodSpec{InitContainers: spec.Containers}
	}
	for _, r := range refusals(&metav1.ObjectMeta{}, spec) {
		c.add(Violation{Code: faults.AddedContainer, Path: at, Message: "an added container must be restricted by itself: " + r.ForbiddenReason,
			Found: strings.ReplaceAll(r.ForbiddenDetail, "pod or container", "container"), Expected: "restricted",
			Fix: "set its securityContext: " + restrictedContext})
	}
	c.meshUser(at.Child("securityContext"), container.SecurityContext)
}

const restrictedContext = "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}"

// meshID is the user and group of the mesh's proxy. What runs as it is not
// redirected through the proxy, and so past every policy.
const meshID = 1337

func (c *checker) meshUser(at fields.Path, s *corev1.SecurityContext) {
	if s == nil {
		return
	}
	for name, id := range map[string]*int64{"runAsUser": s.RunAsUser, "runAsGroup": s.RunAsGroup} {
		if id != nil && *id == meshID {
			c.add(Violation{Code: faults.AddedContainer, Path: at.Child(name), Message: "an added container may not run as the mesh's proxy, whose traffic no policy sees",
				Found: fmt.Sprint(*id), Expected: "any other", Fix: "leave it out: the pod runs as 100"})
		}
	}
}
