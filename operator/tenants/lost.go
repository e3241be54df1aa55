package tenants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// lost are the kinds that nobody makes again: workspaces, agents, what runs, and what
// the tenant's people wrote.
func lost() []schema.GroupVersionKind {
	all := []schema.GroupVersionKind{{Version: "v1", Kind: "PersistentVolumeClaim"}, {Group: "apps", Version: "v1", Kind: "StatefulSet"},
		{Group: "apps", Version: "v1", Kind: "Deployment"}, {Group: "apps", Version: "v1", Kind: "ReplicaSet"}, {Group: "apps", Version: "v1", Kind: "DaemonSet"},
		{Group: "batch", Version: "v1", Kind: "CronJob"}, {Group: "batch", Version: "v1", Kind: "Job"}}
	for _, kind := range []string{"Connection", "OAuthClient", "MCPServer", "ModelProvider", "SandboxImage"} {
		all = append(all, v1alpha1.GroupVersion.WithKind(kind))
	}
	return append(all, schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
}

// PlanOf lists what is in the namespace of a tenant. The reader has the rights of
// the operator there, and is none of a cache.
func PlanOf(ctx context.Context, reader client.Reader, tenant string) (Plan, error) {
	plan := Plan{Namespace: v1alpha1.TenantNamespace(tenant)}
	for _, kind := range lost() {
		list := &metav1.PartialObjectMetadataList{} // of a Secret its values are not read
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := reader.List(ctx, list, client.InNamespace(plan.Namespace)); err != nil {
			return plan, fmt.Errorf("list what deleting namespace %s would take: %w", plan.Namespace, err)
		}
		var all []metav1.Object
		for i := range list.Items {
			if counts(&list.Items[i]) {
				all = append(all, &list.Items[i])
			}
		}
		plan.add(kind.Kind, all)
	}
	pods := &corev1.PodList{}
	if err := reader.List(ctx, pods, client.InNamespace(plan.Namespace)); err != nil {
		return plan, fmt.Errorf("list what runs in namespace %s: %w", plan.Namespace, err)
	}
	var all []metav1.Object
	for i := range pods.Items {
		if runs(&pods.Items[i]) {
			all = append(all, &pods.Items[i])
		}
	}
	plan.add("Pod", all)
	return plan, nil
}

func (p *Plan) add(kind string, all []metav1.Object) {
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b metav1.Object) int { return strings.Compare(a.GetName(), b.GetName()) })
	loss := Loss{Kind: kind}
	for _, o := range all {
		loss.Names = append(loss.Names, o.GetName())
		if !sandbox(kind, o) {
			p.bound = append(p.bound, fmt.Sprintf("%s/%s/%s", kind, o.GetName(), o.GetUID()))
		}
	}
	p.Kinds = append(p.Kinds, loss)
}

// sandbox reports whether an object is the pod of a run. Others come and go all the
// time, and what they write is in a workspace: no confirmation is bound to one.
func sandbox(kind string, o metav1.Object) bool {
	return kind == "Pod" && o.GetLabels()[agents.LabelComponent] == agents.ComponentSandbox
}

// counts leaves out what the operator made, what is made for every namespace, and what
// goes with another that is counted.
func counts(o metav1.Object) bool {
	switch {
	case o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.Operator, made(o):
		return false
	case o.GetName() == "kube-root-ca.crt" || o.GetName() == "istio-ca-root-cert" || o.GetName() == "istio-ca-crl":
		return false
	}
	return o.GetAnnotations()[corev1.ServiceAccountNameKey] == "" // a token, which is made again
}

// made reports whether a controller made an object for another that is counted, or is
// the operator's.
func made(o metav1.Object) bool {
	owner := metav1.GetControllerOfNoCopy(o)
	return owner != nil && slices.Contains([]string{"StatefulSet", "Deployment", "ReplicaSet", "DaemonSet", "CronJob", "Job", "SandboxImage"}, owner.Kind)
}

// runs reports whether a pod is under way that no controller would start again: a
// sandbox's run ends with it.
func runs(p *corev1.Pod) bool {
	return counts(p) && p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}
