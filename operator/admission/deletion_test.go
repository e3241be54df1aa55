package admission_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
)

// live is a tenant that the operator has made, with something of each kind in it.
func live(t *testing.T, h *webhooktest.Hooks, name string, policy v1alpha1.DeletionPolicy) *v1alpha1.KoraTenant {
	t.Helper()
	name = operatortest.Unique(name)
	o := object[v1alpha1.KoraTenant](t, "", name, fmt.Sprintf(oidc, name+".example.com"))
	o.Spec.DeletionPolicy = policy
	at := v1alpha1.TenantNamespace(name)
	if err := h.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = h.Admin.Delete(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: at}})
	})
	operatortest.Eventually(t, func() error { return stands(t, h, o, "True", v1alpha1.ReasonSucceeded, "") })
	if err := h.Admin.Delete(t.Context(), o.DeepCopy(), client.DryRunAll); err != nil {
		t.Errorf("an empty tenant: %v", err)
	}
	for _, inside := range []client.Object{
		object[v1alpha1.Connection](t, at, "a", `{hosts: [a.example.com], authentication: {type: none}}`),
		object[v1alpha1.Connection](t, at, "b", `{hosts: [b.example.com], authentication: {type: none}}`),
		object[v1alpha1.SandboxImage](t, at, "mine", `{image: "ghcr.io/team/image:1"}`),
		set(at, "coder"),
		&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: at, Name: "workspace-agent-coder-0"}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}}}},
	} {
		if err := h.Admin.Create(t.Context(), inside); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// stands tells whether the tenant's Ready is so.
func stands(t *testing.T, h *webhooktest.Hooks, o *v1alpha1.KoraTenant, status, reason, message string) error {
	now := &v1alpha1.KoraTenant{}
	if err := h.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), now); err != nil {
		return err
	}
	c := meta.FindStatusCondition(now.Status.Conditions, v1alpha1.ConditionReady)
	if c == nil || string(c.Status) != status || c.Reason != reason || message != "" && c.Message != message {
		return fmt.Errorf("Ready is %+v, want %s %s %q", c, status, reason, message)
	}
	return nil
}

const (
	outdated = "The confirmation that it carries is of something else: what would go has changed since, or it was written by hand. "
	inUse    = "1 PersistentVolumeClaim (workspace-agent-coder-0), 1 StatefulSet (agent-coder), 2 Connections (a, b), 1 SandboxImage (mine)"
	goesAll  = "spec.deletionPolicy is Delete, so the namespace %s goes with all that is in it, workspaces too, and nothing brings it back; Retain would keep it"
)

// R50: a tenant in which something lives is deleted only by who has seen what goes,
// and the webhook and the tenant's status say it in the same words, to the letter.
func TestTenantInUseIsProtected(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	h.World.Start(t, tenants.New(h.Settings, clock.RealClock{}))
	o := live(t, h, "live", v1alpha1.DeletionDelete)
	gone := func() error { return h.Admin.Delete(t.Context(), o.DeepCopy(), client.DryRunAll) }
	asked := func(old string) string {
		plan, err := tenants.PlanOf(t.Context(), h.Admin, o.Name)
		if err != nil {
			t.Fatal(err)
		}
		goes := fmt.Sprintf(goesAll, v1alpha1.TenantNamespace(o.Name))
		return "KoraTenant " + o.Name + " is in use: " + inUse + ". " + goes + ". " + old + "If that is meant: kubectl annotate --overwrite koratenant " + o.Name + " runkora.io/confirm-deletion=" + plan.Confirmation(o)
	}
	question := asked("")
	if err := gone(); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), question+", and delete it again") {
		t.Errorf("got %v\nwant %s", err, question)
	}
	confirm := func(value string) {
		t.Helper()
		change := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"`+v1alpha1.AnnotationConfirmDeletion+`":`+value+`}}}`))
		if err := h.Admin.Patch(t.Context(), o, change); err != nil {
			t.Fatal(err)
		}
	}
	right := `"` + operatortest.Confirmation(t, question) + `"`
	for _, c := range []struct {
		value string
		free  bool
	}{{`"other"`, false}, {`"` + o.Name + `"`, false}, {right, true}} {
		confirm(c.value)
		if err := gone(); (err == nil) != c.free || !c.free && !strings.Contains(err.Error(), asked(outdated)) {
			t.Errorf("confirmed as %s: %v", c.value, err)
		}
	}

	// A deletion that the webhook did not see waits, and says the same.
	confirm("null")
	unhook(t, h)
	if err := h.Admin.Delete(t.Context(), o.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error { return stands(t, h, o, "False", v1alpha1.ReasonDeleting, question) })
	confirm(right)
	operatortest.Eventually(t, func() error {
		err := h.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), &v1alpha1.KoraTenant{})
		if err == nil {
			return fmt.Errorf("it is there")
		}
		return client.IgnoreNotFound(err)
	})
}

// R50: who keeps the namespace is told so, and another's namespace protects nothing.
func TestRetainedTenantSaysWhatStays(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	run := h.World.Start(t, tenants.New(h.Settings, clock.RealClock{}))
	o := live(t, h, "stays", v1alpha1.DeletionRetain)
	withdraw(t, h, o)
	err := h.Admin.Delete(t.Context(), o.DeepCopy(), client.DryRunAll)
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), inUse+". spec.deletionPolicy is Retain, so the namespace "+v1alpha1.TenantNamespace(o.Name)+" stays with all that is in it") {
		t.Errorf("got %v", err)
	}
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := h.Admin.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"runkora.io/namespace-uid":"of-another"}}}`))); err != nil {
		t.Fatal(err)
	}
	if err := h.Admin.Delete(t.Context(), o.DeepCopy(), client.DryRunAll); err != nil {
		t.Errorf("in another's namespace: %v", err)
	}
}

// R50, R54: a tenant whose mark somebody took off, or that an operator of before kept up,
// is protected all the same: its deletion waits for the mark, and is then asked about.
func TestATenantWithoutAMarkIsProtected(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	run := h.World.Start(t, tenants.New(h.Settings, clock.RealClock{}))
	o := live(t, h, "bare", v1alpha1.DeletionDelete)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := h.Admin.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"runkora.io/made-by":null}}}`))); err != nil {
		t.Fatal(err)
	}
	gone := func(within time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), within) // a client asks again by itself
		defer cancel()
		return h.Admin.Delete(ctx, o.DeepCopy(), client.DryRunAll)
	}
	if err := gone(time.Second); err == nil || strings.Contains(err.Error(), "workspace-agent-coder-0") || strings.Contains(err.Error(), v1alpha1.AnnotationConfirmDeletion) {
		t.Errorf("without a mark: %v", err)
	}
	h.World.Start(t, tenants.New(h.Settings, clock.RealClock{}))
	if err := gone(time.Minute); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "is in use: "+inUse) {
		t.Errorf("when it is marked: %v", err)
	}
}
