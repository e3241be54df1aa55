package gather

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/runkora/kora/operator/preflight/facts"
)

func written(t *testing.T, f *facts.Facts) string {
	t.Helper()
	var out bytes.Buffer
	if err := facts.Write(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func configMap(key, text string) *corev1.ConfigMap {
	return &corev1.ConfigMap{Data: map[string]string{key: text}}
}

// injector is a webhook that sends pods to a namespace.
func injector(tag, revision, namespace string) *admissionv1.MutatingWebhookConfiguration {
	w := &admissionv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "w-" + revision + tag, Labels: map[string]string{"istio.io/rev": revision}}}
	if tag != "" {
		w.Labels["istio.io/tag"] = tag
	}
	w.Webhooks = []admissionv1.MutatingWebhook{{Name: "rev.namespace.sidecar-injector.istio.io", ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: namespace, Name: "istiod"}}}}
	return w
}

// R55: a control plane is what the cluster sends pods to be injected by, and not
// what has the labels of one; nothing of a stranger is taken, and it is named.
func TestIstioIsWhereInjectionLeads(t *testing.T) {
	const hooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?istio.io/rev"
	istiod := func(namespace, tag string) any {
		return pod(namespace, "istiod", "n", "x/pilot:"+tag, map[string]string{"app": "istiod"})
	}
	for name, c := range map[string]struct {
		hooks     list
		where     string
		strangers int
	}{
		"in its own namespace": {items(), "istio-system", 1},
		"elsewhere":            {items(injector("", "default", "mesh"), injector("stable", "default", "mesh")), "mesh", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{lists: map[string]list{"/api/v1/pods?app=istiod": items(istiod("aaa", "1.29.0"), istiod(c.where, "1.31.1")), hooks: c.hooks}, objects: map[string]any{
				"/api/v1/namespaces/aaa/configmaps/istio":                  configMap("mesh", "trustDomain: evil.example"),
				"/api/v1/namespaces/" + c.where + "/configmaps/istio":      configMap("mesh", "trustDomain: example.com"),
				"/api/v1/namespaces/aaa/configmaps/istio-sidecar-injector": configMap("values", "{}"),
			}}
			f := s.look(t, Request{Settings: settings(), Checks: []string{"istio-trust-domain"}})
			if r := f.Revisions.Value; len(r) != 1 || r[0].Namespace != c.where || r[0].TrustDomain.Value != "example.com" || !slices.Equal(r[0].Versions, []string{"1.31.1"}) {
				t.Errorf("%+v", r)
			}
			if len(f.Strangers) != c.strangers || f.Strangers[0].Object != "Namespace aaa" || strings.Contains(written(t, f), "evil.example") {
				t.Errorf("%v", f.Strangers)
			}
			if name == "elsewhere" && f.Tags.Value["stable"] != "default" {
				t.Errorf("%+v", f.Tags)
			}
		})
	}
}

// R55: of Istio's webhooks is kept what they select by and where they lead; those of
// somebody else, in the same configuration too, are none of injection.
func TestTheWebhooksOfInjection(t *testing.T) {
	const hooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?istio.io/rev"
	by := &metav1.LabelSelector{MatchLabels: map[string]string{"istio-injection": "enabled"}}
	tagged, url := injector("prod", "canary", "mesh"), injector("", "", "")
	tagged.Webhooks[0].NamespaceSelector = by
	tagged.Webhooks = append(tagged.Webhooks, admissionv1.MutatingWebhook{Name: "policy.example.com"})
	url.Webhooks[0].ClientConfig, url.Webhooks[0].ObjectSelector = admissionv1.WebhookClientConfig{}, by
	s := &server{lists: map[string]list{hooks: items(tagged, url)}}
	f := s.look(t, Request{Settings: settings(), Checks: []string{"istio-injection"}})
	const webhook = "rev.namespace.sidecar-injector.istio.io"
	want := []facts.Injector{{Config: "w-canaryprod", Webhook: webhook, Revision: "canary", Tag: "prod", Namespace: "mesh", Namespaces: by}, {Config: "w-", Webhook: webhook, Revision: "default", Pods: by}}
	if f.Injectors.Missing != "" || !reflect.DeepEqual(f.Injectors.Value, want) {
		t.Errorf("%+v", f.Injectors)
	}
}

