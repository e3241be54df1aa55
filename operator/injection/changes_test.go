package injection_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

// changes are changes of an admitted sandbox, by each resource that changes a pod,
// and what the denial says; nothing for what is anybody's to do.
var changes = map[string]struct{ resource, patch, says string }{
	"the enforcer's image":     {"", `{"spec":{"initContainers":[{"name":"kora-enforcer","image":"evil:1"}]}}`, "is a sidecar, and stays as it was added"},
	"the enforcer's share":     {"resize", `{"spec":{"initContainers":[{"name":"kora-enforcer","resources":{"requests":{"cpu":"1m"}}}]}}`, "is a sidecar, and stays as it was added"},
	"a SPIFFE label":           {"", labelled("spiffe.io/x", "y"), "labels[spiffe.io/x]"},
	"out of the mesh":          {"", labelled("sidecar.istio.io/inject", "false"), "labels[sidecar.istio.io/inject]"},
	"no mutual TLS":            {"", labelled("security.istio.io/tlsMode", "disabled"), "labels[security.istio.io/tlsMode]"},
	"another manager":          {"", labelled("app.kubernetes.io/managed-by", "me"), "labels[app.kubernetes.io/managed-by]"},
	"a label of kora's":        {"", labelled("runkora.io/anything", "x"), "labels[runkora.io/anything]"},
	"another type":             {"", labelled("runkora.io/agent-type", "type-8"), "a pod stays what it was made as"},
	"ports past the proxy":     {"", annotated("traffic.sidecar.istio.io/excludeOutboundPorts", "443"), "annotations[traffic.sidecar.istio.io/excludeOutboundPorts]"},
	"a cloud identity":         {"", annotated("iam.gke.io/x", "y"), "a sandbox never has one"},
	"another network":          {"", annotated("k8s.v1.cni.cncf.io/networks", "y"), "chooses networks"},
	"a type, by the status":    {"status", labelled("runkora.io/agent-type", "type-8"), "a pod stays what it was made as"},
	"a slug, by the status":    {"status", labelled("runkora.io/agent-slug", "other"), "a pod stays what it was made as"},
	"a tenant, by the status":  {"status", labelled("runkora.io/tenant", "other"), "a pod stays what it was made as"},
	"a port, by the status":    {"status", annotated("traffic.sidecar.istio.io/excludeOutboundPorts", "443"), "a pod stays what it was made as"},
	"the mesh's user":          {"ephemeralcontainers", debugger(`"securityContext":{` + confined + `,"runAsUser":1337}`), "whose traffic no policy sees"},
	"root's group":             {"ephemeralcontainers", debugger(`"securityContext":{` + confined + `,"runAsGroup":0}`), "is root's group"},
	"an identity":              {"ephemeralcontainers", debugger(`"volumeMounts":[{"name":"kora-identity","mountPath":"/x"}]`), "by which the pod's identity is proved"},
	"a socket":                 {"ephemeralcontainers", debugger(`"volumeMounts":[{"name":"workload-socket","mountPath":"/x"}]`), "by which the pod's identity is proved"},
	"a key of an authority":    {"ephemeralcontainers", debugger(`"env":[{"name":"K","valueFrom":{"secretKeyRef":{"name":"kora-tenant-ca","key":"tls.key"}}}]`), "holds the key of a certificate authority"},
	"the sidecar's processes":  {"ephemeralcontainers", debugger(`"targetContainerName":"kora-enforcer"`), "would show the sidecar's processes"},
	"a stand-in":               {"ephemeralcontainers", strings.ReplaceAll(debugger(`"env":[]`), `"debug"`, `"istio-proxy"`), "where the mesh's injector puts none"},
	"a look, within bounds":    {"ephemeralcontainers", debugger(`"targetContainerName":"sandbox"`), ""},
	"a report of the node's":   {"status", `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`, ""},
	"a network, reported":      {"status", annotated("k8s.v1.cni.cncf.io/network-status", "[]"), ""},
	"a controller's note":      {"", annotated("kubernetes.io/note", "x"), ""},
	"a deadline":               {"", `{"spec":{"activeDeadlineSeconds":3600}}`, ""},
	"a finalizer":              {"", `{"metadata":{"finalizers":["example.com/x"]}}`, ""},
	"the sandbox's own size":   {"resize", `{"spec":{"containers":[{"name":"sandbox","resources":{"requests":{"cpu":"1m"}}}]}}`, ""},
	"the sandbox's next image": {"", `{"spec":{"containers":[{"name":"sandbox","image":"next:1"}]}}`, ""},
}

const confined = `"allowPrivilegeEscalation":false,"runAsNonRoot":true,"capabilities":{"drop":["ALL"]},"seccompProfile":{"type":"RuntimeDefault"}`

func labelled(key, value string) string {
	return fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, key, value)
}

func annotated(key, value string) string {
	return fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, key, value)
}

