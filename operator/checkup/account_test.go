package checkup_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/checkup"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/preflight"
)

// R55: where a right lacks that the operator looks with, the fix is the command that
// gives it to the operator's own account, and to nobody else.
func TestAMissingRightIsGivenToTheOperator(t *testing.T) {
	w := platform(t)
	taken(t, w, "csidrivers")
	run := w.Start(t, checkup.New(w.Settings, clock.RealClock{}, nil))
	becomes(t, w, "spire-csi-driver", preflight.Unchecked)
	operatortest.Eventually(t, func() error {
		all, _, err := outcomes(t, w)
		if err != nil {
			return err
		}
		for _, f := range all["spire-csi-driver"].Findings {
			if strings.Contains(f.Fix, "--resource=csidrivers.storage.k8s.io") && strings.Contains(f.Fix, "--serviceaccount="+operatortest.System+":kora-operator") {
				return nil
			}
		}
		return fmt.Errorf("no command gives the right: %+v", all["spire-csi-driver"].Findings)
	})
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	w.Requests.Forgive() // the right was taken by the test
}

// taken takes a resource out of every ClusterRole of kora's until the test ends.
func taken(t *testing.T, w *operatortest.World, resource string) {
	t.Helper()
	list := &rbacv1.ClusterRoleList{}
	if err := w.Admin.List(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	for n := range list.Items {
		role := &list.Items[n]
		if !strings.HasPrefix(role.Name, "kora-") {
			continue
		}
		before := role.DeepCopy()
		role.Rules = slices.DeleteFunc(role.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Resources, resource) })
		if len(role.Rules) == len(before.Rules) {
			continue
		}
		if err := w.Admin.Update(t.Context(), role); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			now := &rbacv1.ClusterRole{}
			if err := w.Admin.Get(context.Background(), client.ObjectKeyFromObject(role), now); err != nil {
				t.Fatal(err)
			}
			now.Rules = before.Rules
			if err := w.Admin.Update(context.Background(), now); err != nil {
				t.Fatal(err)
			}
		})
	}
}
