package gather

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// denying answers as RBAC does where the account lacks a right: by method and path.
type denying struct {
	next http.RoundTripper
	what []string
}

func (d denying) RoundTrip(q *http.Request) (*http.Response, error) {
	response, err := d.next.RoundTrip(q)
	if is := q.Method + " " + q.URL.Path; err != nil || !slices.ContainsFunc(d.what, func(s string) bool { return strings.HasSuffix(is, s) || is == s }) {
		return response, err
	}
	verb := map[string]string{"PATCH": "patch", "POST": "create", "GET": "list"}[q.Method]
	parts := strings.Split(q.URL.Path, "/")
	resource := parts[len(parts)-1]
	if verb == "patch" {
		resource = parts[len(parts)-2]
	}
	text, err := json.Marshal(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: 403, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("%s %q is forbidden: User %q cannot %s resource %q in API group %q in the namespace %q", resource, "x", "eve", verb, resource, "", "kora-system")})
	response.StatusCode, response.Body = http.StatusForbidden, body(text)
	response.Header.Set("Content-Type", "application/json")
	return response, err
}

// R55: each right that a trial lacks is told at once, that to make as well as that to
// change, and what may be tried is tried.
func TestAllRightsThatATrialLacksAreTold(t *testing.T) {
	resource := func(name, kind string) any {
		return map[string]any{"name": name, "namespaced": true, "kind": kind, "verbs": []string{"get", "patch", "create"}}
	}
	s := &server{objects: map[string]any{"/apis": map[string]any{"kind": "APIGroupList", "groups": []any{}}, "/api": map[string]any{"kind": "APIVersions", "versions": []string{"v1"}},
		"/api/v1": map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{resource("configmaps", "ConfigMap"), resource("services", "Service"), resource("secrets", "Secret")}}}}
	config := s.at(t)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return denying{next, []string{"PATCH /api/v1/namespaces/kora-system/configmaps/x", "POST /api/v1/namespaces/kora-system/configmaps", "PATCH /api/v1/namespaces/kora-system/services/x"}}
	})
	var release []*unstructured.Unstructured
	for _, kind := range []string{"ConfigMap", "Service", "Secret"} {
		release = append(release, &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"name": "x", "namespace": "kora-system"}}})
		s.objects["/api/v1/namespaces/kora-system/"+strings.ToLower(kind)+"s/x"] = release[len(release)-1].Object
		s.objects["/api/v1/namespaces/kora-system/"+strings.ToLower(kind)+"s"] = release[len(release)-1].Object
	}
	f, err := Cluster(t.Context(), config, Request{Settings: settings(), Checks: []string{"release"}, Release: release})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range f.Release.Value {
		_, right, _ := strings.Cut(a.Untried, "cannot ")
		right, _, _ = strings.Cut(right, " in API")
		got = append(got, a.Object+": "+right+a.Refused)
	}
	want := []string{`ConfigMap kora-system/x: patch resource "configmaps"`, `Service kora-system/x: patch resource "services"`, "Secret kora-system/x: ", `ConfigMap kora-system/x: create resource "configmaps"`}
	if f.Release.Missing != "" || !slices.Equal(got, want) {
		t.Errorf("%q\n%s", got, f.Release.Missing)
	}
}

// R55: who may not list the workloads in which SPIRE is looked for is told of that right,
// and not that there is no SPIRE.
func TestSpireThatMayNotBeLookedFor(t *testing.T) {
	for _, kind := range []string{"statefulsets", "deployments"} {
		s := spireIn("spire-system", "elsewhere", false)
		if kind == "deployments" { // which are looked at where no StatefulSet is one
			s.lists["/apis/apps/v1/statefulsets"] = items()
		}
		config := s.at(t)
		config.Wrap(func(next http.RoundTripper) http.RoundTripper {
			return denying{next, []string{"GET /apis/apps/v1/" + kind}}
		})
		f, err := Cluster(t.Context(), config, Request{Settings: settings(), Checks: []string{"spire-class", "spire-trust-domain"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, why := range []string{f.Spire.Class.Missing, f.Spire.TrustDomains.Missing} {
			if !strings.Contains(why, `cannot list resource "`+kind+`"`) {
				t.Errorf("%s: %s", kind, why)
			}
		}
	}
}
