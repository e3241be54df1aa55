// Package podsecurity judges pods by Pod Security at the level restricted, as kora means
// it (R6, R14): the same for what patches make and for what is created.
//
// Kubernetes asks less of a pod with users of its own (hostUsers: false): a container of
// it may be root and unmask /proc. Kora asks the same of every pod. A root of the pod's
// own owns what the pod mounts all the same, where the volume knows such users.
package podsecurity

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// evaluator holds Pod Security's checks; it has no state of its own.
var evaluator = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err) // the library's own checks are wrong
	}
	return e
})

// Refusals are the checks that a pod does not pass. The pod stays as it is.
func Refusals(meta *metav1.ObjectMeta, spec *corev1.PodSpec) []policy.CheckResult {
	strict := *spec
	strict.HostUsers = nil
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	return slices.DeleteFunc(evaluator().EvaluatePod(level, meta, &strict), func(r policy.CheckResult) bool { return r.Allowed })
}
