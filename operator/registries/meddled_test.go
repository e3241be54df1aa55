package registries_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	"github.com/runkora/kora/operator/tenants"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R51: a pass that judged by a cache which did not hold what somebody else
// wrote into a status finds nothing to write. It is judged again when the cache
// shows it, long before the sync period, and then nothing is written any more.
func TestAForeignStatusIsPutRight(t *testing.T) {
	p := begin(t, nil, "meddled")
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	lag := operatortest.NewLag("connections")
	r := registries.New(p.Settings, clock.RealClock{})
	p.run = p.StartWith(t, manager.Options{Access: lag.Wrap(p.Access()), Parts: []manager.Part{tenants.New(p.Settings, clock.RealClock{}, r), r}})
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: v1alpha1.TenantNamespace("meddled"), Name: name}
	}
	o := &v1alpha1.Connection{ObjectMeta: meta("github"), Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"api.github.com"}, Authentication: v1alpha1.Authentication{Type: "none"}}}
	p.create(t, o)
	right := says(t, p, o, v1alpha1.ReasonSucceeded).DeepCopy()
	for n, change := range []func(*v1alpha1.Connection){
		func(c *v1alpha1.Connection) {
			c.Status.Conditions[0].Status, c.Status.Conditions[0].Reason = "False", "Failed"
		},
		func(c *v1alpha1.Connection) { c.Status.SecretHash = "0123" },
		func(c *v1alpha1.Connection) { c.Status.Conditions[0].Message = "all is well" },
	} {
		lag.Hold()
		meddled := right.DeepCopy()
		change(meddled)
		if err := p.Admin.Status().Patch(t.Context(), meddled, client.MergeFrom(right)); err != nil {
			t.Fatal(err)
		}
		other := &v1alpha1.OAuthClient{ObjectMeta: meta(fmt.Sprintf("client-%d", n)), Spec: v1alpha1.OAuthClientSpec{
			RedirectURIs: []v1alpha1.RedirectURI{"https://app.example.com/callback"}, GrantTypes: []v1alpha1.GrantType{"authorization_code"}, Public: true}}
		p.create(t, other)
		says(t, p, other, v1alpha1.ReasonSucceeded) // so a pass was made
		p.Quiet(t)                                  // and no other one is to come
		if now := read(t, p, right); now.ResourceVersion != meddled.ResourceVersion {
			t.Fatal("the cache does not lag: the test shows nothing")
		}
		lag.Release()
		operatortest.Eventually(t, func() error {
			now := read(t, p, right)
			c, want := now.Status.Conditions[0], right.Status.Conditions[0]
			if c.Reason != want.Reason || c.Message != want.Message || c.Status != want.Status || now.Status.SecretHash != right.Status.SecretHash {
				return fmt.Errorf("it stands: %+v", now.Status)
			}
			return nil
		})
	}
	p.Quiet(t)
}

func read(t *testing.T, p *place, o *v1alpha1.Connection) *v1alpha1.Connection {
	t.Helper()
	now := &v1alpha1.Connection{}
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), now); err != nil {
		t.Fatal(err)
	}
	return now
}
