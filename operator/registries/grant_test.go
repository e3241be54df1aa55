package registries_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// may asks the API server what a service may do with a Secret.
func may(ctx context.Context, p *place, service, verb, tenant, secret string) (bool, error) {
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               "system:serviceaccount:" + operatortest.System + ":" + service,
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Resource: "secrets", Namespace: v1alpha1.TenantNamespace(tenant), Name: secret},
	}}
	review, err := p.Cluster.Client().AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	return review.Status.Allowed, nil
}

// readable waits until of some Secrets a service may get exactly those that are named.
func readable(t *testing.T, p *place, service, tenant string, secrets ...string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		want := map[string]bool{}
		for _, name := range secrets {
			want[name] = true
		}
		for _, name := range []string{"api", "sign-in", "models", "more", "nobodys", v1alpha1.TenantCA} {
			switch got, err := may(t.Context(), p, service, "get", tenant, name); {
			case err != nil:
				return err
			case got != want[name]:
				return fmt.Errorf("%s may get %s of %s: %v", service, name, tenant, got)
			}
		}
		return nil
	})
}

// R51: a service may get exactly the Secrets that entries of its kind name, where
// they are, and nothing else; the right follows the entries, and is put right when
// somebody changes it.
func TestServicesReadTheSecretsOfTheirEntries(t *testing.T) {
	p := begin(t, nil, "granted", "other")
	p.create(t, secret("granted", "api", "token"), secret("granted", "sign-in", "client-secret"), secret("granted", "models", "key"),
		secret("granted", "more", "token"), secret("granted", "nobodys", "token"), secret("other", "api", "token"))
	api, more := connection("granted", "api", "api"), connection("granted", "more", "more")
	p.create(t, api, connection("granted", "again", "api"), more, connection("granted", "wrong", "missing"), oauthClient("granted", "cli", "sign-in"),
		modelProvider("granted", "models", "https://models.example.com", "models"))
	readable(t, p, "kora-egress", "granted", "api", "more")
	readable(t, p, "kora-identity", "granted", "sign-in")
	readable(t, p, "kora-inference", "granted", "models")
	for _, service := range []string{"kora-mcp", "kora-agents", "kora-gateway"} {
		readable(t, p, service, "granted")
	}
	readable(t, p, "kora-egress", "other")
	for _, verb := range []string{"list", "watch", "update", "patch", "delete"} {
		if got, err := may(t.Context(), p, "kora-egress", verb, "granted", "api"); err != nil || got {
			t.Errorf("kora-egress may %s a Secret: %v, %v", verb, got, err)
		}
	}
	p.Quiet(t)
	listed(t, p, "granted", "Role kora-egress-secrets", "RoleBinding kora-egress-secrets", "Role kora-identity-secrets", "Role kora-inference-secrets")

	if err := p.Admin.Delete(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	readable(t, p, "kora-egress", "granted", "api")
	p.patch(t, grantRole("granted", "kora-egress"), `{"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}]}`)
	readable(t, p, "kora-egress", "granted", "api")
	p.patch(t, &rbacv1.RoleBinding{ObjectMeta: grantRole("granted", "kora-identity").ObjectMeta}, `{"subjects":[{"kind":"ServiceAccount","name":"kora-mcp","namespace":"kora-system"}]}`)
	readable(t, p, "kora-identity", "granted", "sign-in")
	readable(t, p, "kora-mcp", "granted")

	p.patch(t, &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: "granted"}}, `{"spec":{"suspended":true}}`)
	for _, service := range []string{"kora-egress", "kora-identity", "kora-inference"} {
		readable(t, p, service, "granted")
		operatortest.Eventually(t, func() error { return absent(t.Context(), p, grantRole("granted", service)) })
	}
	p.Quiet(t)
}

// listed waits until a tenant's inventory has objects, "Role a".
func listed(t *testing.T, p *place, name string, want ...string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		tenant := &v1alpha1.KoraTenant{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Name: name}, tenant); err != nil {
			return err
		}
		var has []string
		for _, item := range tenant.Status.Inventory {
			has = append(has, item.Kind+" "+item.Name)
		}
		for _, one := range want {
			if !slices.Contains(has, one) {
				return fmt.Errorf("%s is not in %q", one, has)
			}
		}
		return nil
	})
}

func absent(ctx context.Context, p *place, o client.Object) error {
	err := p.Admin.Get(ctx, client.ObjectKeyFromObject(o), o)
	if err == nil {
		return fmt.Errorf("%T %s is there", o, o.GetName())
	}
	return client.IgnoreNotFound(err)
}

func grantRole(tenant, service string) *rbacv1.Role {
	return &rbacv1.Role{ObjectMeta: in(tenant, registries.GrantName(service))}
}

// R50, R51: a resource that names a Secret of the operator's, such as a certificate
// authority with its key, is refused, and no service may read that Secret for it.
func TestTheOperatorsSecretsAreNobodys(t *testing.T) {
	p := begin(t, nil, "sealed")
	mtls := connection("sealed", "mtls", v1alpha1.TenantCA)
	mtls.Spec.Authentication.Type, mtls.Spec.Authentication.SecretRef.Key = v1alpha1.AuthenticationMTLS, ""
	vertex := modelProvider("sealed", "vertex", "https://models.example.com", v1alpha1.TenantCA)
	vertex.Spec.Type, vertex.Spec.SecretRef.Key = v1alpha1.ProviderVertex, "tls.key"
	p.create(t, mtls, vertex)
	says(t, p, mtls, v1alpha1.ReasonInvalid, "spec.authentication.secretRef.name", "the operator's own")
	says(t, p, vertex, v1alpha1.ReasonInvalid, "spec.secretRef.name", "the operator's own")
	readable(t, p, "kora-egress", "sealed")
	readable(t, p, "kora-inference", "sealed")
}
