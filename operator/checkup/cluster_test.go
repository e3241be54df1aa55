package checkup_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	"github.com/runkora/kora/operator/checkup"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/preflight"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

const planted = "planted-secret-value"

// away has no database and no Redis: this machine is asked, on a port where
// nothing listens.
func away() map[string]any {
	return map[string]any{
		"config":  map[string]any{"db": map[string]any{"host": "127.0.0.1", "port": 1}, "redis": map[string]any{"host": "127.0.0.1", "port": 1}},
		"gateway": map[string]any{"tls": map[string]any{"enabled": false}},
	}
}

// platform is a cluster on which every check can be decided but those of the
// services, and the operator's Deployment, as the chart makes it.
func platform(t *testing.T) *operatortest.World {
	t.Helper()
	w := operatortest.New(t, away())
	w.Settings.SyncPeriod = "1s"
	mesh.Definitions(t, w.Cluster)
	mesh.Istio{TrustDomain: "example.com"}.Install(t, w.Cluster)
	mesh.Spire(t, w.Cluster, "example.com")
	mesh.Ready(t, w.Cluster)
	mesh.Kubectl(t, w.Cluster, "", "label", "--overwrite", "namespace", operatortest.System, "istio-injection=enabled", "pod-security.kubernetes.io/enforce=restricted")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	secrets(t, w, "kora-secrets", map[string]string{
		"DB_PASSWORD": planted, "REDIS_PASSWORD": planted, "KORA_TRIGGERS_ENCRYPTION_KEY": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))),
		"KORA_TOKEN_SIGNING_KEY": string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
	})
	secrets(t, w, "kora-frontend-secrets", map[string]string{"BFF_SESSION_SECRET": planted + planted})
	for _, o := range operatortest.Rendered(t, away(), "Deployment") {
		if o.GetName() == "kora-operator" {
			w.Apply(t, o)
			t.Cleanup(func() { // the events about it are this test's, and the outcomes too
				_ = w.Admin.Delete(context.Background(), o)
				_ = w.Admin.Delete(context.Background(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: checkup.Status}})
			})
		}
	}
	return w
}

func secrets(t *testing.T, w *operatortest.World, name string, data map[string]string) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: name}, StringData: data}
	if err := w.Admin.Create(t.Context(), s); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

// outcomes are those that stand in the ConfigMap, and its condition.
func outcomes(t *testing.T, w *operatortest.World) (map[string]preflight.Outcome, metav1.Condition, error) {
	t.Helper()
	found := &corev1.ConfigMap{}
	if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: checkup.Status}, found); err != nil {
		return nil, metav1.Condition{}, err
	}
	if strings.Contains(fmt.Sprint(found.Data), planted) {
		t.Error("a secret stands in the ConfigMap")
	}
	var list []preflight.Outcome
	var conditions []metav1.Condition
	if err := json.Unmarshal([]byte(found.Data[checkup.KeyOutcomes]), &list); err != nil {
		return nil, metav1.Condition{}, err
	}
	if err := json.Unmarshal([]byte(found.Data[checkup.KeyConditions]), &conditions); err != nil || len(conditions) != 1 {
		return nil, metav1.Condition{}, fmt.Errorf("%d conditions, %v", len(conditions), err)
	}
	all := map[string]preflight.Outcome{}
	for _, o := range list {
		all[o.ID] = o
	}
	return all, conditions[0], nil
}

func becomes(t *testing.T, w *operatortest.World, id string, want preflight.State) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		all, _, err := outcomes(t, w)
		if err == nil && all[id].State != want {
			err = fmt.Errorf("%s is %s and not %s: %+v", id, all[id].State, want, all[id].Findings)
		}
		return err
	})
}

// said are the events about the operator's Deployment with a reason, that name a check.
func said(t *testing.T, w *operatortest.World, reason, check string) []eventsv1.Event {
	t.Helper()
	list, err := w.Cluster.Client().EventsV1().Events(operatortest.System).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := &appsv1.Deployment{}
	if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: "kora-operator"}, d); err != nil {
		t.Fatal(err)
	}
	var out []eventsv1.Event
	for _, e := range list.Items {
		if e.Regarding.UID == d.UID && e.Reason == reason && strings.HasPrefix(e.Note, check) {
			out = append(out, e)
		}
	}
	return out
}

