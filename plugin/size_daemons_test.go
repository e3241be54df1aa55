package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/sizing"
	"github.com/runkora/kora/plugin/preflight"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// setsFor are the DaemonSets of values in a text.
func setsFor(t *testing.T, text string) []appsv1.DaemonSet {
	t.Helper()
	out, found := daemonSets(t.Context(), preflight.Replayed(values.Input{Files: []string{"-"}, Stdin: strings.NewReader(text)}))
	if found.Refused() {
		t.Fatalf("%s\n%+v", text, found)
	}
	return out
}

const mounts = "sandboxMount: { enabled: true }\n"

// R10, R31: the DaemonSets of values are told of whatever part of a release's values
// somebody has, and are those of the whole release.
func TestDaemonSetsOfValues(t *testing.T) {
	for text, many := range map[string]int{
		"": 0, "sandboxMount: { enabled: false }\n": 0, mounts: 1,
		mounts + "global: { trustDomain: null }\n":                    1,
		mounts + "global: null\nagents: null\n":                       1,
		mounts + "config: { db: { port: none } }\nfrontendHost: 5\n":  1,
		mounts + "gateway: { create: false }\n":                       1,
		mounts + "agents: { sandboxWarming: { enabled: perhaps } }\n": 1,
	} {
		if got := setsFor(t, text); len(got) != many {
			t.Errorf("%s: %d", text, len(got))
		}
	}
	const whole = mounts + "frontendHost: a.example.org\nglobal: { trustDomain: a.example.org }\n"
	for _, text := range []string{
		"", "agents: { workloads: { common: { nodeSelector: { tier: x } }, sandbox: { tolerations: [{ key: a, operator: Exists }] } } }\n",
		"agents: { configOverrides: { internal/agents: { workloads: { common: { nodeSelector: { tier: w } } } } } }\n",
		"agents: { workloads: { sandbox: { tolerations: [{ key: a, operator: Exists }], nodeSelector: { tier: x } }, sessionManager: { nodeSelector: { tier: z } } }, workspace: { accessModes: [ReadWriteMany] } }\n",
	} {
		made := release.Render(t.Context(), release.Request{Values: values.Input{Files: []string{"-"}, Stdin: strings.NewReader(whole + text)}})
		if made.Found.Refused() {
			t.Fatalf("%s\n%+v", text, made.Found)
		}
		for _, given := range []string{whole, mounts} {
			if diff := cmp.Diff(setsOf(made), setsFor(t, given+text)); diff != "" {
				t.Errorf("%s\n%s", text, diff)
			}
		}
	}
}

// R10, R31: before the values are installed a node's largest sandbox is the one that it
// has room for afterwards.
func TestClusterSizeBeforeAndAfterADaemonSet(t *testing.T) {
	c := testcluster.Shared(t)
	sandboxNode(t, c, "size-test-mount")
	size := func() sizing.Report {
		t.Helper()
		status, out, words := ran(nil, "size", "--kubeconfig", c.Kubeconfig(), "--nodes", "karpenter.sh/nodepool=size-test", "--set", "sandboxMount.enabled=true", "-o", "json")
		var r sizing.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone || len(r.Nodes) != 1 {
			t.Fatalf("status %d, %v\n%s%s", status, err, out, words)
		}
		return r
	}
	before := size()
	if len(before.Coming) != 1 || *before.Pools[0].MaxSize != (sizing.Values{CPU: "2.9", Memory: "13.6Gi", Disk: "19Gi"}) {
		t.Errorf("%+v", before)
	}
	mountInstalled(t, c, setsFor(t, mounts)[0])
	after := size()
	if len(after.Coming) > 0 || cmp.Diff(before.Nodes, after.Nodes) != "" {
		t.Errorf("%+v\nand before %+v", after.Nodes, before.Nodes)
	}
}

// mountInstalled makes a DaemonSet and waits for its pod on the test's node.
func mountInstalled(t *testing.T, c *testcluster.Cluster, set appsv1.DaemonSet) {
	t.Helper()
	ctx, client := context.WithoutCancel(t.Context()), c.Client()
	name := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: set.Namespace, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "privileged"}}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, name, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // another test may make it
		_ = client.CoreV1().Namespaces().Delete(ctx, set.Namespace, metav1.DeleteOptions{})
		polled(t, ctx, func() (bool, error) {
			_, err := client.CoreV1().Namespaces().Get(ctx, set.Namespace, metav1.GetOptions{})
			return apierrors.IsNotFound(err), nil
		})
	})
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: set.Spec.Template.Spec.ServiceAccountName}}
	if _, err := client.CoreV1().ServiceAccounts(set.Namespace).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.AppsV1().DaemonSets(set.Namespace).Create(ctx, &set, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	polled(t, ctx, func() (bool, error) {
		pods, err := client.CoreV1().Pods(set.Namespace).List(ctx, metav1.ListOptions{})
		return err == nil && len(pods.Items) > 0, err
	})
}

// polled waits until something is so.
func polled(t *testing.T, ctx context.Context, is func() (bool, error)) {
	t.Helper()
	until, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := wait.PollUntilContextCancel(until, 50*time.Millisecond, true, func(context.Context) (bool, error) { return is() }); err != nil {
		t.Error(err)
	}
}