// debugger is a container that somebody adds to look at a pod, restricted unless more
// says something else.
func debugger(more string) string {
	if !strings.Contains(more, "securityContext") {
		more += `,"securityContext":{` + confined + `}`
	}
	return `{"spec":{"ephemeralContainers":[{"name":"debug","image":"debug:1",` + more + `}]}}`
}

// changed tries one change in a dry run.
func changed(t *testing.T, h *webhooktest.Hooks, pod *corev1.Pod, resource, patch string) error {
	t.Helper()
	var sub []string
	if resource != "" {
		sub = []string{resource}
	}
	_, err := h.Cluster.Client().CoreV1().Pods(pod.Namespace).Patch(t.Context(), pod.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{DryRun: []string{"All"}}, sub...)
	return err
}

// R5, R6, R11, R50, R54: what is refused in a new pod comes into none later, by whichever
// resource, also while the pod is being deleted; nodes and controllers go on.
func TestAdmittedPodsBecomeNothingThatIsRefused(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "changes")
	pod := built(at, "coder", "type-7").Sandbox
	pod.Finalizers = []string{"example.com/held"}
	if err := h.Admin.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { release(h, pod) })
	for _, going := range []bool{false, true} {
		if going {
			if err := h.Admin.Delete(t.Context(), pod, client.GracePeriodSeconds(3600)); err != nil {
				t.Fatal(err)
			}
		}
		for name, c := range changes {
			if going && (c.says == "" || c.resource == "resize") {
				continue // the API server has rules of its own then
			}
			err := changed(t, h, pod, c.resource, c.patch)
			if refused := c.says != ""; refused != (err != nil) || refused && (!apierrors.IsForbidden(err) || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%s (being deleted: %v): %v, want %q", name, going, err, c.says)
			}
		}
	}
}

func release(h *webhooktest.Hooks, pod *corev1.Pod) {
	_, _ = h.Cluster.Client().CoreV1().Pods(pod.Namespace).Patch(context.Background(), pod.Name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
}

// R11, R54: what a pod of nobody's may be, it may become, and nothing of an agent's.
func TestOtherPodsBecomeNoAgents(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "others")
	pod := built(at, "coder", "type-7").Sandbox
	pod.Name, pod.Labels, pod.Spec.Volumes[0] = "tools", map[string]string{"app": "tools"}, corev1.Volume{Name: "workspace"}
	if err := h.Admin.Create(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ resource, patch, says string }{
		"an agent":              {"", labelled("runkora.io/component", "sandbox"), "a pod stays what it was made as"},
		"a type":                {"status", labelled("runkora.io/agent-type", "type-7"), "a pod stays what it was made as"},
		"a key of an authority": {"ephemeralcontainers", debugger(`"envFrom":[{"secretRef":{"name":"kora-egress-ca"}}]`), "holds the key of a certificate authority"},
		"any user":              {"ephemeralcontainers", debugger(`"securityContext":{` + confined + `,"runAsUser":1337}`), ""},
		"out of the mesh":       {"", labelled("sidecar.istio.io/inject", "false"), ""},
	} {
		err := changed(t, h, pod, c.resource, c.patch)
		if refused := c.says != ""; refused != (err != nil) || refused && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// R50: no run of a tenant that is suspended starts, and the denial says what to do; its
// session-managers stay, and runs come back with it.
func TestSuspendedTenantsStartNoRun(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "paused")
	set := built(at, "coder", "type-7").StatefulSet
	manager := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	yes := true
	manager.Namespace, manager.Name = at, set.Name+"-0"
	manager.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: set.Name, UID: "1", Controller: &yes}}
	manager.Spec.Volumes = append(manager.Spec.Volumes, corev1.Volume{Name: "workspace", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: resource.NewQuantity(1, resource.BinarySI)}}})
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: at, Name: set.Name}}
	if err := h.Admin.Create(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	for _, paused := range []bool{true, false} {
		o := &v1alpha1.KoraTenant{}
		o.Name = strings.TrimPrefix(at, v1alpha1.TenantNamespacePrefix)
		if err := h.Admin.Patch(t.Context(), o, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"spec":{"suspended":%v}}`, paused))); err != nil {
			t.Fatal(err)
		}
		operatortest.Eventually(t, func() error { // until the cache has it
			err := h.Admin.Create(t.Context(), built(at, "coder", "type-7").Sandbox, client.DryRunAll)
			if paused != (err != nil) || paused && !strings.Contains(err.Error(), "set spec.suspended of the KoraTenant "+o.Name+" to false") {
				return fmt.Errorf("suspended %v: %w", paused, err)
			}
			return nil
		})
		if err := h.Admin.Create(t.Context(), manager.DeepCopy(), client.DryRunAll); err != nil {
			t.Errorf("suspended %v: a session-manager: %v", paused, err)
		}
	}
}
