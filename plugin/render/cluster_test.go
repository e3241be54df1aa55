package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/plugin/values"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// R2, R6, R8: a real API server takes every golden preview in a namespace that
// enforces Pod Security restricted, first dry, as kubectl apply
// --dry-run=server does, then for real; the StatefulSet becomes ready, and the
// sandbox runs, on a ReadWriteOnce workspace beside its session-manager.
func TestClusterTakesEveryGoldenPreview(t *testing.T) {
	cluster := testcluster.Shared(t)
	prepare(t, cluster)
	for _, file := range append(settingsFiles(t), "twenty-patches.yaml") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			golden, err := os.ReadFile(goldenOf(file))
			if err != nil {
				t.Fatal(err)
			}
			take(t, cluster, string(golden))
		})
	}
}

// prepare makes what the settings name: storage classes.
func prepare(t *testing.T, cluster *testcluster.Cluster) {
	t.Helper()
	for _, name := range []string{"shared-files", "fast-ssd"} {
		class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: testcluster.Provisioner}
		_, err := cluster.Client().StorageV1().StorageClasses().Create(t.Context(), class, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
	}
	addNode(t, cluster)
}

// addNode gives the measured patches, which ask for an SSD, a node of theirs.
func addNode(t *testing.T, cluster *testcluster.Cluster) {
	t.Helper()
	nodes := cluster.Client().CoreV1().Nodes()
	list, err := nodes.List(t.Context(), metav1.ListOptions{LabelSelector: testcluster.TierLabel + "=kora"})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("%d nodes, %v", len(list.Items), err)
	}
	label := []byte(`{"metadata":{"labels":{"disktype":"ssd"}}}`) // a patch: the node's own status never stops for us
	for _, n := range list.Items {
		if _, err := nodes.Patch(t.Context(), n.Name, types.MergePatchType, label, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func take(t *testing.T, cluster *testcluster.Cluster, golden string) {
	namespace := cluster.Namespace(t, testcluster.Restricted)
	manifests := strings.ReplaceAll(golden, "tenant-example", namespace)
	apply(t, cluster, manifests, "--dry-run=server")
	apply(t, cluster, manifests)
	client := cluster.Client()
	waitFor(t, cluster, "the StatefulSet to be ready", func(ctx context.Context) error {
		set, err := client.AppsV1().StatefulSets(namespace).Get(ctx, "agent-coder", metav1.GetOptions{})
		if err == nil && set.Status.ReadyReplicas < 1 {
			err = fmt.Errorf("%d replicas ready", set.Status.ReadyReplicas)
		}
		return err
	})
	waitFor(t, cluster, "the sandbox to run", func(ctx context.Context) error {
		pod, err := client.CoreV1().Pods(namespace).Get(ctx, "sandbox-coder-sample", metav1.GetOptions{})
		if err == nil && pod.Spec.NodeName == "" {
			err = fmt.Errorf("not scheduled: %+v", pod.Status.Conditions)
		}
		return err
	})
	exist(t, cluster, namespace)
	beside(t, cluster, namespace)
}

// apply runs the real kubectl, and demands that no warning comes back: Pod
// Security would warn of what it does not like.
func apply(t *testing.T, cluster *testcluster.Cluster, manifests string, flags ...string) {
	t.Helper()
	args := append([]string{"--kubeconfig", cluster.Kubeconfig(), "apply", "-f", "-"}, flags...)
	cmd := exec.CommandContext(cluster.Context(t), filepath.Join(cluster.Binaries(), "kubectl"), args...)
	cmd.Stdin = strings.NewReader(manifests)
	var words bytes.Buffer
	cmd.Stderr = &words
	if out, err := cmd.Output(); err != nil || words.Len() > 0 {
		t.Fatalf("kubectl %s: %v\n%s%s", strings.Join(args, " "), err, out, &words)
	}
}

func exist(t *testing.T, cluster *testcluster.Cluster, namespace string) {
	t.Helper()
	client, get := cluster.Client(), metav1.GetOptions{}
	_, errHPA := client.AutoscalingV2().HorizontalPodAutoscalers(namespace).Get(t.Context(), "agent-coder", get)
	_, errPDB := client.PolicyV1().PodDisruptionBudgets(namespace).Get(t.Context(), "agent-coder", get)
	_, errService := client.CoreV1().Services(namespace).Get(t.Context(), "agent-coder", get)
	claim, errClaim := client.CoreV1().PersistentVolumeClaims(namespace).Get(t.Context(), "workspace-agent-coder-0", get)
	for _, err := range []error{errHPA, errPDB, errService, errClaim} {
		if err != nil {
			t.Error(err)
		}
	}
	if claim.Status.Phase != corev1.ClaimBound {
		t.Errorf("the workspace's claim is %s", claim.Status.Phase)
	}
}

// beside: where one node at a time holds the workspace, both pods are on it.
func beside(t *testing.T, cluster *testcluster.Cluster, namespace string) {
	t.Helper()
	client, get := cluster.Client().CoreV1(), metav1.GetOptions{}
	claim, err := client.PersistentVolumeClaims(namespace).Get(t.Context(), "workspace-agent-coder-0", get)
	if err != nil {
		t.Fatal(err)
	}
	if claim.Spec.AccessModes[0] == corev1.ReadWriteMany {
		return
	}
	manager, errA := client.Pods(namespace).Get(t.Context(), "agent-coder-0", get)
	sandbox, errB := client.Pods(namespace).Get(t.Context(), "sandbox-coder-sample", get)
	if errA != nil || errB != nil || manager.Spec.NodeName != sandbox.Spec.NodeName {
		t.Errorf("session-manager on %q, sandbox on %q (%v, %v)", manager.Spec.NodeName, sandbox.Spec.NodeName, errA, errB)
	}
}

// waitFor ends at once, and says why, when the cluster does.
func waitFor(t *testing.T, cluster *testcluster.Cluster, what string, check func(context.Context) error) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(cluster.Context(t), 200*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		last = check(ctx)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("waited for %s: %v", what, errors.Join(cluster.Failure(), last))
	}
}

// R8: with its session-manager's replica away a pinned sandbox waits, and
// starts when the replica is back.
func TestClusterKeepsAPinnedSandboxWaiting(t *testing.T) {
	cluster := testcluster.Shared(t)
	namespace := cluster.Namespace(t, testcluster.Restricted)
	p := Agent(Request{Agent: values.Agent{Slug: "coder", TypeID: "t", Namespace: namespace}, Version: kora.Version()})
	all, err := YAML(p.Objects)
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := YAML(p.Objects[len(p.Objects)-1:])
	if err != nil {
		t.Fatal(err)
	}
	claim, err := YAML(p.Objects[2:3])
	if err != nil {
		t.Fatal(err)
	}
	apply(t, cluster, string(claim))
	apply(t, cluster, string(sandbox))
	pods := cluster.Client().CoreV1().Pods(namespace)
	waitFor(t, cluster, "the scheduler to say why it waits", func(ctx context.Context) error {
		pod, err := pods.Get(ctx, "sandbox-coder-sample", metav1.GetOptions{})
		if err == nil && (len(pod.Status.Conditions) == 0 || pod.Status.Conditions[0].Reason != "Unschedulable") {
			err = fmt.Errorf("conditions %+v", pod.Status.Conditions)
		}
		return err
	})
	apply(t, cluster, string(all))
	waitFor(t, cluster, "the sandbox to be scheduled", func(ctx context.Context) error {
		pod, err := pods.Get(ctx, "sandbox-coder-sample", metav1.GetOptions{})
		if err == nil && pod.Spec.NodeName == "" {
			err = fmt.Errorf("conditions %+v", pod.Status.Conditions)
		}
		return err
	})
	beside(t, cluster, namespace)
}
