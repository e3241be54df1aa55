package kube

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	api "k8s.io/client-go/tools/clientcmd/api"
)

const planted = "planted-secret-value"

// asking is what is told of a request for a Secret that a server refuses.
func asking(t *testing.T, config *rest.Config, hide string) string {
	t.Helper()
	client, err := Client(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	Hide(client, hide)
	typed, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	_, err = typed.CoreV1().Secrets("kora-system").Get(t.Context(), "x", metav1.GetOptions{})
	return Words(Answered(err))
}

// refusing answers with a status in one of three writings.
func refusing(code int, status metav1.Status, form string) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		kind, text := "text/plain", []byte(status.Message)
		if status.TypeMeta = (metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}); form != kind {
			kind = form
			info, _ := serializerOf(form)
			text = info(&status)
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Warning", `299 - "`+planted+`"`)
		w.WriteHeader(code)
		_, _ = w.Write(text)
	}
}

func serializerOf(form string) (func(*metav1.Status) []byte, bool) {
	for _, info := range scheme.Codecs.SupportedMediaTypes() {
		if info.MediaType == form {
			return func(s *metav1.Status) []byte {
				var out strings.Builder
				_ = info.Serializer.Encode(s, &out)
				return []byte(out.String())
			}, true
		}
	}
	return nil, false
}

// R55: what a server writes of a refusal changes nothing of what is told, in
// whatever writing a secret stands there and in whatever field.
func TestNoWordsOfARefusalAreTold(t *testing.T) {
	for _, code := range []int{400, 401, 403, 404, 405, 409, 410, 415, 422, 500, 502, 504} {
		for _, form := range []string{"application/json", "application/vnd.kubernetes.protobuf", "text/plain"} {
			var want string
			for _, echo := range []string{"", planted, "header was Bearer " + planted, base64.StdEncoding.EncodeToString([]byte(planted)), "p l a n t e d", "[112 108 97 110 116 101 100]", fmt.Sprintf("%x", planted), `exceeded quota: ` + planted + `, x`, `admission webhook "` + planted + `" denied the request`} {
				status := metav1.Status{Status: "Failure", Message: echo, Code: int32(code), Reason: metav1.StatusReason(echo), Details: &metav1.StatusDetails{Name: echo, Kind: echo, Group: echo, Causes: []metav1.StatusCause{{Field: echo, Message: echo, Type: metav1.CauseType(echo)}}}}
				got := asking(t, server(t, refusing(code, status, form)), planted)
				if echo == "" {
					want = got
				}
				if got != want || got == "" || got == "unknown" || strings.Contains(got, "planted") {
					t.Errorf("%d %s: %q, want %q", code, form, got, want)
				}
			}
		}
	}
}

