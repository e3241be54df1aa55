package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lint says what is wrong with a status that the operator wrote. Every test runs
// it over all statuses that were written in it.
func Lint(o v1alpha1.Object) []string {
	l := &linter{object: o, types: map[string]int{}}
	common := o.Common()
	if common.ObservedGeneration < 1 || common.ObservedGeneration > o.GetGeneration() {
		l.refuse("observedGeneration is %d of %d", common.ObservedGeneration, o.GetGeneration())
	}
	for _, c := range common.Conditions {
		l.condition(c)
	}
	for name, n := range l.types {
		if n > 1 {
			l.refuse("condition %s is there %d times", name, n)
		}
	}
	if l.types[Summary(o)] == 0 {
		l.refuse("there is no condition %s", Summary(o))
	}
	l.sum()
	if t, is := o.(*v1alpha1.KoraTenant); is {
		l.inventory(t.Status.Inventory)
	}
	return l.found
}

type linter struct {
	object v1alpha1.Object
	types  map[string]int
	found  []string
}

func (l *linter) refuse(format string, args ...any) {
	l.found = append(l.found, fmt.Sprintf("%s %s/%s: ", Kind(l.object), l.object.GetNamespace(), l.object.GetName())+fmt.Sprintf(format, args...))
}

func (l *linter) condition(c metav1.Condition) {
	l.types[c.Type]++
	if c.Type != Summary(l.object) && !slices.Contains(Parts(l.object), c.Type) && !slices.Contains(Beside(l.object), c.Type) {
		l.refuse("condition %q is none of its kind", c.Type)
	}
	if !slices.Contains(Reasons(Kind(l.object)), c.Reason) {
		l.refuse("condition %s has the reason %q, which is not in the list", c.Type, c.Reason)
	}
	if (c.Status == metav1.ConditionTrue) != (c.Reason == v1alpha1.ReasonSucceeded) {
		l.refuse("condition %s is %s with the reason %s", c.Type, c.Status, c.Reason)
	}
	if c.Message == "" || c.Message != strings.TrimSpace(c.Message) || len(c.Message) > maxMessage {
		l.refuse("condition %s has the message %q", c.Type, c.Message)
	}
	if c.ObservedGeneration != l.object.Common().ObservedGeneration {
		l.refuse("condition %s is of generation %d, the status of %d", c.Type, c.ObservedGeneration, l.object.Common().ObservedGeneration)
	}
	if c.LastTransitionTime.IsZero() {
		l.refuse("condition %s has no time", c.Type)
	}
}

// sum: what sums up never says more than its parts do.
func (l *linter) sum() {
	part := ""
	for _, c := range l.object.Common().Conditions {
		if c.Type != Summary(l.object) && c.Status != metav1.ConditionTrue && !slices.Contains(Beside(l.object), c.Type) {
			part = c.Type
		}
	}
	for _, c := range l.object.Common().Conditions {
		if c.Type == Summary(l.object) && c.Status == metav1.ConditionTrue && part != "" {
			l.refuse("%s is True and %s is not", c.Type, part)
		}
	}
}
