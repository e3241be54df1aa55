package admission_test

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

// large is a Connection of some 32 KiB, whose name the API server may choose.
func large(t *testing.T, namespace string) *v1alpha1.Connection {
	t.Helper()
	c := object[v1alpha1.Connection](t, namespace, "", `{hosts: [api.example.com], authentication: {type: none}}`)
	c.GenerateName = "large-"
	for n := range 62 {
		c.Spec.AllowedPaths = append(c.Spec.AllowedPaths, v1alpha1.PathRule(fmt.Sprintf("/%02d%s", n, strings.Repeat("x", 500))))
	}
	return c
}

// R51, R54: a flood of one tenant's resources ends at the API server, by what the
// webhooks have seen, and nothing of another tenant's is refused; what is deleted or
// shrunk makes room.
func TestAFloodEndsAtTheAPIServer(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	evil, good := namespace(t, h, "flood"), namespace(t, h, "beside")
	fit := rules.Share / rules.Size(large(t, evil))
	var all []*v1alpha1.Connection
	var refused error
	for refused == nil && len(all) <= fit {
		c := large(t, evil)
		if refused = h.Admin.Create(t.Context(), c); refused == nil {
			all = append(all, c)
		}
		if err := h.Admin.Create(t.Context(), &v1alpha1.Connection{ObjectMeta: metav1.ObjectMeta{Namespace: good, GenerateName: "small-"}, Spec: v1alpha1.ConnectionSpec{Hosts: c.Spec.Hosts, Authentication: c.Spec.Authentication}}); err != nil {
			t.Fatalf("another tenant's: %v", err)
		}
	}
	if !apierrors.IsInvalid(refused) || !strings.Contains(refused.Error(), "delete or shrink some of them first") || len(all) < fit-1 {
		t.Fatalf("%d of %d were made: %v", len(all), fit, refused)
	}
	if err := h.Admin.Patch(t.Context(), all[0], client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`))); err != nil {
		t.Errorf("a label: %v", err)
	}
	if err := h.Admin.Patch(t.Context(), all[0], client.RawPatch(types.MergePatchType, []byte(`{"spec":{"allowedPaths":null}}`))); err != nil {
		t.Errorf("it shrinks: %v", err)
	}
	operatortest.Eventually(t, func() error { return h.Admin.Create(t.Context(), large(t, evil)) })
	if err := h.Admin.Create(t.Context(), large(t, evil)); !apierrors.IsInvalid(err) {
		t.Errorf("what shrank was room for two: %v", err)
	}
	if err := h.Admin.Delete(t.Context(), all[1]); err != nil {
		t.Error(err)
	}
	operatortest.Eventually(t, func() error { return h.Admin.Create(t.Context(), large(t, evil)) })
}
