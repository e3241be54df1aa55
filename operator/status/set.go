package status

import (
	"context"
	"strings"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// maxMessage is well below what the API server takes, and more than people read.
const maxMessage = 4096

// Set writes one condition of the object as it is at its present generation. The
// moment counts only when the condition's status changes.
func Set(o v1alpha1.Object, condition string, v Verdict, now time.Time) {
	common := o.Common()
	common.ObservedGeneration = o.GetGeneration()
	meta.SetStatusCondition(&common.Conditions, metav1.Condition{
		Type: condition, Status: v.Status, Reason: v.Reason, Message: cut(v.Message),
		ObservedGeneration: o.GetGeneration(), LastTransitionTime: metav1.NewTime(now.Truncate(time.Second)),
	})
}

// Sum sets Ready from the other conditions: True when all are, else Unknown or
// False with the reason PartNotReady and the first that says why, in the order
// of the kind's list.
func Sum(o v1alpha1.Object, now time.Time) {
	Set(o, v1alpha1.ConditionReady, summed(o), now)
}

func summed(o v1alpha1.Object) Verdict {
	waits := ""
	for _, part := range Parts(o) {
		c := meta.FindStatusCondition(o.Common().Conditions, part)
		switch {
		case c == nil:
			waits = first(waits, part+" is not known yet")
		case c.Status == metav1.ConditionFalse:
			return Bad(v1alpha1.ReasonPartNotReady, "%s: %s", part, c.Message)
		case c.Status == metav1.ConditionUnknown:
			waits = first(waits, part+": "+c.Message)
		}
	}
	if waits != "" {
		return Wait("%s", waits)
	}
	return Good("everything is as it should be")
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Write patches the status subresource with what differs from before, and asks
// the API server nothing when nothing does.
func Write(ctx context.Context, c client.Client, before, after v1alpha1.Object) error {
	patch := client.MergeFrom(before.(client.Object))
	data, err := patch.Data(after.(client.Object))
	if err != nil || string(data) == "{}" {
		return err
	}
	return c.Status().Patch(ctx, after.(client.Object), patch)
}

func cut(message string) string { return short(strings.TrimSpace(message), maxMessage) }
