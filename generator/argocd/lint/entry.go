package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// entry is one of ignoreDifferences that ignores nothing: of a group that has no
// such kind, without a path, or with one that Argo CD cannot follow.
func (a *app) entry(each *source.Node) faults.List {
	var found faults.List
	if kind, group := text(each, "kind"), text(each, "group"); group == "" && groups()[kind] != "" {
		f := a.fault(key(each, "kind"), faults.AppShape, "spec.ignoreDifferences.group", fmt.Sprintf("the entry matches nothing: without a group it is about the core group, which has no %s", kind))
		f.Expected, f.Fix = "group: "+groups()[kind], "add group: "+groups()[kind]
		found = append(found, f)
	}
	if each.Kind == source.Mapping && !slices.ContainsFunc([]string{"jsonPointers", "jqPathExpressions", "managedFieldsManagers"}, func(name string) bool {
		return len(items(each.Get(name))) > 0 || placeholder(text(each, name))
	}) {
		f := a.fault(each, faults.AppShape, "spec.ignoreDifferences", "the entry names no field, and ignores nothing")
		f.Expected = "jsonPointers, jqPathExpressions or managedFieldsManagers"
		found = append(found, f)
	}
	for _, p := range items(each.Get("jsonPointers")) {
		if p.Kind == source.Scalar && !strings.HasPrefix(p.Value, "/") && !placeholder(p.Value) {
			f := a.fault(p, faults.AppShape, "spec.ignoreDifferences.jsonPointers", "a JSON pointer begins with a slash, and this one ignores nothing")
			f.Found, f.Expected, f.Fix = p.Value, "a pointer such as /spec/replicas", "write the field as a JSON pointer, or the path as one of jqPathExpressions"
			found = append(found, f)
		}
	}
	if ofKind(each, mutating) || ofKind(each, validating) {
		return found // run over webhooks as well
	}
	for _, p := range items(each.Get("jqPathExpressions")) {
		if len(p.Value) > maxPath || placeholder(p.Value) {
			continue // one that is never so long is not compiled
		}
		if _, err := compiled(p.Value); err != nil {
			found = append(found, a.cannotRun(p, err))
		}
	}
	return found
}

func (a *app) cannotRun(p *source.Node, err error) faults.Fault {
	f := a.fault(p, faults.AppShape, "spec.ignoreDifferences.jqPathExpressions", "Argo CD cannot run this path: "+err.Error())
	f.Found, f.Fix = p.Value, "write a jq path, such as .spec.replicas"
	return f
}

// groups are those of Kubernetes' own kinds outside of the core group, as far as
// no kind of the core group has the name.
func groups() map[string]string {
	return map[string]string{
		"Deployment": "apps", "StatefulSet": "apps", "DaemonSet": "apps", "ReplicaSet": "apps", "ControllerRevision": "apps",
		"Job": "batch", "CronJob": "batch", "HorizontalPodAutoscaler": "autoscaling", "PodDisruptionBudget": "policy",
		"Ingress": "networking.k8s.io", "IngressClass": "networking.k8s.io", "NetworkPolicy": "networking.k8s.io",
		"Role": "rbac.authorization.k8s.io", "RoleBinding": "rbac.authorization.k8s.io",
		"ClusterRole": "rbac.authorization.k8s.io", "ClusterRoleBinding": "rbac.authorization.k8s.io",
		"StorageClass": "storage.k8s.io", "PriorityClass": "scheduling.k8s.io", "APIService": "apiregistration.k8s.io",
		"CustomResourceDefinition": "apiextensions.k8s.io", mutating: "admissionregistration.k8s.io", validating: "admissionregistration.k8s.io",
	}
}
