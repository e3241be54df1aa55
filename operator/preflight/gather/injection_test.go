package gather

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: of istiod's rules of injection is kept whom they take, and what they cannot be read
// from is unread.
func TestTheRulesOfInjection(t *testing.T) {
	by := []metav1.LabelSelector{{MatchLabels: map[string]string{"a": "b"}}}
	for text, want := range map[string]*facts.Injection{
		"policy: disabled\ntemplates: {sidecar: x}":                                                    {Policy: "disabled"},
		"policy: enabled\nneverInjectSelector: [{matchLabels: {a: b}}]\nalwaysInjectSelector:\n  []\n": {Policy: "enabled", Never: by, Always: []metav1.LabelSelector{}},
		"alwaysInjectSelector: [{matchLabels: {a: b}}]":                                                {Always: by},
		"- list": nil, "policy: [": nil,
	} {
		s := &server{lists: map[string]list{"/api/v1/pods?app=istiod": items(pod("istio-system", "istiod", "n", "x/pilot:1.31.1", map[string]string{"app": "istiod"}))}, objects: map[string]any{
			"/api/v1/namespaces/istio-system/configmaps/istio-sidecar-injector": &corev1.ConfigMap{Data: map[string]string{"values": `{"pilot":{"cni":{"enabled":true}}}`, "config": text}},
		}}
		f := s.look(t, Request{Settings: settings(), Checks: []string{"istio-injection"}})
		r := f.Revisions.Value
		if len(r) != 1 || !r[0].CNI.Value || (r[0].Injection.Missing == "") != (want != nil) || !reflect.DeepEqual(r[0].Injection.Value, want) {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