// R55: of a refusal are told the forms that Kubernetes has, made of the request
// where that knows them.
func TestKnownRefusals(t *testing.T) {
	for said, want := range map[string]string{
		`secrets "y" is forbidden: User "jane@example.com" cannot get resource "pods" in API group "apps" in the namespace "other"`: `secrets "x" is forbidden: User "jane@example.com" cannot get resource "secrets" in API group "" in the namespace "kora-system"`,
		`User "a $(b)" cannot get resource "secrets"`:                                              `secrets "x" is forbidden: this account cannot get resource "secrets" in API group "" in the namespace "kora-system"`,
		`User "` + planted + `" cannot get resource "secrets"`:                                     `secrets "x" is forbidden: this account cannot get resource "secrets" in API group "" in the namespace "kora-system"`,
		`User "jane" cannot impersonate resource "*"`:                                              `secrets "x" is forbidden (403); the server's own words are left out`,
		`exceeded quota: small, requested: pods=1`:                                                 `secrets "x" is forbidden: exceeded quota: small, which holds no more`,
		`failed quota: small: must specify limits.cpu for: x`:                                      `secrets "x" is forbidden: failed quota: small, which takes no pod without the requests or limits that it counts`,
		`exceeded quota: --all, requested: pods=1`:                                                 `secrets "x" is forbidden (403); the server's own words are left out`,
		`maximum memory usage per Container is 64Mi, but limit is 1Gi`:                             `secrets "x" is forbidden: a LimitRange: maximum memory per Container is 64Mi`,
		`[maximum cpu usage per Pod is 1500m, but limit is 2, minimum memory]`:                     `secrets "x" is forbidden: a LimitRange: maximum cpu per Pod is 1500m`,
		`minimum memory usage per Container is 1.5Gi.  No request is specified`:                    `secrets "x" is forbidden: a LimitRange: minimum memory per Container is 1.5Gi`,
		`memory max limit to request ratio per Container is 2, but provided ratio is 4.0`:          `secrets "x" is forbidden: a LimitRange: memory max limit to request ratio per Container is 2`,
		`maximum ` + planted + ` usage per Container is 64Mi`:                                      `secrets "x" is forbidden (403); the server's own words are left out`,
		`violates PodSecurity "restricted:latest": ` + planted:                                     `secrets "x" is forbidden: violates PodSecurity "restricted:latest"`,
		`admission webhook "a.example.com" denied the request: ` + planted:                         `secrets "x" is forbidden: admission webhook "a.example.com" denied the request`,
		`ValidatingAdmissionPolicy 'no-lb' with binding 'no-lb' denied request: no`:                `secrets "x" is forbidden: ValidatingAdmissionPolicy 'no-lb' with binding 'no-lb' denied request`,
		`user "jane" (groups=["a"]) is attempting to grant RBAC permissions not currently held: x`: `secrets "x" is forbidden: user "jane" (groups left out) is attempting to grant RBAC permissions not currently held`,
	} {
		status := metav1.Status{Status: "Failure", Message: said, Code: 403, Reason: metav1.StatusReasonForbidden}
		if got := asking(t, server(t, refusing(403, status, "application/json")), planted); got != want {
			t.Errorf("%q of %q", got, said)
		}
	}
	ending := metav1.Status{Status: "Failure", Code: 403, Reason: metav1.StatusReasonForbidden, Message: planted, Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause, Message: planted}}}}
	if got := asking(t, server(t, refusing(403, ending, "application/json")), planted); got != `secrets "x" is forbidden: namespace "kora-system" is being deleted` {
		t.Error(got)
	}
	for name, want := range map[string]string{"kora-system": `secrets "x" is refused: namespace "kora-system" is not there`, planted: `secrets "x" not found`, "": `secrets "x" not found`} {
		gone := metav1.Status{Status: "Failure", Code: 404, Reason: metav1.StatusReasonNotFound, Message: planted, Details: &metav1.StatusDetails{Kind: "namespaces", Name: name}}
		if got := asking(t, server(t, refusing(404, gone, "application/json")), planted); got != want {
			t.Errorf("%q of a namespace %q", got, name)
		}
	}
	status := metav1.Status{Status: "Failure", Code: 422, Reason: metav1.StatusReasonInvalid, Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: "spec.ports[0].port", Type: "FieldValueInvalid", Message: planted}, {Field: "spec." + planted, Type: "FieldValueInvalid"}}}}
	if got := asking(t, server(t, refusing(422, status, "application/json")), planted); got != `secrets "x" is invalid: spec.ports[0].port (FieldValueInvalid)` {
		t.Error(got)
	}
	status = metav1.Status{Status: "Failure", Code: 422, Reason: metav1.StatusReasonInvalid, Message: "ValidatingAdmissionPolicy 'no-lb' with binding 'no-lb' denied request: " + planted}
	if got := asking(t, server(t, refusing(422, status, "application/json")), planted); got != `secrets "x" is refused: ValidatingAdmissionPolicy 'no-lb' with binding 'no-lb' denied request` {
		t.Error(got)
	}
}

// R55: a webhook of admission that gives no answer is told by its name and that of its
// Service, and by nothing else of the sentence; it is no refusal.
func TestAWebhookThatDoesNotAnswer(t *testing.T) {
	const call = `Internal error occurred: failed calling webhook "object.sidecar-injector.istio.io": failed to call webhook: `
	const plain = "the API server answers secrets \"x\" with Internal Server Error (InternalError)"
	for said, want := range map[string]string{
		call + `Post "https://istiod.istio-system.svc:443/inject?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`: `secrets "x" was not judged: webhook "object.sidecar-injector.istio.io" of Service istio-system/istiod does not answer`,
		call + `Post "https://istiod.istio-system.svc/inject": no endpoints available for service "istiod"`:                        `secrets "x" was not judged: webhook "object.sidecar-injector.istio.io" of Service istio-system/istiod does not answer`,
		call + `Post "https://example.com/` + planted + `": context deadline exceeded`:                                             `secrets "x" was not judged: webhook "object.sidecar-injector.istio.io" does not answer`,
		call + `Post "https://` + planted + `.x.svc:443/": EOF`:                                                                    `secrets "x" was not judged: webhook "object.sidecar-injector.istio.io" does not answer`,
		`failed calling webhook "` + planted + `": EOF`:                                                                            plain,
		`failed calling webhook "--all": EOF`:                                                                                      plain,
	} {
		status := metav1.Status{Status: "Failure", Message: said, Code: 500, Reason: metav1.StatusReasonInternalError}
		if got := asking(t, server(t, refusing(500, status, "application/json")), planted); got != want {
			t.Errorf("%q of %q", got, said)
		}
	}
}