func daemonSet(namespace, image string) *appsv1.DaemonSet {
	spec := corev1.PodSpec{Containers: []corev1.Container{{Image: image}}}
	return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "agent"}, Spec: appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}, Template: corev1.PodTemplateSpec{Spec: spec}}}
}

func serverSet(namespace string) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "server"}, Spec: appsv1.StatefulSetSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: "ghcr.io/spiffe/spire-server:1"}}}}}}
}

const manager = "className: real\ntrustDomain: example.com\n"

// spireIn is SPIRE in two namespaces, and one that only has its images in aaa,
// which sorts before them.
func spireIn(agents, servers string, files bool) *server {
	agent := pod(agents, "agent", "n", "spire-agent", nil)
	if files {
		agent.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/run/spire"}}}}
	}
	out := &server{lists: map[string]list{
		"/apis/apps/v1/daemonsets": items(daemonSet("aaa", "x/spire-agent:1"), daemonSet(agents, "ghcr.io/spiffe/spire-agent:1")), "/apis/apps/v1/statefulsets": items(serverSet("aaa"), serverSet(servers)),
		"/api/v1/namespaces/" + agents + "/pods?a=b": items(agent), "/api/v1/namespaces/aaa/pods?a=b": items(pod("aaa", "agent", "n", "spire-agent", nil)),
	}, objects: map[string]any{}}
	for namespace, domain := range map[string]string{"aaa": "evil.example", agents: "example.com", servers: "example.com"} {
		at := "/api/v1/namespaces/" + namespace + "/configmaps/"
		out.objects[at+"spire-agent"] = configMap("agent.conf", `{"agent":{"trust_domain":"`+domain+`","server_address":"spire-server.`+servers+`"}}`)
		out.objects[at+"spire-server"] = configMap("server.conf", `{"server":{"trust_domain":"`+domain+`"}}`)
		out.objects[at+"spire-controller-manager"] = configMap("controller-manager-config.yaml", strings.ReplaceAll(manager, "example.com", domain))
	}
	return out
}

// R55: SPIRE is where the platform's namespaces are, or whom the cluster lets
// mount the files of its nodes; an image of that name is not enough.
func TestSpireIsWhoseTheNodesAre(t *testing.T) {
	for name, s := range map[string]*server{"the chart's namespaces": spireIn("spire-system", "spire-server", false), "its own": spireIn("zzz", "zzz-server", true)} {
		f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-class", "spire-trust-domain", "node-taints"}})
		if f.Spire.Class.Value != "real" || len(f.Spire.TrustDomains.Value) != 3 || strings.Contains(written(t, f), "evil.example") || len(f.DaemonSets.Value) != 1 {
			t.Errorf("%s: %+v %+v", name, f.Spire, f.DaemonSets)
		}
		if !slices.ContainsFunc(f.Strangers, func(s facts.Stranger) bool { return s.Object == "DaemonSet aaa/agent" && s.Of == "spire" }) {
			t.Errorf("%s: %v", name, f.Strangers)
		}
	}
	f := spireIn("zzz", "zzz", false).look(t, Request{Settings: settings(), Checks: []string{"spire-class"}})
	if f.Spire.Class.Missing == "" || f.Spire.TrustDomains.Missing == "" || len(f.Strangers) != 4 {
		t.Errorf("%+v %v", f.Spire, f.Strangers)
	}
}

