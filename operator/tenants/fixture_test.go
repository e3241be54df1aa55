package tenants_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// world is a test's own operator of tenants, with the machine's clock.
func world(t *testing.T) *operatortest.World {
	t.Helper()
	w := operatortest.New(t, nil)
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	return w
}

// tenant is a valid one; change may alter it before it is made. It goes with the test.
func tenant(t *testing.T, w *operatortest.World, name string, change func(*v1alpha1.KoraTenant)) *v1alpha1.KoraTenant {
	t.Helper()
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.KoraTenantSpec{
		DisplayName: "Team " + name, OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
	if change != nil {
		change(o)
	}
	if err := w.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gone(t, w, o) })
	return o
}

// gone takes a tenant and its namespace away, whatever runs.
func gone(t *testing.T, w *operatortest.World, o *v1alpha1.KoraTenant) {
	ctx := context.Background()
	_ = w.Admin.Delete(ctx, o)
	_ = w.Admin.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	_ = w.Admin.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(o.Name)}})
}

// says waits until a condition of the tenant, at its present generation, has a
// status and a reason, and a message that holds the texts.
func says(t *testing.T, w *operatortest.World, name, condition, state, reason string, texts ...string) *v1alpha1.KoraTenant {
	t.Helper()
	got := &v1alpha1.KoraTenant{}
	operatortest.Eventually(t, func() error {
		if err := w.Admin.Get(t.Context(), client.ObjectKey{Name: name}, got); err != nil {
			return err
		}
		c := meta.FindStatusCondition(got.Status.Conditions, condition)
		if c == nil || c.ObservedGeneration != got.Generation || string(c.Status) != state || c.Reason != reason {
			return fmt.Errorf("%s of %s is %+v\nall: %+v", condition, name, c, got.Status)
		}
		for _, text := range texts {
			if !strings.Contains(c.Message, text) {
				return fmt.Errorf("%s lacks %q: %s", condition, text, c.Message)
			}
		}
		return nil
	})
	return got
}

func ready(t *testing.T, w *operatortest.World, name string) *v1alpha1.KoraTenant {
	t.Helper()
	return says(t, w, name, v1alpha1.ConditionReady, "True", v1alpha1.ReasonSucceeded)
}

// turn has a tenant looked at again, as the periodic pass does.
func turn(t *testing.T, w *operatortest.World, name string) {
	t.Helper()
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed(name)}, fmt.Sprintf(`{"metadata":{"annotations":{"example.com/turn":"%d"}}}`, time.Now().UnixNano()))
}

// get reads an object of the cluster, or fails the test.
func get[T client.Object](t *testing.T, w *operatortest.World, o T, namespace, name string) T {
	t.Helper()
	if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// patch merges JSON into an object.
func patch(t *testing.T, w *operatortest.World, o client.Object, change string) {
	t.Helper()
	if err := w.Admin.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(change))); err != nil {
		t.Fatal(err)
	}
}

// missing waits until an object is not there.
func missing(t *testing.T, w *operatortest.World, o client.Object) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o)
		if err == nil {
			return errors.New(o.GetName() + " is there")
		}
		return client.IgnoreNotFound(err)
	})
}

// steady fails when the operator writes anything in a second in which nothing
// changes; it looks only after writes have ended.
func steady(t *testing.T, w *operatortest.World, touch func()) {
	t.Helper()
	settle(t, w)
	w.Requests.Reset()
	touch()
	time.Sleep(time.Second)
	if writes := w.Requests.Writes(); len(writes) > 0 {
		t.Errorf("nothing changed, and it wrote %q", writes)
	}
}

// settle waits until a second has passed without a write.
func settle(t *testing.T, w *operatortest.World) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		before := len(w.Requests.Writes())
		time.Sleep(time.Second)
		if after := len(w.Requests.Writes()); after != before {
			return fmt.Errorf("still writing: %q", w.Requests.Writes()[before:])
		}
		return nil
	})
}

// pullSecret makes one in the system namespace.
func pullSecret(t *testing.T, w *operatortest.World, name, password string) *corev1.Secret {
	t.Helper()
	o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: name}, Type: corev1.SecretTypeDockerConfigJson,
		Data: map[string][]byte{corev1.DockerConfigJsonKey: []byte(`{"auths":{"registry.example.com":{"password":"` + password + `"}}}`)}}
	if err := w.Admin.Create(t.Context(), o); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), o) })
	return o
}

func keyOf(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: v1alpha1.TenantNamespace(name), Name: v1alpha1.TenantCA}
}
