package operatortest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
)

// refused takes note of whether RBAC refused a request. RBAC follows a new RoleBinding
// some milliseconds later: one that was taken in the end had its right.
func (r *Requests) refused(request string, status int, said []byte) bool {
	if status == http.StatusForbidden && bytes.Contains(said, []byte("cannot ")) {
		r.denied[request] = string(said)
		return true
	}
	delete(r.denied, request)
	if status < 300 {
		r.taken[kindOf(request)] = true
	}
	return false
}

// rights are the requests that were refused to the last.
func (r *Requests) rights() (faults []string) {
	for _, request := range slices.Sorted(maps.Keys(r.denied)) {
		faults = append(faults, fmt.Sprintf("the chart does not give the right to %s: %s", request, r.denied[request]))
	}
	return faults
}

// left forgets what was refused in a namespace that is gone or going, where the same was
// taken in another: a namespace's RoleBindings go before the operator hears of it, and a
// pass over all tenants may be under way then. A right that the chart does not give was
// taken nowhere, and stays a fault.
func (r *Requests) left(there map[string]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.denied, func(request, _ string) bool {
		namespace := namespaceOf(request)
		return namespace != "" && !there[namespace] && r.taken[kindOf(request)]
	})
}

// whole finds lists of a tenant's namespace that ask for everything at once: people of
// the tenant make as many and as large objects there as they like (see operator/pages).
func (r *Requests) whole(request *http.Request) {
	q, parts := request.URL.Query(), strings.Split(request.URL.Path, "/")
	at := slices.Index(parts, "namespaces")
	if at < 0 || len(parts) != at+3 || !strings.HasPrefix(parts[at+1], v1alpha1.TenantNamespacePrefix) || q.Get("watch") != "" {
		return
	}
	if q.Get("limit") == "" && !strings.HasPrefix(q.Get("fieldSelector"), "metadata.name=") {
		r.found = append(r.found, "lists a tenant's namespace whole: GET "+request.URL.Path)
	}
}

// namespaceOf is where a request such as "PATCH /api/v1/namespaces/a/pods/b" acts; it
// is empty for objects of the cluster, namespaces too.
func namespaceOf(request string) string {
	namespace, _, _ := inNamespace(request)
	return namespace
}

// kindOf is a request without its namespace and the name of its object, so that the
// same right is the same text: "PATCH /api/v1 pods/status".
func kindOf(request string) string {
	_, before, after := inNamespace(request)
	parts := strings.Split(after, "/")
	if len(parts) > 2 {
		return before + " " + parts[0] + "/" + parts[2]
	}
	return before + " " + parts[0]
}

func inNamespace(request string) (namespace, before, after string) {
	before, rest, _ := strings.Cut(request, "/namespaces/")
	namespace, after, inside := strings.Cut(rest, "/")
	if !inside {
		return "", request, ""
	}
	return namespace, before, after
}

// judge tells, at the end of a test, what the operator must not have done.
func (w *World) judge(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second) // the test's own has ended
	defer cancel()
	all, there := &corev1.NamespaceList{}, map[string]bool{}
	if err := w.Admin.List(ctx, all); err != nil {
		t.Errorf("list the namespaces that are left: %v", err)
	}
	for _, n := range all.Items {
		there[n.Name] = n.DeletionTimestamp == nil
	}
	w.Requests.left(there)
	for _, fault := range w.Requests.Faults() {
		t.Error(fault)
	}
}