// R55: a file of SPIRE that nobody here can read is unread, and sets no other
// trust domain; one that says it twice means the outer one.
func TestSpireFilesThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{"{ half": "", "": "", "- list": "", "trust_domain = \"$DOMAIN\"": "", "agent { trust_domain = var.domain }": "", "trust_domain = \"a.org\" # ours\n": "a.org", `{"plugins":{"x":{"trust_domain":"b.org"}},"agent":{"trust_domain":"a.org"}}`: "a.org"} {
		s := spireIn("spire-system", "spire-server", false)
		s.objects["/api/v1/namespaces/spire-system/configmaps/spire-agent"] = configMap("agent.conf", text)
		f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-sds"}})
		if want == "" && (!strings.Contains(f.Spire.SDS.Missing, "could not be read") || f.Spire.TrustDomains.Missing == "") {
			t.Errorf("%q: %+v", text, f.Spire)
		}
		if got := f.Spire.TrustDomains.Value["spire-system/spire-agent"]; want != "" && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// R55: the names of SPIRE's agent are read of every form that its file can have, since
// what is not read counts as SPIRE's own.
func TestTheNamesOfSpiresAgent(t *testing.T) {
	for text, want := range map[string]facts.SDS{
		`sds { default_svid_name = "a" }`:                                          {Svid: "a"},
		"sds {\n default_svid_name = \"a\" // ours\n default_bundle_name=\"b\"\n}": {Svid: "a", Bundle: "b"},
		`sds = { "default_svid_name" = "a", default_bundle_name = "b" }`:           {Svid: "a", Bundle: "b"},
		"sds { default_svid_name = \"a\" } # default_bundle_name = \"b\"":          {Svid: "a"},
		"# default_svid_name = \"a\"\n// default_bundle_name = \"b\"":              {},
		`x = "a # b" default_all_bundles_name = "c"`:                               {AllBundles: "c"},
		`x = "https://a" default_all_bundles_name = "c"`:                           {AllBundles: "c"},
	} {
		s := spireIn("spire-system", "spire-server", false)
		s.objects["/api/v1/namespaces/spire-system/configmaps/spire-agent"] = configMap("agent.conf", "agent {\n trust_domain = \"a.org\"\n"+text+"\n}\n")
		if f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-sds"}}); f.Spire.SDS.Missing != "" || f.Spire.SDS.Value != want {
			t.Errorf("%s: %+v", text, f.Spire.SDS)
		}
	}
}

// R55: a server that is busy refused no object; what one says is one line.
func TestATrialThatWasNotAnswered(t *testing.T) {
	groups := map[string]any{"kind": "APIGroupList", "groups": []any{}}
	resources := map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{map[string]any{"name": "configmaps", "namespaced": true, "kind": "ConfigMap", "verbs": []string{"get", "patch"}}}}
	for code, refused := range map[int]bool{http.StatusTooManyRequests: false, http.StatusServiceUnavailable: false, http.StatusUnprocessableEntity: true} {
		s := &server{objects: map[string]any{"/apis": groups, "/api": map[string]any{"kind": "APIVersions", "versions": []string{"v1"}}, "/api/v1": resources}}
		config := s.at(t)
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return refusing{next, code} })
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "x", "namespace": "kora-system"}}}
		f, err := Cluster(t.Context(), config, Request{Settings: settings(), Checks: []string{"release"}, Release: []*unstructured.Unstructured{o}})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Release; (got.Missing == "") != refused || refused && (len(got.Value) != 1 || strings.Contains(got.Value[0].Refused, "\n") || len(got.Value[0].Refused) > 1100) {
			t.Errorf("%d: %+v", code, got)
		}
	}
}

// refusing answers each write itself.
type refusing struct {
	next http.RoundTripper
	code int
}

func (r refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(q)
	if err != nil || q.Method == http.MethodGet {
		return response, err
	}
	reason := map[int]metav1.StatusReason{429: metav1.StatusReasonTooManyRequests, 503: metav1.StatusReasonServiceUnavailable, 422: metav1.StatusReasonInvalid}[r.code]
	text, err := json.Marshal(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: int32(r.code), Reason: reason, Message: "no\n" + strings.Repeat("x ", 5000)})
	response.StatusCode, response.Body = r.code, body(text)
	response.Header.Set("Content-Type", "application/json")
	return response, err
}
