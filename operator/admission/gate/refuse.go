package gate

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// again is after how many seconds a client that heeds the answer asks again by itself.
const again = 2

// Refused is the answer to a request that got no turn: no is safe.
func Refused(err error) admission.Response {
	return later(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, err)
}

// Again is the answer to a request that can be judged only a moment later.
func Again(err error) admission.Response {
	return later(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, err)
}

func later(code int32, reason metav1.StatusReason, err error) admission.Response {
	r := admission.Errored(code, fmt.Errorf("kora could not check this and lets nothing pass unchecked: %w", err))
	r.Result.Status, r.Result.Reason = metav1.StatusFailure, reason
	r.Result.Details = &metav1.StatusDetails{RetryAfterSeconds: again}
	return r
}

// Full is the refusal of a request for which there is no place in the line. Namespace
// is empty when all namespaces together have filled it.
type Full struct{ Namespace string }

func (f Full) Error() string {
	return fmt.Sprintf("%s more at once than kora keeps waiting; try again in some seconds, and make fewer at a time", whose(f.Namespace))
}

// Late is the refusal of a request that waited as long as it could. Namespace is empty
// when it waited for others than its own.
type Late struct{ Namespace string }

func (l Late) Error() string {
	return fmt.Sprintf("%s more at once than kora judges in the time that a request has; try again in some seconds, and make fewer at a time", whose(l.Namespace))
}

// whose begins the sentence.
func whose(namespace string) string {
	if namespace == "" {
		return "all namespaces together ask for"
	}
	return "the namespace " + namespace + " asks for"
}
