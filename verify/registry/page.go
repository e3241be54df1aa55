package registry

import (
	"fmt"
	"net/http"
)

// forPeople reports whether an answer is a page for a browser: no registry answers
// so, and what stands before one may, a proxy or a service that asks who one is.
func forPeople(a answer) bool {
	kind := kindOf(a.header.Get("Content-Type"))
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// page is the error of a 200 that is no answer of a registry: what was asked for
// may be there, and was not seen (R49).
func page(what string, a answer) error {
	e := &Error{Kind: Unreachable, What: what, status: http.StatusOK}
	e.Fix = "see what curl gets there: set HTTPS_PROXY or NO_PROXY, log in to the proxy, or name the registry itself"
	switch kind := visible(kindOf(a.header.Get("Content-Type"))); {
	case forPeople(a):
		e.Why = "a page for a browser came in the place of the registry's answer: a proxy, or a login, stands before it"
	case kind == "":
		e.Why = "the registry's answer has no type, and is not taken for what was asked for"
	default:
		e.Why = fmt.Sprintf("the registry's answer is of the type %q, which is not what was asked for", kind)
	}
	return e
}

// noList reports whether all that was had is an answer that is no list.
func noList(errs []error) bool {
	if len(errs) != 1 {
		return false
	}
	e, ok := errs[0].(*Error)
	return ok && e.Kind == Unreachable && e.status == http.StatusOK
}
