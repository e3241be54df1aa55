package registries_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R51: all kinds of all tenants are in the registries, sorted, of one generation,
// without a secret's value; a wrong one says why and blocks no other.
func TestResourcesAreGathered(t *testing.T) {
	p := begin(t, nil, "gather-b", "gather-a")
	a, b := "gather-a", "gather-b"
	p.create(t, secret(a, "good", "token", "client-secret", "key"), secret(b, "elsewhere", "token"), secret(a, "lacking", "other"))
	foreign := connection(a, "foreign", "elsewhere")
	lacking := connection(a, "lacking", "lacking")
	noClient := oauthClient(a, "lacking", "lacking")
	noModel := modelProvider(a, "lacking", "https://models.example.com", "nothing")
	homeless := connection(a, "homeless", "")
	homeless.Namespace = "default"
	narrow := mcpServer(a, "narrow", "https://other.example.com/mcp", "good")
	nowhere := mcpServer(a, "nowhere", "https://api.example.com/mcp", "missing")
	onBad := mcpServer(a, "on-bad", "https://api.example.com/mcp", "lacking")
	suffix := connection(a, "suffix", "good")
	suffix.Spec.Hosts = []v1alpha1.Host{"*.co.uk"}
	p.create(t, connection(b, "open", ""), connection(a, "good", "good"), foreign, lacking, homeless, suffix,
		oauthClient(a, "good", "good"), noClient, mcpServer(a, "good", "https://api.example.com/mcp", "good"), mcpServer(b, "open", "https://mcp.example.com", ""),
		narrow, nowhere, onBad, modelProvider(a, "good", "https://models.example.com", "good"), noModel)
	defer func() {
		if err := p.Admin.Delete(t.Context(), homeless); err != nil {
			t.Error(err)
		}
	}()

	connections, _ := p.holds(t, "connection", "gather-a/good", "gather-b/open")
	p.holds(t, "oauthclient", "gather-a/good")
	p.holds(t, "mcpserver", "gather-a/good", "gather-b/open")
	p.holds(t, "modelprovider", "gather-a/good")
	operatortest.Eventually(t, func() error { // the last pass has been
		var stamps []string
		for _, kind := range []string{"connection", "oauthclient", "mcpserver", "modelprovider"} {
			_, _, stamp, err := p.registry(t.Context(), kind)
			if err != nil {
				return err
			}
			stamps = append(stamps, stamp)
		}
		if stamps = slices.Compact(stamps); len(stamps) != 1 {
			return fmt.Errorf("generations %v", stamps)
		}
		return nil
	})
	for _, c := range []struct {
		object v1alpha1.Object
		reason string
		texts  []string
	}{
		{foreign, v1alpha1.ReasonReferenceNotFound, []string{"spec.authentication.secretRef.name", `"elsewhere"`, "other namespaces are never read"}},
		{lacking, v1alpha1.ReasonSecretKeyMissing, []string{"spec.authentication.secretRef.key", `"token"`, "add it to the Secret"}},
		{noClient, v1alpha1.ReasonSecretKeyMissing, []string{"spec.secretRef.key", `"client-secret"`}},
		{noModel, v1alpha1.ReasonReferenceNotFound, []string{"spec.secretRef.name", `"nothing"`}},
		{homeless, v1alpha1.ReasonInvalid, []string{"metadata.namespace", "kora-tenant-"}},
		{narrow, v1alpha1.ReasonInvalid, []string{"spec.connectionRef.name", "other.example.com"}},
		{nowhere, v1alpha1.ReasonReferenceNotFound, []string{"spec.connectionRef.name", `"missing"`}},
		{onBad, v1alpha1.ReasonReferenceNotFound, []string{"spec.connectionRef.name", `"lacking"`, "not ready"}},
		{suffix, v1alpha1.ReasonInvalid, []string{"spec.hosts[0]"}},
	} {
		says(t, p, c.object, c.reason, c.texts...)
	}
	good := says(t, p, connection(a, "good", ""), v1alpha1.ReasonSucceeded)
	entry := connections["gather-a/good"]
	if !strings.HasPrefix(good.Status.SecretHash, "hmac-sha256:") || entry["secretHash"] != good.Status.SecretHash || entry["namespace"] != "kora-tenant-gather-a" {
		t.Errorf("%+v, %+v", good.Status, entry)
	}
	p.Quiet(t)

	// A Secret that comes later is found by itself.
	p.create(t, secret(a, "elsewhere", "token"))
	says(t, p, foreign, v1alpha1.ReasonSucceeded)
	p.holds(t, "connection", "gather-a/foreign", "gather-a/good", "gather-b/open")

	// What somebody else does to the registry is undone; old shards go.
	p.create(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-registry-connection-7",
		Labels: map[string]string{registries.LabelRegistry: "connection", v1alpha1.LabelManagedBy: v1alpha1.Operator}}})
	first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-registry-connection-0"}}
	p.patch(t, first, `{"data":{"registry.json":"{}"}}`)
	p.holds(t, "connection", "gather-a/foreign", "gather-a/good", "gather-b/open")
	p.patch(t, first, `{"data":{"registry.json":"{}"},"immutable":true}`)
	p.holds(t, "connection", "gather-a/foreign", "gather-a/good", "gather-b/open")
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(first), first); err != nil || first.Immutable != nil || len(first.OwnerReferences) != 1 {
		t.Errorf("an immutable one is not made anew: %+v, %v", first.ObjectMeta, err)
	}
	if err := p.Admin.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	p.holds(t, "connection", "gather-a/foreign", "gather-a/good", "gather-b/open")

	// A suspended tenant is out, and back.
	tenant := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: a}}
	p.patch(t, tenant, `{"spec":{"suspended":true}}`)
	p.holds(t, "connection", "gather-b/open")
	says(t, p, good, v1alpha1.ReasonSuspended, "spec.suspended")
	p.patch(t, tenant, `{"spec":{"suspended":false}}`)
	p.holds(t, "connection", "gather-a/foreign", "gather-a/good", "gather-b/open")

	// A deleted resource is out.
	if err := p.Admin.Delete(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	p.holds(t, "connection", "gather-a/good", "gather-b/open")
}

