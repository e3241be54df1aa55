package injection_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// namespaceOf makes a namespace at Pod Security restricted with more labels.
func namespaceOf(t *testing.T, h *webhooktest.Hooks, name string, labels map[string]string) string {
	t.Helper()
	labels["pod-security.kubernetes.io/enforce"] = "restricted"
	n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	if err := h.Admin.Create(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Admin.Delete(context.Background(), n) })
	operatortest.Eventually(t, func() error {
		_, err := h.Cluster.Client().CoreV1().ServiceAccounts(name).Get(t.Context(), "default", metav1.GetOptions{})
		return err
	})
	return name
}

func tenantOf(t *testing.T, h *webhooktest.Hooks, tenant string) string {
	t.Helper()
	tenant = operatortest.Unique(tenant)
	at := namespaceOf(t, h, v1alpha1.TenantNamespace(tenant), map[string]string{v1alpha1.LabelTenant: tenant, v1alpha1.LabelManagedBy: v1alpha1.Operator})
	n := &corev1.Namespace{}
	if err := h.Admin.Get(t.Context(), client.ObjectKey{Name: at}, n); err != nil {
		t.Fatal(err)
	}
	o := &v1alpha1.KoraTenant{Spec: v1alpha1.KoraTenantSpec{OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
	o.Name, o.Annotations = tenant, map[string]string{v1alpha1.AnnotationNamespaceUID: string(n.UID)}
	if err := h.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return at
}

func built(namespace, slug, kind string) agents.Objects {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = slug, kind, namespace
	return agents.Build(s)
}

// provision makes the objects of an agent type as kora-agents does.
func provision(t *testing.T, h *webhooktest.Hooks, o agents.Objects) {
	t.Helper()
	agentsClient, err := client.New(h.Cluster.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	o.Claim = nil // the StatefulSet's controller makes it
	for _, each := range o.All() {
		if err := agentsClient.Create(t.Context(), each); err != nil {
			t.Fatalf("%T: %v", each, err)
		}
	}
}

func sidecar(pod *corev1.Pod) *corev1.Container {
	for n := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[n].Name == "kora-enforcer" {
			return &pod.Spec.InitContainers[n]
		}
	}
	return nil
}

// R1, R6, R10, R54: what kora-agents makes is taken in a namespace at Pod Security
// restricted, and both pods, the one that the StatefulSet's controller makes too,
// have their sidecar; the sandbox requests its size, its share, and 1Gi of disk.
func TestRealObjectsGetTheirSidecars(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "inject")
	o := built(at, "coder", "type-7")
	provision(t, h, o)
	pods := h.Cluster.Client().CoreV1().Pods(at)
	for _, name := range []string{"agent-coder-0", "sandbox-coder-sample"} {
		operatortest.Eventually(t, func() error {
			pod, err := pods.Get(t.Context(), name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			c := sidecar(pod)
			if c == nil || c.Image != "ghcr.io/runkora/kora-enforcer:1.4.0" || c.Resources.Requests.Cpu().String() != "450m" || c.Resources.Requests.Memory().String() != "160Mi" {
				return fmt.Errorf("%s: %+v", name, c)
			}
			if disk := c.Resources.Requests.StorageEphemeral().String(); (disk == "1Gi") != (name == "sandbox-coder-sample") {
				return fmt.Errorf("%s requests %s of disk", name, disk)
			}
			return nil
		})
	}
}

// R2, R54: a dry run is answered with the sidecar, and leaves nothing.
func TestDryRunShowsTheSidecar(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "dry")
	h.Requests.Reset()
	pod, err := h.Cluster.Client().CoreV1().Pods(at).Create(t.Context(), built(at, "coder", "render-coder").Sandbox, metav1.CreateOptions{DryRun: []string{"All"}})
	if err != nil || sidecar(pod) == nil {
		t.Fatalf("%v", err)
	}
	// The upkeep of the webhooks themselves goes on beside it.
	writes := slices.DeleteFunc(h.Requests.Writes(), func(w string) bool { return strings.Contains(w, "webhookconfigurations/") })
	if len(writes) > 0 {
		t.Errorf("a dry run made the operator write %v", writes)
	}
}

// R11, R54: a pod that claims another agent type, in each of its ways, is refused
// with the field and the way out.
func TestPodsThatClaimAnotherAgentTypeAreRefused(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "claims")
	provision(t, h, built(at, "coder", "type-7"))
	provision(t, h, built(at, "rich", "type-8"))
	pods := h.Cluster.Client().CoreV1().Pods(at)
	for name, test := range map[string]struct {
		change func(*corev1.Pod)
		says   string
	}{
		"another's type":      {func(p *corev1.Pod) { p.Labels["runkora.io/agent-type"] = "type-8" }, `"type-8" is the type of another agent than coder`},
		"a type of nobody's":  {func(p *corev1.Pod) { p.Labels["runkora.io/agent-type"] = "type-9" }, `is not the type of coder; write the one that the StatefulSet agent-coder has`},
		"another's slug":      {func(p *corev1.Pod) { p.Labels["runkora.io/agent-slug"] = "rich" }, "must be agent-rich"},
		"another's workspace": {func(p *corev1.Pod) { p.Spec.Volumes[0].PersistentVolumeClaim.ClaimName = "workspace-agent-rich-0" }, "workspace of another agent type"},
		"another's account":   {func(p *corev1.Pod) { p.Spec.ServiceAccountName = "agent-rich" }, "must be default on a sandbox"},
		"out of the mesh":     {func(p *corev1.Pod) { p.Labels["sidecar.istio.io/inject"] = "false" }, "not yours to set"},
		"another tenant":      {func(p *corev1.Pod) { p.Labels["runkora.io/tenant"] = "other" }, "must be " + strings.TrimPrefix(at, v1alpha1.TenantNamespacePrefix)},
		"no component":        {func(p *corev1.Pod) { delete(p.Labels, "runkora.io/component") }, "marks an agent's pod"},
		"a session-manager":   {func(p *corev1.Pod) { p.Labels["runkora.io/component"] = "session-manager" }, "not made by hand"},
	} {
		pod := built(at, "coder", "type-7").Sandbox
		pod.Name = "sandbox-coder-other"
		test.change(pod)
		operatortest.Eventually(t, func() error { // until the cache has both StatefulSets
			_, err := pods.Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{"All"}})
			if err == nil || !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), test.says) {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
}

