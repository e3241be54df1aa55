package kube

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// plainStatus puts in place of an API server's refusal one that says the same in
// kora's words: the code, the reason where it is one of Kubernetes', and of the
// sentence only what has a known form. Whatever else the server wrote, such as
// what it was sent, goes no further (R55).
func plainStatus(q *http.Request, response *http.Response, body []byte, h *hidden) []byte {
	r, theirs := requestOf(q), &metav1.Status{}
	if decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil); err == nil {
		if status, ok := decoded.(*metav1.Status); ok {
			theirs = status
		}
	}
	own := apierrors.NewGenericServerResponse(response.StatusCode, r.verb, r.of(), r.name, "", 0, false).ErrStatus
	own.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	if known()[theirs.Reason] {
		own.Reason = theirs.Reason
	}
	own.Continue = theirs.Continue // never shown
	own.Message = sentence(r, own, theirs, h)
	own.Details = &metav1.StatusDetails{UID: types.UID(mark())}
	kind, text := "application/json", []byte(nil)
	if text, _ = json.Marshal(own); r.resource == "" { // of a path the library reads plain text alone
		kind, text = "text/plain", []byte(mark()+own.Message)
	}
	response.Header.Set("Content-Type", kind)
	response.Header.Del("Content-Encoding")
	response.ContentLength = int64(len(text))
	return text
}

// mark tells a refusal that was put into kora's words from what a server says, as
// in a Status that it sends with 200. No server sees it.
var mark = sync.OnceValue(rand.Text)

// told is a refusal in kora's words: false where the words are somebody else's, or
// there are none.
func told(refused apierrors.APIStatus) (error, bool) {
	s := refused.Status()
	if s.Details == nil {
		return nil, false
	}
	if s.Details.UID == types.UID(mark()) {
		return &apierrors.StatusError{ErrStatus: s}, s.Message != ""
	}
	for _, c := range s.Details.Causes {
		if own, marked := strings.CutPrefix(c.Message, mark()); marked && own != "" {
			s.Message = own
			return &apierrors.StatusError{ErrStatus: s}, true
		}
	}
	return nil, false
}

// known are the reasons that tell more than a code.
func known() map[metav1.StatusReason]bool {
	out := map[metav1.StatusReason]bool{}
	for _, r := range []metav1.StatusReason{
		metav1.StatusReasonUnauthorized, metav1.StatusReasonForbidden, metav1.StatusReasonNotFound, metav1.StatusReasonAlreadyExists, metav1.StatusReasonConflict,
		metav1.StatusReasonGone, metav1.StatusReasonInvalid, metav1.StatusReasonServerTimeout, metav1.StatusReasonTimeout, metav1.StatusReasonTooManyRequests,
		metav1.StatusReasonBadRequest, metav1.StatusReasonMethodNotAllowed, metav1.StatusReasonNotAcceptable, metav1.StatusReasonRequestEntityTooLarge,
		metav1.StatusReasonUnsupportedMediaType, metav1.StatusReasonInternalError, metav1.StatusReasonExpired, metav1.StatusReasonServiceUnavailable,
	} {
		out[r] = true
	}
	return out
}

// sentence says why a request was refused.
func sentence(r request, own metav1.Status, theirs *metav1.Status, h *hidden) string {
	switch own.Reason {
	case metav1.StatusReasonForbidden:
		if said := r.denied(theirs.Message, h); said != "" {
			return r.title() + " is forbidden: " + said
		}
		if ending(theirs) && r.namespace != "" {
			return r.title() + ` is forbidden: namespace "` + r.namespace + `" is being deleted`
		}
		if said := ruled(theirs.Message, h); said != "" {
			return r.title() + " is forbidden: " + said
		}
		return r.title() + " is forbidden (403); the server's own words are left out"
	case metav1.StatusReasonNotFound:
		if homeless(r, theirs) {
			return r.title() + ` is refused: namespace "` + r.namespace + `" is not there`
		}
		return r.title() + " not found"
	case metav1.StatusReasonInvalid: // which a policy answers as well, unless it says another reason
		if said := ruled(theirs.Message, h); said != "" {
			return r.title() + " is refused: " + said
		}
		return r.title() + " is invalid" + causes(theirs, h)
	}
	if said := ruled(theirs.Message, h); said != "" {
		return r.title() + " is refused: " + said
	}
	if said := uncalled(theirs.Message, h); said != "" && own.Reason == metav1.StatusReasonInternalError {
		return r.title() + " was not judged: " + said
	}
	reason := string(own.Reason)
	if reason == "" {
		reason = "Unknown"
	}
	return "the API server answers " + r.title() + " with " + http.StatusText(int(own.Code)) + " (" + reason + ")"
}

// ending reports whether a namespace refuses what is new since it is being deleted.
func ending(theirs *metav1.Status) bool {
	return theirs.Details != nil && slices.ContainsFunc(theirs.Details.Causes, func(c metav1.StatusCause) bool { return c.Type == corev1.NamespaceTerminatingCause })
}

// homeless reports whether it is the namespace of a request that was not found: an
// object that is to be made is never there.
func homeless(r request, theirs *metav1.Status) bool {
	d := theirs.Details
	return d != nil && d.Kind == "namespaces" && d.Group == "" && r.namespace != "" && r.resource != "namespaces" && d.Name == r.namespace
}

// causes are the fields that a server names, each with what is wrong with it.
func causes(theirs *metav1.Status, h *hidden) string {
	var out []string
	if theirs.Details != nil {
		for _, c := range theirs.Details.Causes {
			if fieldForm().MatchString(c.Field) && causeForm().MatchString(string(c.Type)) && !h.in(c.Field) && len(out) < 10 {
				out = append(out, c.Field+" ("+string(c.Type)+")")
			}
		}
	}
	if len(out) == 0 {
		return "; the server's own words are left out"
	}
	return ": " + strings.Join(out, ", ")
}
