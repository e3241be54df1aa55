package operatortest

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var confirmation = regexp.MustCompile(v1alpha1.AnnotationConfirmDeletion + `=([^\s,]+)`)

// Confirmation is the word by which a question says that the deletion of a tenant is
// confirmed (R50), as a person copies it; the test ends where there is none.
func Confirmation(t testing.TB, question string) string {
	t.Helper()
	found := confirmation.FindStringSubmatch(question)
	if found == nil {
		t.Fatalf("nothing to confirm by: %s", question)
	}
	return found[1]
}

// Confirm waits until a tenant's status asks whether its deletion is meant, and answers
// what it asks.
func (w *World) Confirm(t testing.TB, name string) {
	t.Helper()
	o, question := &v1alpha1.KoraTenant{}, ""
	Eventually(t, func() error {
		if err := w.Admin.Get(t.Context(), client.ObjectKey{Name: name}, o); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionReady)
		if c == nil || c.Reason != v1alpha1.ReasonDeleting {
			return fmt.Errorf("the condition Ready is %+v", c)
		}
		question = c.Message
		return nil
	})
	w.Annotate(t, o, v1alpha1.AnnotationConfirmDeletion, Confirmation(t, question))
}

// Annotate puts an annotation on an object, as an administrator does.
func (w *World) Annotate(t testing.TB, o client.Object, key, value string) {
	t.Helper()
	change := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, key, value)
	if err := w.Admin.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(change))); err != nil {
		t.Fatal(err)
	}
}
