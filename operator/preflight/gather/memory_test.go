package gather

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	many = 10_000
	// most is the memory that a look at such a cluster may hold at any time, in
	// bytes: an eighth of what the chart gives the hook Job in all.
	most = 32 << 20
)

// crowd is a cluster of ten thousand nodes, on each of which the three node
// components run, with objects as large as real ones: about 3 KiB each.
func crowd() *server {
	filling := strings.Repeat("x", 2000)
	name := func(i int) string { return fmt.Sprintf("ip-10-0-%05d.eu-central-1.compute.internal", i) }
	node := func(i int) any {
		labels := map[string]string{"kubernetes.io/hostname": name(i)}
		for k := range 25 {
			labels[fmt.Sprintf("node.example.com/some-label-%d", k)] = fmt.Sprintf("value-%d", k)
		}
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name(i), Labels: labels, Annotations: map[string]string{"a": filling}}, Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}}
	}
	pods := func(app string) list {
		return list{many, func(i int) any {
			p := pod("infra", fmt.Sprintf("%s-%05d", app, i), name(i), "example.com/"+app+":1", map[string]string{"app": app})
			p.Annotations = map[string]string{"a": filling}
			p.Spec.Volumes = []corev1.Volume{{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/run"}}}}
			return p
		}}
	}
	set := func(app string) any {
		spec := corev1.PodSpec{Containers: []corev1.Container{{Name: app, Image: "example.com/" + app + ":1"}}}
		return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "infra", Name: app}, Spec: appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}, Template: corev1.PodTemplateSpec{Spec: spec}}}
	}
	other := func(i int) any {
		return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: fmt.Sprint(i), Annotations: map[string]string{"a": filling}}}
	}
	istiod := pods("istiod")
	return &server{lists: map[string]list{
		"/api/v1/nodes": {many, node}, "/apis/apps/v1/daemonsets": items(set("spire-agent"), set("spiffe-csi-driver"), set("install-cni")),
		"/api/v1/namespaces/infra/pods?app=spire-agent": pods("spire-agent"), "/api/v1/namespaces/infra/pods?app=spiffe-csi-driver": pods("spiffe-csi-driver"), "/api/v1/namespaces/infra/pods?app=install-cni": pods("install-cni"),
		"/api/v1/pods?app=istiod":   {many, func(i int) any { p := istiod.item(i).(*corev1.Pod); p.Namespace = "istio-system"; return p }},
		"/apis/apps/v1/deployments": {many / 10, other}, "/apis/apps/v1/statefulsets": {many / 10, other},
		"/apis/spire.spiffe.io/v1alpha1/clusterspiffeids": {many / 10, func(i int) any {
			return map[string]any{"apiVersion": "spire.spiffe.io/v1alpha1", "kind": "ClusterSPIFFEID", "metadata": map[string]any{"name": fmt.Sprint(i), "annotations": map[string]any{"a": filling}}}
		}},
		"/apis/storage.k8s.io/v1/storageclasses": items(), "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?istio.io/rev": items(),
	}}
}

// R55: a look from inside the cluster, of whatever size, fits beside what the
// hook Job and the operator are given: every list is paged, and of each object
// only what is judged stays.
func TestALargeClusterFitsTheJob(t *testing.T) {
	s := crowd()
	var mutex sync.Mutex
	var base, peak uint64
	requests := 0
	s.before = func(*http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		if requests++; requests%16 != 1 {
			return
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if base == 0 {
			base = m.HeapAlloc
		}
		peak = max(peak, m.HeapAlloc)
	}
	f := s.look(t, Request{Settings: settings()})
	if f.Nodes.Missing+f.DaemonSets.Missing+f.Revisions.Missing+f.Spire.IDs.Missing != "" || len(f.Nodes.Value) != many || len(f.DaemonSets.Value) != 3 || len(f.Spire.IDs.Value) != many/10 {
		t.Fatalf("%d nodes, %d sets, %s %s %s", len(f.Nodes.Value), len(f.DaemonSets.Value), f.Nodes.Missing, f.DaemonSets.Missing, f.Revisions.Missing)
	}
	for _, d := range f.DaemonSets.Value {
		if len(d.ReadyOn) != many {
			t.Errorf("%s is ready on %d", d.Name, len(d.ReadyOn))
		}
	}
	if len(f.Revisions.Value) != 1 || f.Revisions.Value[0].Ready != many || len(f.Revisions.Value[0].Versions) != 1 {
		t.Errorf("%+v", f.Revisions.Value)
	}
	if s.page < 0 || s.page > 500 {
		t.Errorf("a page of %d; -1 is a list without pages", s.page)
	}
	if peak-base > most {
		t.Errorf("%d MiB were held, and %d are the bound", (peak-base)>>20, most>>20)
	}
	t.Logf("%d requests, %d MiB at most", requests, (peak-base)>>20)
}

// R55: an answer without an end, and labels without an end, are a part that could
// not be read.
func TestAnAnswerWithoutAnEnd(t *testing.T) {
	huge := func(int) any {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Annotations: map[string]string{"a": strings.Repeat("x", 9<<20)}}}
	}
	s := &server{lists: map[string]list{"/api/v1/nodes": {1, huge}}}
	if f := s.look(t, Request{Settings: settings(), Checks: []string{"node-daemons"}}); !strings.Contains(f.Nodes.Missing, "holds more than 8 MiB") {
		t.Errorf("%+v", f.Nodes)
	}
	wordy := func(i int) any {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i), Labels: map[string]string{fmt.Sprint(i): strings.Repeat("x", 1<<20)}}}
	}
	s = &server{lists: map[string]list{"/api/v1/nodes": {100, wordy}}}
	if f := s.look(t, Request{Settings: settings(), Checks: []string{"node-daemons"}}); !strings.Contains(f.Nodes.Missing, "more than 64 MiB") {
		t.Errorf("%.200s", f.Nodes.Missing)
	}
}
