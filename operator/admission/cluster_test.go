package admission_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// namespace makes a tenant's as the operator does.
func namespace(t *testing.T, h *webhooktest.Hooks, tenant string) string {
	t.Helper()
	tenant = operatortest.Unique(tenant)
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(tenant), Labels: map[string]string{
		v1alpha1.LabelTenant: tenant, v1alpha1.LabelManagedBy: v1alpha1.Operator, "pod-security.kubernetes.io/enforce": "restricted"}}}
	if err := h.Admin.Create(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Admin.Delete(context.Background(), n) })
	o := object[v1alpha1.KoraTenant](t, "", tenant, `{oidc: {issuer: "https://login.example.com", clientID: kora}}`)
	o.Annotations = map[string]string{v1alpha1.AnnotationNamespaceUID: string(n.UID)}
	if err := h.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return n.Name
}

// object reads one of kora's from YAML.
func object[T any, P interface {
	*T
	v1alpha1.Object
}](t *testing.T, namespace, name, spec string) P {
	t.Helper()
	o := P(new(T))
	if err := yaml.UnmarshalStrict([]byte("spec: "+spec), o); err != nil {
		t.Fatal(err)
	}
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

const oidc = `{oidc: {issuer: "https://login.example.com", clientID: kora, domains: [%s]}}`

// R50, R51, R52, R54: what each kind's rules refuse is refused by the API server,
// all faults at once, each with its field, the rule and what to do.
func TestDenialsSayFieldRuleAndWayOut(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := namespace(t, h, "denials")
	for _, test := range []struct {
		o    v1alpha1.Object
		want string
	}{
		{object[v1alpha1.Connection](t, at, "c", `{hosts: ["*.co.uk", metadata.google.internal], authentication: {type: none}}`),
			`Connection c: …spec.hosts[0] "*.co.uk" stands for every name below co.uk…name the hosts of the one service…spec.hosts[1] "metadata.google.internal"`},
		{object[v1alpha1.OAuthClient](t, at, "o", `{redirectURIs: ["https://a.example.com:99999/?code=1"], grantTypes: [authorization_code], public: true}`),
			`spec.redirectURIs[0]…names the port 99999, and ports end at 65535…"code" in its query, which kora itself adds…remove it`},
		{object[v1alpha1.MCPServer](t, at, "m", `{url: "https://mcp.example.com:8443/", connectionRef: {name: c}}`),
			`spec.url…a Connection reaches its hosts on 443 alone; leave out the port, or connectionRef`},
		{object[v1alpha1.ModelProvider](t, at, "p", `{type: bedrock, endpoint: "https://metadata.google.internal", models: [{name: GPT}, {name: gpt}]}`),
			`spec.endpoint…metadata service…spec.models[1].name "gpt" differs from GPT in capitals alone`},
		{object[v1alpha1.SandboxImage](t, at, "i", `{image: "169.254.169.254/x:1"}`), `spec.image "169.254.169.254/x:1" names 169.254.169.254, where no registry is`},
		{object[v1alpha1.SandboxImage](t, at, "i", `{image: "GHCR.IO/x:1"}`), `spec.image "GHCR.IO/x:1" names the registry GHCR.IO in capitals…write ghcr.io`},
		{object[v1alpha1.SandboxImage](t, "default", "i", `{image: "a.b:70000/x:1"}`), `metadata.namespace "default" is no tenant's…create it there…spec.image "a.b:70000/x:1" names the port 70000`},
		{object[v1alpha1.KoraTenant](t, "", "refused", `{oidc: {issuer: "https://a.example.com:99999", clientID: x}, imagePullSecrets: [{name: kora-operator-webhook-ca}]}`),
			`KoraTenant refused: …spec.oidc.issuer…spec.imagePullSecrets[0].name "kora-operator-webhook-ca" is a Secret of the platform`},
	} {
		err := h.Admin.Create(t.Context(), test.o)
		if !apierrors.IsInvalid(err) || !strings.Contains(fmt.Sprint(err), `admission webhook "validate.runkora.io" denied the request`) {
			t.Errorf("%T: %v", test.o, err)
			continue
		}
		for part := range strings.SplitSeq(test.want, "…") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%T: %v\nlacks %s", test.o, err, part)
			}
		}
		status := err.(apierrors.APIStatus).Status()
		if status.Details == nil || len(status.Details.Causes) == 0 || status.Details.Causes[0].Field == "" {
			t.Errorf("%T: no causes by field: %+v", test.o, status.Details)
		}
	}
}

