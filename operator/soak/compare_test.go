package soak_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// state is what the cluster holds, by namespace and then "Kind name".
type state map[string]map[string]client.Object

// kept are the operator's own kinds in tenants' namespaces. Secrets of tenants'
// people are not among them.
func kept() []client.ObjectList {
	entries := &unstructured.UnstructuredList{}
	entries.SetAPIVersion("networking.istio.io/v1")
	entries.SetKind("ServiceEntryList")
	return []client.ObjectList{&corev1.NamespaceList{}, &networkingv1.NetworkPolicyList{}, &rbacv1.RoleBindingList{}, &rbacv1.RoleList{},
		&corev1.ConfigMapList{}, &corev1.SecretList{}, entries}
}

// look lists everything of kora's kinds, and whatever else the operator made.
func (s *soak) look(ctx context.Context) (state, error) {
	all := state{}
	enter := func(kind string, o client.Object) {
		at := o.GetNamespace()
		if kind == "Namespace" {
			at = o.GetName()
		}
		if all[at] == nil {
			all[at] = map[string]client.Object{}
		}
		all[at][kind+" "+o.GetName()] = o
	}
	for _, list := range lists() {
		if err := s.Admin.List(ctx, list); err != nil {
			return nil, err
		}
		for _, o := range objects(list) {
			enter(status.Kind(o), o)
		}
	}
	for _, list := range kept() {
		if err := s.Admin.List(ctx, list, client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}); err != nil {
			return nil, err
		}
		kind := strings.TrimSuffix(reflect.TypeOf(list).Elem().Name(), "List")
		if kind == "Unstructured" {
			kind = "ServiceEntry"
		}
		_ = meta.EachListItem(list, func(o runtime.Object) error { enter(kind, o.(client.Object)); return nil })
	}
	return all, nil
}

// wrong is everything that is not as it should be: what is lost, what is there
// twice or without a reason, and statuses that are not in order.
func (s *soak) wrong(ctx context.Context) error {
	all, err := s.look(ctx)
	if err != nil {
		return err
	}
	faults := s.statuses(all)
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	for name, resources := range s.model.tenants {
		faults = append(faults, s.tenant(all, name, resources)...)
	}
	for namespace := range all {
		name, is := strings.CutPrefix(namespace, v1alpha1.TenantNamespacePrefix)
		if _, wanted := s.model.tenants[name]; is && !wanted {
			faults = append(faults, fmt.Sprintf("%s: left over: %v", namespace, slices.Sorted(maps.Keys(all[namespace]))))
		}
	}
	for id := range all[""] {
		if name, is := strings.CutPrefix(id, "KoraTenant "); is && s.model.tenants[name] == nil {
			faults = append(faults, id+" is left over")
		}
	}
	faults = append(faults, s.registries(all)...)
	if len(faults) > 0 {
		slices.Sort(faults)
		return fmt.Errorf("%d are wrong: %s", len(faults), strings.Join(faults[:min(8, len(faults))], "\n\t"))
	}
	return nil
}

// statuses lints all, and finds those that are not Ready.
func (s *soak) statuses(all state) (faults []string) {
	for _, objects := range all {
		for id, o := range objects {
			k, is := o.(v1alpha1.Object)
			if !is {
				continue
			}
			faults = append(faults, status.Lint(k)...)
			if c := summary(k); c == nil || c.Status != "True" || c.ObservedGeneration != o.GetGeneration() {
				faults = append(faults, fmt.Sprintf("%s/%s is not ready: %+v", o.GetNamespace(), id, c))
			}
		}
	}
	return faults
}

// tenant compares one tenant's objects with what they should be.
func (s *soak) tenant(all state, name string, resources map[string]client.Object) (faults []string) {
	there := all[v1alpha1.TenantNamespace(name)]
	bad := func(format string, args ...any) {
		faults = append(faults, "tenant "+name+": "+fmt.Sprintf(format, args...))
	}
	wanted := s.wanted(name, resources)
	for id := range wanted {
		if there[id] == nil {
			bad("%s is lost", id)
		}
	}
	for id, is := range there {
		want, known := wanted[id]
		switch {
		case !known:
			bad("%s is there, and nothing wants it", id)
		case want != nil && !equality.Semantic.DeepEqual(specOf(want), specOf(is)):
			bad("%s is %v and not %v", id, specOf(is), specOf(want))
		}
	}
	if o := all[""]["KoraTenant "+name]; o == nil {
		bad("it is lost")
	} else if home := there["Namespace "+v1alpha1.TenantNamespace(name)]; home != nil && home.GetAnnotations()[v1alpha1.AnnotationTenantUID] != string(o.GetUID()) {
		bad("its namespace is another's")
	}
	if fault := s.authority(name, there); fault != "" {
		bad("%s", fault)
	}
	return faults
}

// wanted are the ids of all objects in a tenant's namespace, with the object whose
// spec it should have; nil where another test compares what is in it.
func (s *soak) wanted(name string, resources map[string]client.Object) map[string]client.Object {
	all := maps.Clone(resources)
	for _, image := range bundled {
		all["SandboxImage "+image] = nil
	}
	for id, o := range resources {
		if strings.HasPrefix(id, "ModelProvider ") {
			all["ServiceEntry kora-model-"+o.GetName()] = nil
		}
	}
	for id, o := range s.pattern {
		all[id] = o
	}
	all["Namespace "+v1alpha1.TenantNamespace(name)] = nil
	return all
}

// authority: each tenant has one, the same ever since it was first seen.
func (s *soak) authority(name string, there map[string]client.Object) string {
	secret, _ := there["Secret "+v1alpha1.TenantCA].(*corev1.Secret)
	published, _ := there["ConfigMap "+v1alpha1.TenantCA].(*corev1.ConfigMap)
	if secret == nil || published == nil {
		return "" // it is lost, which is told
	}
	state, err := authority.Parse(secret.Data)
	if err != nil || len(state.Trusted()) != 1 || published.Data[authority.KeyTrusted] != string(state.Bundle()) {
		return fmt.Sprintf("its certificate authority is not one, and published: %v", err)
	}
	if known := s.model.authorities[name]; known != "" && known != string(state.Bundle()) {
		return "its certificate authority was made again"
	}
	s.model.authorities[name] = string(state.Bundle())
	return ""
}

// specOf is what an object says, without what is its tenant's own.
func specOf(o client.Object) any {
	switch o := o.(type) {
	case *networkingv1.NetworkPolicy:
		return o.Spec
	case *rbacv1.RoleBinding:
		return []any{o.RoleRef, o.Subjects}
	case *rbacv1.Role:
		return o.Rules
	case v1alpha1.Object:
		return rules.Spec(o)
	}
	return nil
}

// remember takes one tenant as the pattern of what every one has, and compares all.
func (s *soak) remember(t *testing.T) {
	t.Helper()
	all, err := s.look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.pattern = map[string]client.Object{}
	for id, o := range all[v1alpha1.TenantNamespace(s.model.names()[0])] {
		kind, _, _ := strings.Cut(id, " ")
		if slices.Contains([]string{"NetworkPolicy", "RoleBinding", "Role", "ConfigMap", "Secret"}, kind) {
			s.pattern[id] = o
		}
	}
	if len(s.pattern) < 10 {
		t.Fatalf("a tenant has only %v", slices.Sorted(maps.Keys(s.pattern)))
	}
	s.right(t, "at first")
}

// right waits until everything is as it should be.
func (s *soak) right(t *testing.T, when string) time.Duration {
	t.Helper()
	return s.until(t, when, func() error { return s.wrong(t.Context()) })
}
