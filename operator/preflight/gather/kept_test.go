package gather

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R55: names and taints count as labels do: lists without an end are told.
func TestWhatIsKeptIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for path, item := range map[string]func(int) any{
		"/api/v1/nodes": func(i int) any {
			return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}, Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: long}}}}
		},
		"/apis/storage.k8s.io/v1/storageclasses": func(i int) any {
			return storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i) + long}}
		},
	} {
		s := &server{lists: map[string]list{path: {n: 110, item: item}}}
		f := s.look(t, Request{Settings: settings(), Checks: []string{"node-daemons", "storage-class"}})
		if !strings.Contains(f.Nodes.Missing+f.StorageClasses.Missing, "more than 96 MiB of what is kept") {
			t.Errorf("%s: %.200s %.200s", path, f.Nodes.Missing, f.StorageClasses.Missing)
		}
	}
}
