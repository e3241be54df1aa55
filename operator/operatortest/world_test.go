package operatortest_test

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
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// R50: the rights are the chart's and no more, and what is asked is counted.
func TestTheOperatorHasTheChartsRights(t *testing.T) {
	world := operatortest.New(t, nil)
	operator, err := client.New(world.Access(), client.Options{Scheme: world.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	if err := operator.List(t.Context(), &v1alpha1.KoraTenantList{}); err != nil {
		t.Errorf("it lists tenants: %v", err)
	}
	if reads, writes := world.Requests.Reads(), world.Requests.Writes(); reads == 0 || len(writes) != 0 {
		t.Errorf("%d reads, writes %v", reads, writes)
	}
	if err := operator.List(t.Context(), &corev1.SecretList{}); !apierrors.IsForbidden(err) {
		t.Errorf("it lists all Secrets: %v", err)
	}
	if faults := world.Requests.Faults(); len(faults) != 1 {
		t.Errorf("the missing right is not told: %q", faults)
	}
	world.Requests.Forgive()
}

// A manager with no part starts, fills its caches with the chart's rights, and ends.
func TestManagerStartsAndStops(t *testing.T) {
	world := operatortest.New(t, nil)
	run := world.Start(t)
	if err := run.Stop(); err != nil {
		t.Error(err)
	}
}

// twofold is a reconciler that says when to come back, and fails.
type twofold struct{}

func (twofold) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("twofold").For(&corev1.Namespace{}).Complete(twofold{})
}

func (twofold) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: time.Minute}, errors.New("no good")
}

// R50: a reconciler that gives both a time and an error, of which the time is lost,
// fails its test.
func TestATimeBesideAnErrorIsAFault(t *testing.T) {
	home := &corev1.Namespace{}
	home.Name, home.Labels = "kora-tenant-twofold", map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
	world := operatortest.New(t, nil)
	if err := world.Admin.Create(t.Context(), home); err != nil {
		t.Fatal(err)
	}
	run := world.Start(t, twofold{})
	operatortest.Eventually(t, func() error {
		if faults := world.Requests.Faults(); len(faults) == 0 || !strings.Contains(faults[0], "both a result") {
			return fmt.Errorf("told: %q", faults)
		}
		return nil
	})
	if err := run.Stop(); err != nil {
		t.Error(err)
	}
	world.Requests.Forgive()
}
