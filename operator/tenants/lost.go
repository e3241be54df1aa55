package tenants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/rules"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// lost are the kinds that nobody makes again: workspaces, what the tenant's people wrote,
// agents and what runs, each behind what makes it.
func lost() []schema.GroupVersionKind {
	all := []schema.GroupVersionKind{{Version: "v1", Kind: "PersistentVolumeClaim"}}
	add := func(group string, kinds ...string) {
		for _, kind := range kinds {
			all = append(all, schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind})
		}
	}
	add("apps", "StatefulSet", "Deployment", "ReplicaSet")
	add("", "ReplicationController")
	add("batch", "CronJob", "Job")
	for _, o := range rules.OfTenants() {
		all = append(all, v1alpha1.GroupVersion.WithKind(rules.KindOf(o)))
	}
	add("apps", "DaemonSet")
	add("", "Secret", "ConfigMap")
	return all
}

// PlanOf lists what is in the namespace of a tenant. The reader has the rights of
// the operator there, and is none of a cache.
func PlanOf(ctx context.Context, reader client.Reader, tenant string) (Plan, error) {
	plan := Plan{Namespace: v1alpha1.TenantNamespace(tenant), seen: map[string]bool{}}
	for _, kind := range lost() {
		list := &metav1.PartialObjectMetadataList{} // of a Secret its values are not read
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := plan.read(ctx, reader, kind.Kind, list); err != nil {
			return plan, fmt.Errorf("list what deleting namespace %s would take: %w", plan.Namespace, err)
		}
	}
	if err := plan.read(ctx, reader, "Pod", &corev1.PodList{}); err != nil {
		return plan, fmt.Errorf("list what runs in namespace %s: %w", plan.Namespace, err)
	}
	return plan, nil
}

// found is as much of an object as a plan holds.
type found struct {
	name, uid string
	passing   bool // it comes and goes: no confirmation is bound to it
}

// read adds the objects of one kind.
func (p *Plan) read(ctx context.Context, reader client.Reader, kind string, list client.ObjectList) error {
	var all []found
	for o, err := range pages.Of(ctx, reader, list, client.InNamespace(p.Namespace)) {
		if err != nil {
			return err
		}
		if makes(kind) {
			p.seen[kind+"/"+string(o.GetUID())] = true
		}
		if pod, is := o.(*corev1.Pod); p.counts(kind, o) && (!is || runs(pod)) {
			all = append(all, found{o.GetName(), string(o.GetUID()), is && sandbox(pod)})
		}
	}
	p.add(kind, all)
	return nil
}

func (p *Plan) add(kind string, all []found) {
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b found) int { return strings.Compare(a.name, b.name) })
	loss := Loss{Kind: kind}
	for _, o := range all {
		loss.Names = append(loss.Names, o.name)
		if !o.passing {
			p.bound = append(p.bound, fmt.Sprintf("%s/%s/%s", kind, o.name, o.uid))
		}
	}
	p.Kinds = append(p.Kinds, loss)
}