// R55: what is refused of a path, as /version is, says which, to whom, and why.
func TestRefusalsOfAPath(t *testing.T) {
	for code, want := range map[int]string{
		403: `/version is forbidden: User "bob" cannot get path "/version"`, 401: "the cluster does not know this account",
		500: "the API server answers /version with Internal Server Error (InternalError)", 503: "the API server answers /version with Service Unavailable (ServiceUnavailable)",
		404: "/version not found",
	} {
		status := metav1.Status{Status: "Failure", Message: `forbidden: User "bob" cannot get path "/version"` + planted, Code: int32(code)}
		config := server(t, refusing(code, status, "application/json"))
		client, err := Client(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		typed, err := kubernetes.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		_, err = typed.Discovery().ServerVersion()
		f := Fault(Answered(err))
		if f.Message != want || apierrors.IsForbidden(Answered(err)) != (code == 403) {
			t.Errorf("%d: %q, want %q", code, f.Message, want)
		}
		if code == 401 && !strings.Contains(f.Fix, "renew the credential") {
			t.Errorf("%q", f.Fix)
		}
	}
}

// R55: what a client logs in with is known, also a token that only a credential
// plugin gives: it stands in no version and in no name of an account.
func TestWhatIsLoggedInWithIsHidden(t *testing.T) {
	plugin := filepath.Join(t.TempDir(), "plugin")
	text := `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"` + planted + `"}}`
	if err := os.WriteFile(plugin, []byte("#!/bin/sh\necho '"+text+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]func(*rest.Config){
		"a token":    func(c *rest.Config) { c.BearerToken = planted },
		"a password": func(c *rest.Config) { c.Username, c.Password = "kora", planted },
		"a plugin": func(c *rest.Config) {
			c.ExecProvider = &api.ExecConfig{Command: plugin, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}
		},
	} {
		config := server(t, refusing(403, metav1.Status{Message: `User "` + planted + `" cannot get resource "secrets"`, Reason: metav1.StatusReasonForbidden}, "application/json"))
		log(config)
		if got := asking(t, config, ""); strings.Contains(got, "planted") || !strings.Contains(got, "this account cannot get") {
			t.Errorf("%s: %s", name, got)
		}
		client, err := Client(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Get(config.Host + "/version"); err != nil {
			t.Error(err)
		}
		for text, want := range map[string]string{"v1.36.0+" + planted: "", "v1.36.0 Bearer x": "", "v1.36.3": "v1.36.3", "v1.36.3-gke.100": "v1.36.3-gke.100", "v1.36.3+k3s1": "v1.36.3+k3s1"} {
			if got := Version(client, text); got != want {
				t.Errorf("%s: %q of %q", name, got, text)
			}
		}
	}
}

// R55: an answer that is not what was asked for is quoted nowhere, and neither is
// what speaks no HTTP; warnings are told by their form.
func TestNoAnswerIsQuoted(t *testing.T) {
	refused := `{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,"reason":"Expired"`
	for _, body := range []string{refused + "}", refused + `,"message":"` + planted + `"}`, refused + `,"message":"` + planted + `","details":{"uid":"` + planted + `","causes":[{"reason":"UnexpectedServerResponse","message":"` + planted + `"}]}}`, planted, `{"kind":"` + planted + `","apiVersion":"v1"}`, `{"kind":"Secret","apiVersion":"v1","metadata":{"creationTimestamp":"` + planted + `"}}`, `{"kind":"Secret","apiVersion":"v1","metadata":"` + planted + `"}`} {
		got := asking(t, server(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, body)
		}), "")
		if got != (Garbled{}).Error() {
			t.Errorf("%q of %q", got, body)
		}
	}
	for text, want := range map[string]string{
		"policy/v1beta1 PodDisruptionBudget is deprecated in v1.25+, unavailable in v1.33+": "policy/v1beta1 PodDisruptionBudget is deprecated in v1.25+",
		`would violate PodSecurity "restricted:latest": ` + planted:                         `would violate PodSecurity "restricted:latest"`,
		planted: "it warns in words of its own, which are left out",
	} {
		if got := Warned(text); got != want {
			t.Errorf("%q of %q", got, text)
		}
	}
}
