package soak_test

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// harm is what somebody does to an object that the operator keeps.
type harm struct {
	object client.Object
	change string // empty: it is deleted
}

func harms(tenant string) []harm {
	entry := &unstructured.Unstructured{}
	entry.SetAPIVersion("networking.istio.io/v1")
	entry.SetKind("ServiceEntry")
	entry.SetNamespace(v1alpha1.TenantNamespace(tenant))
	entry.SetName("kora-model-claude")
	return []harm{
		{&networkingv1.NetworkPolicy{ObjectMeta: in(tenant, "kora-default-deny")}, ""},
		{&networkingv1.NetworkPolicy{ObjectMeta: in(tenant, "kora-default-deny")}, `{"spec":{"egress":[{}],"ingress":[{}]}}`},
		{&networkingv1.NetworkPolicy{ObjectMeta: in(tenant, "kora-dns")}, `{"metadata":{"labels":{"app.kubernetes.io/managed-by":null}}}`},
		{&rbacv1.RoleBinding{ObjectMeta: in(tenant, "kora-agents-tenant")}, ""},
		{&rbacv1.RoleBinding{ObjectMeta: in(tenant, "kora-egress-tenant")}, `{"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"eve"}]}`},
		{&corev1.ConfigMap{ObjectMeta: in(tenant, "kora-opa")}, ""},
		{&corev1.ConfigMap{ObjectMeta: in(tenant, v1alpha1.TenantCA)}, `{"data":{"ca.crt":"mine"}}`},
		{&v1alpha1.SandboxImage{ObjectMeta: in(tenant, "kora-base")}, ""},
		{&v1alpha1.SandboxImage{ObjectMeta: in(tenant, "kora-go")}, `{"spec":{"description":"mine"}}`},
		{&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-registry-connection-0"}}, `{"data":{"registry.json":"{}"}}`},
		{&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-registry-mcpserver-0"}}, ""},
		{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(tenant)}}, `{"metadata":{"labels":{"istio-injection":"disabled","pod-security.kubernetes.io/enforce":"privileged"}}}`},
		{entry, `{"spec":{"hosts":["elsewhere.example.com"]}}`},
		{entry, ""},
	}
}

// tamper harms one object. Where it is not there just now, nothing is to harm.
func (s *soak) tamper(ctx context.Context, tenant string) error {
	all := harms(tenant)
	h := all[s.model.below(len(all))]
	return patiently(ctx, func() error { return s.do(ctx, h) })
}

func (s *soak) do(ctx context.Context, h harm) error {
	o := h.object.DeepCopyObject().(client.Object)
	var err error
	if h.change == "" {
		err = client.IgnoreNotFound(s.Admin.Delete(ctx, o))
	} else {
		err = client.IgnoreNotFound(s.Admin.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(h.change))))
	}
	if err != nil {
		return fmt.Errorf("%T %s: %w", h.object, h.object.GetName(), err)
	}
	return nil
}
