package status

import (
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Verdict is what one condition says.
type Verdict struct {
	Status metav1.ConditionStatus
	Reason string // one of Reasons(kind)
	// Message says in words what holds, or what does not, why, and what to do. It
	// never holds a secret's value.
	Message string
}

// Good is a condition that is True.
func Good(format string, args ...any) Verdict {
	return Verdict{metav1.ConditionTrue, v1alpha1.ReasonSucceeded, fmt.Sprintf(format, args...)}
}

// Bad is a condition that is False, for a reason that somebody can act on.
func Bad(reason, format string, args ...any) Verdict {
	return Verdict{metav1.ConditionFalse, reason, fmt.Sprintf(format, args...)}
}

// Wait is a condition that is Unknown: not yet, and nothing to do but wait.
func Wait(format string, args ...any) Verdict {
	return Verdict{metav1.ConditionUnknown, v1alpha1.ReasonProgressing, fmt.Sprintf(format, args...)}
}

// True reports whether the condition holds.
func (v Verdict) True() bool { return v.Status == metav1.ConditionTrue }
