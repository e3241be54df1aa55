package injection

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/rules"
)

// counted is an API server with claims that counts what it is asked.
type counted struct {
	client.Reader
	claims []string
	lists  []client.ListOptions
	fails  error
}

func (a *counted) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	o := client.ListOptions{}
	o.ApplyOptions(options)
	a.lists = append(a.lists, o)
	list := into.(*corev1.PersistentVolumeClaimList)
	for _, name := range a.claims {
		if o.FieldSelector == nil || o.FieldSelector.String() == "metadata.name="+name {
			list.Items = append(list.Items, corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: o.Namespace}})
		}
	}
	return a.fails
}

// R54: a few claims are asked for by name, so that no other is read; however many a pod
// has beyond that, their namespace is read once, a page at a time. A pod that has none but
// workspaces asks nothing.
func TestClaimsAreAskedForWithinBounds(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 2, few: few, few + 1: 1, 40: 1, 200: 1} {
		pod, server := sandbox(), &counted{}
		for i := range n {
			server.claims = append(server.claims, fmt.Sprint("claim-", i))
			pod.Spec.Volumes = append(pod.Spec.Volumes, mounting(fmt.Sprint("claim-", i)), mounting(fmt.Sprint("claim-", i)))
		}
		i := injector()
		i.direct = server
		faults, err := i.copies(t.Context(), ofTenant(), pod)
		if err != nil || len(faults) > 0 {
			t.Errorf("%d claims: %v, %v", n, faults, err)
		}
		if len(server.lists) != want {
			t.Errorf("%d claims: asked %d times, want %d", n, len(server.lists), want)
		}
		for _, o := range server.lists {
			if o.Namespace != "kora-tenant-"+tenant || (n <= few) != (o.FieldSelector != nil) || o.Limit != pages.Size {
				t.Errorf("%d claims: asked for %+v", n, o)
			}
		}
	}
}

// R14, R54: each claim that is not there is told at its own volume; and where the
// server does not answer nothing is taken.
func TestEachClaimThatIsNotThereIsTold(t *testing.T) {
	pod, server := sandbox(), &counted{claims: []string{"there", "other"}}
	at := len(pod.Spec.Volumes)
	for _, name := range []string{"gone", "there", "lost"} {
		pod.Spec.Volumes = append(pod.Spec.Volumes, mounting(name))
	}
	i := injector()
	i.direct = server
	faults, err := i.copies(t.Context(), ofTenant(), pod)
	said := rules.Message(faults)
	for n, name := range map[int]string{at: "gone", at + 2: "lost"} {
		if want := fmt.Sprintf("spec.volumes[%d].persistentVolumeClaim.claimName %q is not there", n, name); !strings.Contains(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
	if err != nil || len(faults) != 2 {
		t.Errorf("%q, %v", said, err)
	}
	server.fails = errors.New("timeout")
	if _, err := i.copies(t.Context(), ofTenant(), pod); !errors.Is(err, server.fails) {
		t.Errorf("%v", err)
	}
}

func mounting(name string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}}
}

func ofTenant() admission.Request {
	r := admission.Request{}
	r.Namespace = "kora-tenant-" + tenant
	return r
}
