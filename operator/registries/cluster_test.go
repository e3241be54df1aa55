package registries_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	"github.com/runkora/kora/operator/tenants"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

var _ tenants.Leaver = (*registries.Reconciler)(nil)

// planted is the value of every secret.
const planted = operatortest.Planted

// place is a test's own operator and tenants.
type place struct {
	*operatortest.World
	run    *operatortest.Run
	log    operatortest.Log
	access *rest.Config // nil: the World's
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
		Access: p.access, Log: p.log.Logger(),
		Parts: []manager.Part{tenants.New(p.Settings, clock.RealClock{}, r), r}})
}

// tenant makes one and waits until the operator may work in its namespace.
func (p *place) tenant(t *testing.T, name string) {
	t.Helper()
	p.Home(t, name, func() error { return p.run.Stop() })
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}}
	operatortest.Says(t, p.World, o, v1alpha1.ReasonSucceeded)
}

// keepsSecrets: the planted value is in no log, event, status or ConfigMap.
func (p *place) keepsSecrets(t *testing.T) {
	entries := &unstructured.UnstructuredList{}
	entries.SetAPIVersion("networking.istio.io/v1")
	entries.SetKind("ServiceEntryList")
	p.KeepsSecrets(t, &p.log, entries, &v1alpha1.ConnectionList{}, &v1alpha1.OAuthClientList{}, &v1alpha1.MCPServerList{}, &v1alpha1.ModelProviderList{})
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
	return operatortest.Says(t, p.World, o, reason, texts...)
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