// R55: with the rights that the chart gives the operator every check is decided,
// but for the services, which are not there; a fault is an event and a condition,
// its mend too, and an operator that starts anew does not say it all again.
func TestOperatorChecksTheClusterAndTellsWhatChanges(t *testing.T) {
	w := platform(t)
	registry := prometheus.NewRegistry()
	run := w.Start(t, checkup.New(w.Settings, clock.RealClock{}, registry))
	becomes(t, w, "node-taints", preflight.Passed)
	all, condition, err := outcomes(t, w)
	if err != nil {
		t.Fatal(err)
	}
	for id, o := range all {
		switch {
		case id == "postgres" || id == "redis":
			if o.State != preflight.Unchecked && o.State != preflight.Failed {
				t.Errorf("%s is %s where nothing listens", id, o.State)
			}
		case o.State != preflight.Passed && o.Reason == "":
			t.Errorf("%s is %s: %+v %v", id, o.State, o.Findings, o.BlockedBy)
		}
	}
	if condition.Type != checkup.Condition || condition.Status == metav1.ConditionTrue || !strings.Contains(condition.Message, "postgres, redis") {
		t.Errorf("%+v", condition)
	}
	if o := all["release"]; o.State != preflight.Skipped || o.Reason == "" {
		t.Errorf("the operator may not install a release: %+v", o)
	}

	drivers := w.Cluster.Client().StorageV1().CSIDrivers()
	driver, err := drivers.Get(t.Context(), "csi.spiffe.io", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := drivers.Delete(t.Context(), driver.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	becomes(t, w, "spire-csi-driver", preflight.Failed)
	operatortest.Eventually(t, func() error { return once(said(t, w, "PreflightFailed", "spire-csi-driver")) })
	if e := said(t, w, "PreflightFailed", "spire-csi-driver")[0]; !strings.Contains(e.Note, "fix: ") || e.Type != corev1.EventTypeWarning {
		t.Errorf("%+v", e)
	}
	if _, condition, _ := outcomes(t, w); condition.Status != metav1.ConditionFalse || !strings.Contains(condition.Message, "spire-csi-driver") {
		t.Errorf("%+v", condition)
	}
	if !measured(t, registry, "spire-csi-driver", "failed") || measured(t, registry, "spire-csi-driver", "passed") {
		t.Error("the metric tells another state")
	}

	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	w.Requests.Reset()
	w.Start(t, checkup.New(w.Settings, clock.RealClock{}, nil))
	operatortest.Eventually(t, func() error { return looked(w, 3) })
	if err := once(said(t, w, "PreflightFailed", "spire-csi-driver")); err != nil {
		t.Errorf("after a new start: %v", err)
	}
	if writes := w.Requests.Writes(); len(writes) != 0 {
		t.Errorf("nothing changed, and yet: %v", writes)
	}

	driver.ResourceVersion, driver.UID = "", ""
	if _, err := drivers.Create(t.Context(), driver, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	becomes(t, w, "spire-csi-driver", preflight.Passed)
	operatortest.Eventually(t, func() error { return once(said(t, w, "PreflightMended", "spire-csi-driver")) })
}

// once is one event that was seen one time.
func once(all []eventsv1.Event) error {
	if len(all) != 1 || all[0].Series != nil {
		return fmt.Errorf("%d events: %+v", len(all), all)
	}
	return nil
}

// looked waits for some looks: each asks some twenty things.
func looked(w *operatortest.World, times int) error {
	if n := w.Requests.Reads(); n < 20*times {
		return fmt.Errorf("%d requests", n)
	}
	return nil
}

func measured(t *testing.T, registry *prometheus.Registry, check, state string) bool {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.Metric {
			labels := map[string]string{}
			for _, l := range m.Label {
				labels[l.GetName()] = l.GetValue()
			}
			if f.GetName() == "kora_operator_preflight_check" && labels["check"] == check && labels["state"] == state && m.GetGauge().GetValue() == 1 {
				return true
			}
		}
	}
	return false
}

// R55: turned off, nothing is looked at, and what was found before is not taken
// for the state of today.
func TestTurnedOffItForgets(t *testing.T) {
	w := operatortest.New(t, away())
	w.Settings.Preflight = false
	stale := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: checkup.Status}}
	if err := w.Admin.Create(t.Context(), stale); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	w.Start(t, checkup.New(w.Settings, clock.RealClock{}, nil))
	operatortest.Eventually(t, func() error {
		if _, _, err := outcomes(t, w); !apierrors.IsNotFound(err) {
			return fmt.Errorf("it is still there: %v", err)
		}
		return nil
	})
}
