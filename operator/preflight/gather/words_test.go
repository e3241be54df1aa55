package gather

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// repeating serves what is there, and refuses the rest with what it was sent.
type repeating struct{ next http.RoundTripper }

func (r repeating) RoundTrip(q *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(q)
	if err != nil || response.StatusCode == http.StatusOK {
		return response, err
	}
	said := "denied: db planted-secret-value at " + q.URL.Path + ", " + q.Header.Get("Authorization")
	text, err := json.Marshal(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: 403, Reason: metav1.StatusReasonForbidden, Message: said})
	response.StatusCode, response.Body = http.StatusForbidden, body(text)
	return response, err
}

// R55: an API server that repeats the values of a Secret, or what this account
// logs in with, gets neither into the facts.
func TestNoSecretThatAnAPIServerRepeats(t *testing.T) {
	s := &server{objects: map[string]any{"/api/v1/namespaces/kora-system/secrets/kora-secrets": &corev1.Secret{Data: map[string][]byte{"DB_PASSWORD": []byte("planted-secret-value")}}}}
	config := s.at(t)
	s.objects["/version"] = map[string]string{"gitVersion": "v1.36.0 Bearer planted-token"}
	config.BearerToken = "planted-token"
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return repeating{next} })
	f, err := Cluster(t.Context(), config, Request{Settings: settings()})
	if err != nil {
		t.Fatal(err)
	}
	if text := written(t, f); strings.Contains(text, "planted") || f.Nodes.Missing != "nodes is forbidden (403); the server's own words are left out" || f.Kubernetes.Missing == "" {
		t.Errorf("%s", text)
	}
}
