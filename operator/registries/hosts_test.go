package registries

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// resolved is what a resolver with the search domains of a namespace asks for first, as
// resolv.conf has it with ndots 5, and the Service that such a name is of by Kubernetes'
// specification of DNS: SERVICE.NAMESPACE.svc and POD.SERVICE.NAMESPACE.svc.
func resolved(name, namespace string) (all []types.NamespacedName) {
	if strings.Count(name, ".") >= 5 {
		return nil
	}
	for _, search := range []string{namespace + ".svc.cluster.local", "svc.cluster.local", "cluster.local"} {
		of, is := strings.CutSuffix(name+"."+search, ".svc.cluster.local")
		if labels := strings.Split(of, "."); is && (len(labels) == 2 || len(labels) == 3) {
			all = append(all, types.NamespacedName{Namespace: labels[len(labels)-1], Name: labels[len(labels)-2]})
		}
	}
	return all
}

// R51: the Services that are looked at are those that a resolver would ask for, of every
// name that the rules let through, however many labels it has.
func TestInsideIsWhatAResolverAsksFor(t *testing.T) {
	for n := 1; n < 9; n++ {
		name := strings.Join(strings.Split("abcdefgh", "")[:n], ".") + ".dev"
		if got, want := fmt.Sprint(inside(name, "sys")), fmt.Sprint(resolved(name, "sys")); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		wild := "*." + name
		if got, want := fmt.Sprint(inside(wild, "sys")), fmt.Sprint(resolved("x."+name, "sys")); got != want {
			t.Errorf("%s: %s, want %s", wild, got, want)
		}
	}
	for _, name := range []string{"db", "db.kora-system.svc", "x.db.kora-system.svc", "*.dev", "db.kora-tenant-a"} { // what is not looked at is refused
		c := &v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{v1alpha1.Host(name)}}}
		if len(rules.Connection(c)) == 0 {
			t.Errorf("the rules let %s through", name)
		}
	}
}

// R51: every field that has a host is looked at, and each Service that a host would be
// found by is named; what is like it is nothing of the cluster's.
func TestHostsInsideAreFound(t *testing.T) {
	there := map[types.NamespacedName]*corev1.Service{}
	for _, name := range []string{"dev/db", "kora-system/app"} {
		namespace, name, _ := strings.Cut(name, "/")
		there[types.NamespacedName{Namespace: namespace, Name: name}] = &corev1.Service{}
	}
	s := &snapshot{system: "kora-system", services: there}
	at := metav1.ObjectMeta{Namespace: "kora-tenant-a", Name: "x"}
	objects := func(host string) map[string]v1alpha1.Object {
		return map[string]v1alpha1.Object{
			"spec.hosts[1]":                &v1alpha1.Connection{ObjectMeta: at, Spec: v1alpha1.ConnectionSpec{Hosts: []v1alpha1.Host{"api.example.com", v1alpha1.Host(host)}}},
			"spec.authentication.tokenURL": &v1alpha1.Connection{ObjectMeta: at, Spec: v1alpha1.ConnectionSpec{Authentication: v1alpha1.Authentication{TokenURL: "https://" + host + "/token"}}},
			"spec.url":                     &v1alpha1.MCPServer{ObjectMeta: at, Spec: v1alpha1.MCPServerSpec{URL: "https://" + host + ":8443/mcp"}},
			"spec.endpoint":                &v1alpha1.ModelProvider{ObjectMeta: at, Spec: v1alpha1.ModelProviderSpec{Endpoint: "https://" + host}},
		}
	}
	for host, found := range map[string]string{
		"db.dev": `Service "db" of the namespace "dev"`, "x.db.dev": `Service "db" of the namespace "dev"`, "*.db.dev": `Service "db" of the namespace "dev"`,
		"x.app": `Service "app" of the namespace "kora-system"`, "dev.app": `"app" of the namespace "kora-system"`,
		"y.x.db.dev": "", "db.app.dev": "", "dbx.dev": "", "api.db.com": "", "db.dev.com": "", "x.y.app": "",
	} {
		for field, o := range objects(host) {
			bad := s.judgeHosts(guessesOf(o, s.system))
			if found == "" && bad != nil || found != "" && (bad == nil || bad.waiting || bad.verdict.Reason != v1alpha1.ReasonInvalid ||
				!strings.HasPrefix(bad.verdict.Message, fmt.Sprintf("%s: %q is found in the cluster", field, host)) || !strings.Contains(bad.verdict.Message, found)) {
				t.Errorf("%s in %s: %+v", host, field, bad)
			}
		}
	}
}
