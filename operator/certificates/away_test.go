package certificates_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
)

// documented are the commands by which a person opens the webhooks, as the
// documentation has them.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operator-admission.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "kubectl patch ") {
			all = append(all, line)
		}
	}
	return all
}

// R54: with no operator alive nobody opens the webhooks; the documented commands do,
// each its own, and the next leader closes both again.
func TestAPersonOpensTheWebhooksWhereNoOperatorRuns(t *testing.T) {
	h := newHooks(t)
	_, run := h.Up(t)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	h.Endpoint(t, false)
	operatortest.Eventually(t, func() error { // when the API server has heard of Fail
		err := h.Admin.Create(t.Context(), webhooktest.Image("default", "unchecked"), client.DryRunAll)
		if err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
			return fmt.Errorf("with no operator it says: %v", err)
		}
		return nil
	})
	commands := documented(t)
	for n, want := range []string{"Ignore Fail", "Ignore Ignore"} {
		if len(commands) <= n {
			t.Fatalf("the documentation has %q", commands)
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", commands[n])
		cmd.Env = []string{"PATH=" + h.Cluster.Binaries() + ":/usr/bin:/bin", "KUBECONFIG=" + h.Cluster.Kubeconfig(), "HOME=" + t.TempDir()}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", commands[n], err, out)
		}
		if got, _ := h.Entries(t); got != want {
			t.Errorf("after %sit is %s, and not %s", commands[n], got, want)
		}
	}
	operatortest.Eventually(t, func() error {
		return h.Admin.Create(t.Context(), webhooktest.Image("default", "unchecked"), client.DryRunAll)
	})
	h.Up(t) // waits for Fail
	operatortest.Eventually(t, func() error { return h.Refused(t) })
}

// R54: when the chart is uninstalled its authority's key goes; while it is installed,
// somebody's deletion of the Secret is put right, with its owner.
func TestTheAuthorityGoesWithTheChart(t *testing.T) {
	h := newHooks(t)
	_, run := h.Up(t)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: rules.WebhookCASecret}}
	owned := func() error {
		if err := h.Admin.Get(t.Context(), client.ObjectKeyFromObject(secret), secret); err != nil {
			return err
		}
		if o := secret.OwnerReferences; len(o) != 1 || o[0].Kind != "ServiceAccount" || o[0].Name != v1alpha1.Operator || o[0].Controller != nil || o[0].BlockOwnerDeletion != nil {
			return fmt.Errorf("its owners are %+v", o)
		}
		return nil
	}
	if err := owned(); err != nil {
		t.Fatal(err)
	}
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: v1alpha1.Operator}}
	if err := h.Admin.Delete(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		if err := h.Admin.Get(t.Context(), client.ObjectKeyFromObject(secret), secret); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the key is left: %v", err)
		}
		return nil
	})
	h.Apply(t, operatortest.Rendered(t, nil, "ServiceAccount")...)
	certs, _ := h.Start(t)
	operatortest.Eventually(t, owned)
	operatortest.Eventually(t, func() error { return certs.Ready(t.Context()) })
	h.Policies(t, "Fail Fail")
}
