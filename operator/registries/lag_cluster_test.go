package registries_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R51: a provider whose own entry could not be written is told so until it is, also where
// another tenant's older entry of the host has the port by then.
func TestAnEntryThatLagsIsNoSuccess(t *testing.T) {
	f := beginFailing(t, "lags")
	f.create(t, secret("lags", "s", "key"))
	old := modelProvider("lags", "old", "https://models.example.com", "s")
	f.create(t, old)
	says(t, f.place, old, v1alpha1.ReasonSucceeded)
	time.Sleep(1100 * time.Millisecond) // the API server's times are in seconds
	young := modelProvider("lags", "young", "https://models.example.com", "s")
	f.create(t, young)
	says(t, f.place, young, v1alpha1.ReasonSucceeded)
	f.when(func(r *http.Request) bool {
		return r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/serviceentries/kora-model-young")
	})
	f.patch(t, young, `{"spec":{"endpoint":"https://models.example.com:8443"}}`)
	says(t, f.place, young, v1alpha1.ReasonFailed, "kora-model-young")
	for n := range 3 { // each has another pass
		other := modelProvider("lags", fmt.Sprint("other-", n), "https://other.example.com", "s")
		f.create(t, other)
		says(t, f.place, other, v1alpha1.ReasonSucceeded)
		now := young.DeepCopy()
		if err := f.Admin.Get(t.Context(), client.ObjectKeyFromObject(young), now); err != nil || meta.IsStatusConditionTrue(now.Status.Conditions, v1alpha1.ConditionReady) {
			t.Fatalf("%+v, %v", now.Status, err)
		}
	}
	f.answers.Whole()
	says(t, f.place, young, v1alpha1.ReasonSucceeded)
	operatortest.Eventually(t, func() error {
		is := serviceEntry("lags", "kora-model-young")
		err := f.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is)
		if ports := fmt.Sprint(is.Object["spec"]); err == nil && !strings.Contains(ports, "8443") {
			err = fmt.Errorf("the ports are %s", ports)
		}
		return err
	})
}
