package checkup

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/upkeep"
)

// Status is the ConfigMap in which the outcomes stand, as JSON: kora has no object
// of the whole installation whose status could hold a condition, and the conditions
// of the Deployment are its controller's.
const Status = "kora-preflight-status"

// The keys of the ConfigMap, and its one condition.
const (
	KeyConditions = "conditions" // a list of metav1.Condition
	KeyOutcomes   = "outcomes"   // a list of preflight.Outcome
	KeyBlocked    = "blocked"    // the same, of what was wrong before nobody could look at it
	Condition     = "ClusterFit"
)

// kept is what the ConfigMap says, empty before the first look.
type kept struct {
	outcomes   []preflight.Outcome
	blocked    []preflight.Outcome
	conditions []metav1.Condition
}

// last reads what the last leader found. A ConfigMap that somebody spoiled counts
// as none: it is written anew.
func (c *Checkup) last(ctx context.Context) (kept, error) {
	found, out := &corev1.ConfigMap{}, kept{}
	err := c.live.Get(ctx, client.ObjectKey{Namespace: c.engine.Namespace, Name: Status}, found)
	if err != nil {
		return out, client.IgnoreNotFound(err)
	}
	if json.Unmarshal([]byte(found.Data[KeyOutcomes]), &out.outcomes) != nil || json.Unmarshal([]byte(found.Data[KeyConditions]), &out.conditions) != nil {
		return kept{}, nil
	}
	if of, there := found.Data[KeyBlocked]; there && json.Unmarshal([]byte(of), &out.blocked) != nil {
		return kept{}, nil
	}
	return out, nil
}

// keep writes the outcomes, when they are others than those that stand there.
func (c *Checkup) keep(ctx context.Context, about *corev1.ObjectReference, before kept, now []preflight.Outcome) error {
	conditions := before.conditions
	condition := summary(now)
	condition.LastTransitionTime = metav1.NewTime(c.clock.Now())
	meta.SetStatusCondition(&conditions, condition)
	outcomes, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return err
	}
	blocked, err := json.MarshalIndent(waiting(before.seen(), now), "", "  ")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(conditions, "", "  ")
	if err != nil {
		return err
	}
	want := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.engine.Namespace, Name: Status, Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}},
		Data:       map[string]string{KeyOutcomes: string(outcomes) + "\n", KeyConditions: string(text) + "\n", KeyBlocked: string(blocked) + "\n"},
	}
	if about.UID != "" { // it goes when kora is uninstalled
		want.OwnerReferences = []metav1.OwnerReference{{APIVersion: about.APIVersion, Kind: about.Kind, Name: about.Name, UID: about.UID, BlockOwnerDeletion: ptr.To(false)}}
	}
	return upkeep.Keeper{Client: c.client, Live: c.live}.Keep(ctx, upkeep.Thing{Want: want, Uncached: true, Added: true, Same: func(live client.Object) bool {
		return equality.Semantic.DeepEqual(live.(*corev1.ConfigMap).Data, want.Data) && equality.Semantic.DeepEqual(live.GetOwnerReferences(), want.OwnerReferences)
	}})
}

// forget removes what stands there where preflight is turned off: it would be
// taken for the state of today.
func (c *Checkup) forget(ctx context.Context) error {
	c.gauges.states.Reset()
	err := c.client.Delete(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: c.engine.Namespace, Name: Status}})
	if client.IgnoreNotFound(err) != nil {
		c.log.Info("the outcomes of earlier looks could not be removed", "configMap", Status, "why", err.Error())
	}
	return nil
}

// summary is the condition: False when a check failed, Unknown when one could not
// be decided, True otherwise.
func summary(all []preflight.Outcome) metav1.Condition {
	ids := map[preflight.State][]string{}
	for _, o := range all {
		ids[o.State] = append(ids[o.State], o.ID)
	}
	out := metav1.Condition{Type: Condition, Status: metav1.ConditionTrue, Reason: "ChecksPassed", Message: fmt.Sprintf("%d checks passed", len(ids[preflight.Passed]))}
	failed, unchecked, warned := ids[preflight.Failed], ids[preflight.Unchecked], ids[preflight.Warned]
	switch {
	case len(failed) > 0:
		out.Status, out.Reason, out.Message = metav1.ConditionFalse, "ChecksFailed", "failed: "+strings.Join(failed, ", ")
	case len(unchecked) > 0:
		out.Status, out.Reason, out.Message = metav1.ConditionUnknown, "NotAllChecked", "could not be checked: "+strings.Join(unchecked, ", ")
	case len(warned) > 0:
		out.Reason, out.Message = "ChecksWarned", "warned: "+strings.Join(warned, ", ")
	}
	return out
}