// R51: a rotated secret is seen at the periodic pass, and an operator that starts
// anew finds nothing to write.
func TestRotatedSecrets(t *testing.T) {
	p := begin(t, nil, "rotated")
	p.create(t, secret("rotated", "s", "token"), connection("rotated", "c", "s"))
	c := says(t, p, connection("rotated", "c", ""), v1alpha1.ReasonSucceeded)
	was := c.Status.SecretHash
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	p.Settings.SyncPeriod = "2s"
	p.Requests.Reset()
	p.start(t)
	time.Sleep(3 * time.Second) // a first pass and a periodic one
	for _, write := range p.Requests.Writes() {
		if strings.Contains(write, "kora-registry") || strings.Contains(write, "/connections/") {
			t.Errorf("an operator that starts writes what is there: %s", write)
		}
	}
	p.patch(t, &corev1.Secret{ObjectMeta: in("rotated", "s")}, `{"stringData":{"token":"`+planted+`-2"}}`)
	operatortest.Eventually(t, func() error {
		entries, hash := map[string]map[string]any(nil), ""
		_, entries, _, err := p.registry(t.Context(), "connection")
		if err != nil {
			return err
		}
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			return err
		}
		if hash = c.Status.SecretHash; hash == was || entries["rotated/c"]["secretHash"] != hash {
			return fmt.Errorf("status %s, registry %v", hash, entries["rotated/c"])
		}
		return nil
	})
	// A key that goes is told, and the entry leaves.
	p.patch(t, &corev1.Secret{ObjectMeta: in("rotated", "s")}, `{"data":{"token":null}}`)
	if got := says(t, p, c, v1alpha1.ReasonSecretKeyMissing); got.Status.SecretHash != "" {
		t.Errorf("%+v", got.Status)
	}
	p.holds(t, "connection")
}

// R51: many changes are one pass, and registries of more than a shard are split.
func TestManyChangesAreFewPasses(t *testing.T) {
	p := begin(t, nil, "many")
	p.holds(t, "connection")
	p.Requests.Reset()
	const number = 60
	var want []string
	for i := range number {
		c := connection("many", fmt.Sprintf("c-%03d", i), "")
		for j := range 64 { // a large one: some 33 KiB
			c.Spec.AllowedPaths = append(c.Spec.AllowedPaths, v1alpha1.PathRule(fmt.Sprintf("/%02d%s", j, strings.Repeat("x", 500))))
		}
		p.create(t, c)
		want = append(want, "many/"+c.Name)
	}
	p.holds(t, "connection", want...)
	shards, statuses := 0, 0
	for i := range number { // a pass writes statuses in no order
		says(t, p, connection("many", fmt.Sprintf("c-%03d", i), ""), v1alpha1.ReasonSucceeded)
	}
	for _, write := range p.Requests.Writes() {
		switch {
		case strings.Contains(write, "/configmaps"):
			shards++
		case strings.Contains(write, "/connections/"):
			statuses++
		}
	}
	list := &corev1.ConfigMapList{}
	if err := p.Admin.List(t.Context(), list, client.MatchingLabels{registries.LabelRegistry: "connection"}); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) < 3 || statuses != number || shards > number {
		t.Errorf("%d shards written %d times, %d statuses", len(list.Items), shards, statuses)
	}
	if err := p.Admin.DeleteAllOf(t.Context(), &v1alpha1.Connection{}, client.InNamespace("kora-tenant-many")); err != nil {
		t.Fatal(err)
	}
	p.holds(t, "connection")
	if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: operatortest.System, Name: "kora-registry-connection-1"}, &corev1.ConfigMap{}); !apierrors.IsNotFound(err) {
		t.Errorf("an old shard is left: %v", err)
	}
}
