package kube

import (
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// request is what was asked of an API server, read from the request itself: what
// the server says of it need not be true.
type request struct {
	path, verb                            string
	group, resource, sub, namespace, name string // resource is empty for what is none
}

func requestOf(q *http.Request) request {
	out := request{path: q.URL.Path}
	words := strings.Split(strings.Trim(q.URL.Path, "/"), "/")
	switch {
	case len(words) > 2 && words[0] == "api":
		words = words[2:]
	case len(words) > 3 && words[0] == "apis":
		out.group, words = words[1], words[3:]
	default:
		words = nil
	}
	if len(words) > 2 && words[0] == "namespaces" && words[2] != "status" {
		out.namespace, words = words[1], words[2:]
	}
	for i, into := range []*string{&out.resource, &out.name, &out.sub} {
		if i < len(words) {
			*into = words[i]
		}
	}
	if out.resource == "namespaces" {
		out.namespace = out.name // as the server itself counts it
	}
	out.verb = verbOf(q.Method, out)
	return out
}

func verbOf(method string, r request) string {
	switch {
	case method == http.MethodGet && r.resource != "" && r.name == "":
		return "list"
	case method == http.MethodPost:
		return "create"
	case method == http.MethodPut:
		return "update"
	}
	return strings.ToLower(method)
}

// of is the resource as a server names it, such as deployments.apps.
func (r request) of() schema.GroupResource {
	return schema.GroupResource{Group: r.group, Resource: r.resource}
}

// title is what it is about, such as: secrets "x".
func (r request) title() string {
	switch {
	case r.resource == "":
		return r.path
	case r.name == "":
		return r.of().String()
	}
	return r.of().String() + ` "` + r.name + `"`
}
