package registries_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

var _ tenants.Leaver = (*registries.Reconciler)(nil)

// planted is the value of every secret: it may be nowhere but in Secrets.
const planted = "PLANTED-s3cret"

// place is a test's own operator and tenants.
type place struct {
	*operatortest.World
	run *operatortest.Run
	mu  sync.Mutex
	log []string
}

// begin starts the operator's registries, and the tenants that give them homes.
func begin(t *testing.T, values map[string]any, names ...string) *place {
	t.Helper()
	p := &place{World: operatortest.New(t, values)}
	p.Define(t, serviceEntries(t))
	p.start(t)
	for _, name := range names {
		p.tenant(t, name)
	}
	t.Cleanup(func() { p.keepsSecrets(t) })
	return p
}

// start runs the parts; settings may have been changed before.
func (p *place) start(t *testing.T) {
	t.Helper()
	r := registries.New(p.Settings, clock.RealClock{})
	p.run = p.StartWith(t, manager.Options{
		Log:   funcr.New(func(prefix, args string) { p.mu.Lock(); p.log = append(p.log, prefix+args); p.mu.Unlock() }, funcr.Options{Verbosity: 2}),
		Parts: []manager.Part{tenants.New(p.Settings, clock.RealClock{}, r), r}})
}

// tenant makes one and waits until the operator may work in its namespace.
func (p *place) tenant(t *testing.T, name string) {
	t.Helper()
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.KoraTenantSpec{
		OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
	if err := p.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.gone(t, o) })
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		if c := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionReady); c == nil || c.Status != metav1.ConditionTrue {
			return fmt.Errorf("%+v", o.Status.Conditions)
		}
		return nil
	})
}

// gone takes a tenant away with its namespace, when the operator has stopped.
func (p *place) gone(t *testing.T, o *v1alpha1.KoraTenant) {
	ctx := context.Background()
	_ = p.run.Stop()
	_ = p.Admin.Delete(ctx, o)
	_ = p.Admin.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	home := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(o.Name)}}
	_ = p.Admin.Delete(ctx, home)
	for range 1200 {
		if apierrors.IsNotFound(p.Admin.Get(ctx, client.ObjectKeyFromObject(home), home)) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the namespace of %s is still there", o.Name)
}

// keepsSecrets: the planted value is in no log, event, status or ConfigMap.
func (p *place) keepsSecrets(t *testing.T) {
	p.mu.Lock()
	where := map[string]string{"the log": strings.Join(p.log, "\n")}
	p.mu.Unlock()
	entries := &unstructured.UnstructuredList{}
	entries.SetAPIVersion("networking.istio.io/v1")
	entries.SetKind("ServiceEntryList")
	for name, list := range map[string]client.ObjectList{"an event": &eventsv1.EventList{}, "a ConfigMap": &corev1.ConfigMapList{}, "a ServiceEntry": entries,
		"a Connection": &v1alpha1.ConnectionList{}, "an OAuthClient": &v1alpha1.OAuthClientList{}, "a ModelProvider": &v1alpha1.ModelProviderList{}, "a KoraTenant": &v1alpha1.KoraTenantList{}} {
		if err := p.Admin.List(context.Background(), list); err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		where[name] = string(text)
	}
	for name, text := range where {
		if strings.Contains(text, planted) {
			t.Errorf("%s holds a secret's value", name)
		}
	}
}

// serviceEntries is Istio's definition, from the module that istio.io/api publishes.
func serviceEntries(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	const module, sum = "istio.io/api@v1.31.4", "h1:AcnncYrlDj1PJkym7h88Gggkef4MAra8QpGaXRMsr+E="
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir() // outside of kora's module, which does not need it
	out, err := cmd.Output()
	var got struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil || got.Sum != sum {
		t.Fatalf("%s: %v, %v, sum %q, %s", module, err, jsonErr, got.Sum, got.Error)
	}
	text, err := os.ReadFile(filepath.Join(got.Dir, "kubernetes", "customresourcedefinitions.gen.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		if !strings.Contains(document, "name: serviceentries.networking.istio.io") {
			continue
		}
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &o.Object); err != nil {
			t.Fatal(err)
		}
		return o
	}
	t.Fatal("there is no ServiceEntry in it")
	return nil
}

// says waits until an object's condition has a reason, and a message with the texts.
func says[T v1alpha1.Object](t *testing.T, p *place, o T, reason string, texts ...string) T {
	t.Helper()
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(any(o).(client.Object)), any(o).(client.Object)); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.Common().Conditions, v1alpha1.ConditionReady)
		if c == nil || c.ObservedGeneration != o.GetGeneration() || c.Reason != reason {
			return fmt.Errorf("%s is %+v", o.GetName(), c)
		}
		for _, text := range texts {
			if !strings.Contains(c.Message, text) {
				return fmt.Errorf("%s lacks %q: %s", o.GetName(), text, c.Message)
			}
		}
		return nil
	})
	return o
}

func (p *place) create(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, o := range objects {
		if err := p.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *place) patch(t *testing.T, o client.Object, text string) {
	t.Helper()
	if err := p.Admin.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(text))); err != nil {
		t.Fatal(err)
	}
}

// quiet: nothing is written while nothing changes.
func (p *place) quiet(t *testing.T) {
	t.Helper()
	still := func() error {
		p.Requests.Reset()
		time.Sleep(1500 * time.Millisecond)
		if writes := p.Requests.Writes(); len(writes) > 0 {
			return fmt.Errorf("written: %v", writes)
		}
		return nil
	}
	operatortest.Eventually(t, still) // what went before has settled
	if err := still(); err != nil {
		t.Error(err)
	}
}