// R50, R54: two tenants never share a domain; what was stored keeps its labels and
// loses its finalizers, whatever the rules say by now.
func TestUpdatesAreJudgedByWhatTheyChange(t *testing.T) {
	h := webhooktest.New(t)
	first := object[v1alpha1.KoraTenant](t, "", "first", fmt.Sprintf(oidc, "one.example.com"))
	twin := object[v1alpha1.KoraTenant](t, "", "twin", fmt.Sprintf(oidc, "one.example.com"))
	twin.Finalizers = []string{"example.com/held"}
	stray := object[v1alpha1.SandboxImage](t, "default", "stray", `{image: "ghcr.io/team/image:1"}`)
	withdraw(t, h, first, twin, stray)
	// Before the webhook serves, as an operator that was gone may find them.
	unhook(t, h)
	for _, o := range []client.Object{first, twin, stray} {
		if err := h.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	h = webhooktest.New(t)
	h.Up(t)
	for name, change := range map[string]string{
		"a label":       `{"metadata":{"labels":{"a":"b"}}}`,
		"another spec":  `{"spec":{"displayName":"Twin"}}`,
		"another place": `{"spec":{"oidc":{"domains":["two.example.com"]}}}`,
	} {
		err := h.Admin.Patch(t.Context(), twin.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(change)), client.DryRunAll)
		if refused := name == "another spec"; refused != (err != nil) || refused && (!strings.Contains(err.Error(), `"one.example.com" belongs to another tenant (kubectl get koratenants`) || strings.Contains(err.Error(), "first")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.Admin.Patch(t.Context(), stray, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"b"}}}`))); err != nil {
		t.Error(err)
	}
	if err := h.Admin.Delete(t.Context(), twin); err != nil { // it waits for its finalizer
		t.Fatal(err)
	}
	if err := h.Admin.Patch(t.Context(), twin, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))); err != nil {
		t.Error(err)
	}
}

func unhook(t *testing.T, h *webhooktest.Hooks) {
	t.Helper()
	for _, kind := range []string{"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"} {
		for _, o := range operatortest.Rendered(t, nil, kind) {
			if err := h.Admin.Delete(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	operatortest.Eventually(t, func() error {
		return h.Admin.Create(t.Context(), webhooktest.Image("default", "unhooked"), client.DryRunAll)
	})
}

// withdraw deletes objects when the test ends, after the webhooks are gone.
func withdraw(t *testing.T, h *webhooktest.Hooks, objects ...client.Object) {
	t.Cleanup(func() {
		for _, o := range objects {
			_ = h.Admin.Patch(context.Background(), o, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`)))
			_ = h.Admin.Delete(context.Background(), o)
		}
	})
}

func set(namespace, slug string) *appsv1.StatefulSet {
	labels := map[string]string{"runkora.io/agent-slug": slug}
	none := int32(0)
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "agent-" + slug, Labels: labels},
		Spec: appsv1.StatefulSetSpec{Replicas: &none, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "x"}}}}}}
}

// R51: what is allowed and seldom meant comes back as a warning.
func TestWarningsReachWhoeverWrites(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := namespace(t, h, "warned")
	heard := &heard{}
	config := h.Cluster.Config()
	config.WarningHandlerWithContext = heard
	warned, err := client.New(config, client.Options{Scheme: h.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []client.Object{
		object[v1alpha1.MCPServer](t, at, "m", `{url: "https://mcp.example.com/", connectionRef: {name: absent}}`),
		object[v1alpha1.SandboxImage](t, at, "kora-base", `{image: "ghcr.io/team/image:1"}`),
		object[v1alpha1.SandboxImage](t, at, "kora-go", `{image: "ghcr.io/team/image:1"}`),
		object[v1alpha1.Connection](t, at, "c", `{hosts: ["*.example.com", a.example.com], authentication: {type: none}}`),
	} {
		if err := warned.Create(t.Context(), o); err != nil {
			t.Error(err)
		}
	}
	for _, part := range []string{"there is no Connection absent in " + at, "kora-base is the platform's in every tenant's namespace", "kora-go is the name of an image that kora provides; yours is left alone and stands in for it", "a.example.com is already admitted by *.example.com"} {
		if !strings.Contains(heard.text, part) {
			t.Errorf("%q lacks %q", heard.text, part)
		}
	}
}

type heard struct{ text string }

func (h *heard) HandleWarningHeaderWithContext(_ context.Context, _ int, _ string, text string) {
	h.text += text + "\n"
}

var _ rest.WarningHandlerWithContext = (*heard)(nil)
