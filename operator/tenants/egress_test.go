package tenants_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: the authority's key is readable by the operator alone, its deputy's by the
// operator and, under this one name, by kora-egress. The API server judges.
func TestOnlyTheOperatorReadsTheAuthority(t *testing.T) {
	w := world(t)
	tenant(t, w, "sealed", nil)
	ready(t, w, "sealed")
	accounts := operatortest.Rendered(t, nil, "ServiceAccount")
	if len(accounts) < 5 {
		t.Fatalf("the chart has %d ServiceAccounts", len(accounts))
	}
	for _, o := range accounts {
		account := "system:serviceaccount:" + operatortest.System + ":" + o.GetName()
		for _, c := range []struct{ verb, name string }{
			{"get", v1alpha1.TenantCA}, {"get", v1alpha1.EgressCA}, {"list", ""}, {"watch", ""},
			{"update", v1alpha1.TenantCA}, {"update", v1alpha1.EgressCA}, {"patch", v1alpha1.EgressCA}, {"create", ""}, {"delete", v1alpha1.TenantCA},
		} {
			want := o.GetName() == v1alpha1.Operator && c.verb != "watch" && c.verb != "patch" ||
				o.GetName() == "kora-egress" && c.verb == "get" && c.name == v1alpha1.EgressCA
			if got := may(t, w, account, c.verb, c.name); got != want {
				t.Errorf("%s may %s the Secret %q: %v", o.GetName(), c.verb, c.name, got)
			}
		}
	}
	if may(t, w, "system:serviceaccount:kora-tenant-sealed:default", "get", v1alpha1.EgressCA) {
		t.Error("sandboxes may read the deputy's key")
	}
	egress := as(t, w, "kora-egress")
	if err := egress.Get(t.Context(), client.ObjectKey{Namespace: "kora-tenant-sealed", Name: v1alpha1.EgressCA}, &corev1.Secret{}); err != nil {
		t.Error(err)
	}
	if err := egress.Get(t.Context(), keyOf("sealed"), &corev1.Secret{}); !apierrors.IsForbidden(err) {
		t.Errorf("kora-egress and the authority's key: %v", err)
	}
}

// may asks the API server about a Secret of the tenant sealed.
func may(t *testing.T, w *operatortest.World, user, verb, name string) bool {
	t.Helper()
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user,
		Groups:             []string{"system:serviceaccounts", "system:authenticated"},
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: "kora-tenant-sealed", Verb: verb, Resource: "secrets", Name: name}}}
	got, err := w.Cluster.Client().AuthorizationV1().SubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got.Status.Allowed
}

// as is a client of one of the platform's services.
func as(t *testing.T, w *operatortest.World, account string) client.Client {
	t.Helper()
	config := w.Cluster.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + operatortest.System + ":" + account, Groups: []string{"system:authenticated"}}
	c, err := client.New(config, client.Options{Scheme: w.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// R50: what the gateway signs verifies against the published bundle before, during
// and after each renewal, of its intermediate and of the authority, also for a
// sandbox that read the bundle a step before; what it signed before does too.
func TestWhatTheGatewaySignsVerifies(t *testing.T) {
	const day = 24 * time.Hour
	g := &gateway{renewing: renew(t, "gated")}
	g.later(0)
	certificates, bundles := map[string]bool{}, map[string]bool{}
	stale := g.bundle()
	step := func(d time.Duration) {
		g.later(d)
		certificates[string(g.sign())] = true
		bundles[g.bundle()] = true
		g.verify(g.bundle())
		if d <= day {
			g.verify(stale)
		}
		stale = g.bundle()
	}
	for _, d := range []time.Duration{0, 19 * day, day - time.Hour, 2 * time.Hour, day - 2*time.Hour} { // its first renewal, at 20 days
		step(d)
	}
	if len(certificates) != 2 || len(bundles) != 1 {
		t.Errorf("%d intermediates, %d bundles: want 2 and 1", len(certificates), len(bundles))
	}
	step(200 * day)
	for range 8 { // over the authority's renewal, at 243 days and a day
		step(23 * time.Hour)
		step(time.Hour)
		step(2 * day)
	}
	step(23 * time.Hour)
	step(2 * time.Hour) // the next signs
	step(130 * day)     // the first authority has ended
	step(23 * time.Hour)
	if len(bundles) != 4 { // the first, both, both the other way round, the second
		t.Errorf("%d bundles were published", len(bundles))
	}
}

// R50: an intermediate that is deleted, spoiled or another's comes back; one that
// is not the operator's is left alone, and the authority is untouched.
func TestTheIntermediateComesBack(t *testing.T) {
	w := world(t)
	tenant(t, w, "deputised", nil)
	ready(t, w, "deputised")
	const home = "kora-tenant-deputised"
	root := get(t, w, &corev1.Secret{}, home, v1alpha1.TenantCA)
	again := func() { turn(t, w, "deputised") }
	secret := named(&corev1.Secret{}, home, v1alpha1.EgressCA)
	for name, spoil := range map[string]func() error{
		"deleted": func() error { return w.Admin.Delete(t.Context(), secret.DeepCopy()) },
		"spoiled": func() error {
			return w.Admin.Patch(t.Context(), secret.DeepCopy(), merge(`{"data":{"tls.key":"anVuaw=="}}`))
		},
		"no roots": func() error { return w.Admin.Patch(t.Context(), secret.DeepCopy(), merge(`{"data":{"ca.crt":""}}`)) },
		"of no chain": func() error {
			return w.Admin.Patch(t.Context(), secret.DeepCopy(), merge(`{"data":{"previous.crt":"eA=="}}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			again()
			operatortest.Eventually(t, func() error {
				now := &corev1.Secret{}
				if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(secret), now); err != nil {
					return err
				}
				if string(now.Data["ca.crt"]) != string(root.Data["ca.crt"]) {
					return fmt.Errorf("its roots are %q", now.Data["ca.crt"])
				}
				_, err := authority.ParseDeputy(now.Data)
				return err
			})
		})
	}
	patch(t, w, secret, `{"metadata":{"labels":{"app.kubernetes.io/managed-by":"somebody"}},"data":{"tls.key":"anVuaw=="}}`)
	again()
	got := says(t, w, "deputised", v1alpha1.ConditionCAReady, "False", v1alpha1.ReasonConflict, "Secret kora-egress-ca", "left alone")
	row(t, got, "Secret", v1alpha1.EgressCA, v1alpha1.InventoryConflict, v1alpha1.ReasonConflict)
	patch(t, w, secret, `{"metadata":{"labels":{"app.kubernetes.io/managed-by":"kora-operator"}}}`)
	again()
	ready(t, w, "deputised")
	if now := get(t, w, &corev1.Secret{}, home, v1alpha1.TenantCA); now.ResourceVersion != root.ResourceVersion {
		t.Error("the authority was changed")
	}
}

func merge(change string) client.Patch {
	return client.RawPatch("application/merge-patch+json", []byte(change))
}

// row fails unless the inventory has the object in this state, for this reason.
func row(t *testing.T, o *v1alpha1.KoraTenant, kind, name string, state v1alpha1.InventoryState, reason string) {
	t.Helper()
	if err := rowIs(o, kind, name, state, reason); err != nil {
		t.Error(err)
	}
}
