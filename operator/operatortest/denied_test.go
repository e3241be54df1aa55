package operatortest

import (
	"net/http"
	"strings"
	"testing"
)

// R50: what is refused in a namespace on its way out is no missing right where the same
// was taken elsewhere; what was taken nowhere, or is refused where the namespace stays, is.
func TestRightsOfNamespacesThatAreGone(t *testing.T) {
	const refusal = `roles "r" is forbidden: User "u" cannot patch resource "roles"`
	for _, c := range []struct {
		name, request, taken, there string
		fault                       bool
	}{
		{"gone, and taken elsewhere", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles/r", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/b/roles/x", "b", false},
		{"there still", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles/r", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/b/roles/x", "a", true},
		{"taken nowhere", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles/r", "GET /apis/rbac.authorization.k8s.io/v1/namespaces/b/roles/r", "b", true},
		{"another group", "PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/a/roles/r", "PATCH /apis/example.com/v1/namespaces/b/roles/r", "b", true},
		{"a subresource", "PATCH /api/v1/namespaces/a/pods/p/status", "PATCH /api/v1/namespaces/b/pods/p", "b", true},
		{"of the cluster", "PATCH /api/v1/namespaces/a", "PATCH /api/v1/namespaces/b", "b", true},
		{"a list", "GET /api/v1/namespaces/a/secrets", "GET /api/v1/namespaces/b/secrets", "b", false},
	} {
		r := &Requests{denied: map[string]string{}, taken: map[string]bool{}}
		if !r.refused(c.request, http.StatusForbidden, []byte(refusal)) || r.refused(c.taken, http.StatusOK, nil) {
			t.Fatal(c.name)
		}
		r.left(map[string]bool{c.there: true})
		if faults := r.Faults(); len(faults) > 0 != c.fault || c.fault && !strings.Contains(faults[0], c.request) {
			t.Errorf("%s: faults %q", c.name, faults)
		}
	}
}
