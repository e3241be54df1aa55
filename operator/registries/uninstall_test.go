package registries_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R51: what stays behind when the chart is uninstalled is only what a reinstalled
// operator goes on from: the registries go with the chart's objects, whoever took
// their owner from them; the key of the hashes stays, and so every hash is the same
// afterwards, and no status changes.
func TestWhatStaysWhenTheChartGoes(t *testing.T) {
	p := begin(t, nil, "leaves")
	p.create(t, secret("leaves", "s", "token"), connection("leaves", "c", "s"))
	was := says(t, p, connection("leaves", "c", ""), v1alpha1.ReasonSucceeded).DeepCopy()
	p.holds(t, "connection", "leaves/c")
	first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-registry-connection-0"}}
	p.patch(t, first, `{"metadata":{"ownerReferences":null}}`)
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(first), first); err != nil {
			return err
		}
		if len(first.OwnerReferences) != 1 || first.OwnerReferences[0].Kind != "ServiceAccount" || first.OwnerReferences[0].BlockOwnerDeletion != nil {
			return fmt.Errorf("its owners are %+v", first.OwnerReferences)
		}
		return nil
	})
	p.Quiet(t)

	if err := p.run.Stop(); err != nil { // the chart's Deployment goes first
		t.Fatal(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: v1alpha1.Operator}}
	if err := p.Admin.Delete(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		left := &corev1.ConfigMapList{}
		if err := p.Admin.List(t.Context(), left, client.InNamespace(operatortest.System), client.HasLabels{registries.LabelRegistry}); err != nil || len(left.Items) > 0 {
			return fmt.Errorf("%d registries are left, %v", len(left.Items), err)
		}
		return nil
	})
	if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: registries.KeySecret}, &corev1.Secret{}); err != nil {
		t.Error(err)
	}

	p.Apply(t, operatortest.Rendered(t, nil, "ServiceAccount")...)
	p.start(t)
	entries, _ := p.holds(t, "connection", "leaves/c")
	now := read(t, p, was)
	if hash := was.Status.SecretHash; hash == "" || entries["leaves/c"]["secretHash"] != hash || now.ResourceVersion != was.ResourceVersion {
		t.Errorf("the hash was %s, the entry is %v, the status %+v", hash, entries["leaves/c"], now.Status)
	}
}