// R54: labels on a namespace that the operator did not make bring no pod into the
// tenants' world, and a pod there without kora's labels is nobody's business.
func TestSpoofedLabelsInAnotherNamespace(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	real := strings.TrimPrefix(tenantOf(t, h, "real"), v1alpha1.TenantNamespacePrefix)
	unmade, forged := operatortest.Unique("unmade"), operatortest.Unique("forged")
	for _, at := range []string{
		namespaceOf(t, h, operatortest.Unique("spoofed"), map[string]string{v1alpha1.LabelTenant: real, v1alpha1.LabelManagedBy: v1alpha1.Operator}),
		namespaceOf(t, h, v1alpha1.TenantNamespace(unmade), map[string]string{v1alpha1.LabelTenant: unmade}),
		namespaceOf(t, h, v1alpha1.TenantNamespace(forged), map[string]string{v1alpha1.LabelTenant: forged, v1alpha1.LabelManagedBy: v1alpha1.Operator}),
	} {
		pod := built(at, "coder", "type-7").Sandbox
		pod.Labels[v1alpha1.LabelTenant] = real
		pods := h.Cluster.Client().CoreV1().Pods(at)
		if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err == nil || !strings.Contains(err.Error(), "is none that the operator made") {
			t.Errorf("%s: %v", at, err)
		}
		for key := range pod.Labels {
			if strings.Contains(key, "runkora.io/") {
				delete(pod.Labels, key)
			}
		}
		got, err := pods.Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{"All"}})
		if err != nil || sidecar(got) != nil {
			t.Errorf("%s: a pod of somebody else: %v", at, err)
		}
	}
}

// R54: an admitted pod stays what it was admitted as.
func TestPodsKeepTheLabelsThatTheyWereAdmittedWith(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "labels")
	pods := h.Cluster.Client().CoreV1().Pods(at)
	plain := built(at, "coder", "type-7").Sandbox
	plain.Labels, plain.Spec.Volumes[0] = map[string]string{"app": "tools"}, corev1.Volume{Name: "workspace"}
	if _, err := pods.Create(t.Context(), plain, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for patch, refused := range map[string]bool{
		`{"metadata":{"labels":{"runkora.io/component":"sandbox"}}}`:      true,
		`{"metadata":{"labels":{"runkora.io/agent-type":"type-8"}}}`:      true,
		`{"metadata":{"labels":{"app":"other"},"annotations":{"a":"b"}}}`: false,
	} {
		_, err := pods.Patch(t.Context(), plain.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "a pod stays what it was made as") {
			t.Errorf("%s: %v", patch, err)
		}
	}
}
