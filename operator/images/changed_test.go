package images_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R52: the DaemonSet of a warm image is restored from whatever somebody changes in it or adds
// to it, and then nothing is written any more, nor by an operator that starts anew.
func TestChangedDaemonSetsAreRestored(t *testing.T) {
	p := begin(t, "changed", nil, nil)
	p.server.Push(t, "team/warm:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.warm(t, "one", at+"/team/warm:1")
	p.kept(t, "one", v1alpha1.ReasonSucceeded, "the DaemonSet kora-warm-one keeps")
	is := &appsv1.DaemonSet{}
	is.Namespace, is.Name = p.namespace, "kora-warm-one"
	p.Quiet(t)
	before := spec(t, p, is)
	for name, patch := range map[string]string{
		"a node selector":   `{"spec":{"template":{"spec":{"nodeSelector":{"nope":"x"}}}}}`,
		"a container":       `{"spec":{"template":{"spec":{"containers":[{"name":"more","image":"registry.example.com/x","command":["sh"],"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}}]}}}}`,
		"an init container": `{"spec":{"template":{"spec":{"initContainers":[{"name":"more","image":"registry.example.com/x","command":["false"],"securityContext":{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}}]}}}}`,
		"a priority class":  `{"spec":{"template":{"spec":{"priorityClassName":"none"}}}}`,
		"a label":           `{"spec":{"template":{"metadata":{"labels":{"more":"x"},"annotations":{"more":"x"}}}}}`,
		"arguments":         `{"spec":{"template":{"spec":{"containers":[{"name":"sleep","args":["x"],"lifecycle":{"preStop":{"exec":{"command":["sh"]}}}}]}}}}`,
		"the image":         `{"spec":{"template":{"spec":{"containers":[{"name":"sleep","image":"registry.example.com/x"}]}}}}`,
	} {
		if err := p.Admin.Patch(t.Context(), is.DeepCopy(), client.RawPatch(types.StrategicMergePatchType, []byte(patch))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		operatortest.Eventually(t, func() error {
			if now := spec(t, p, is); now != before {
				return fmt.Errorf("%s is left: %s", name, now)
			}
			return nil
		})
		p.Quiet(t)
	}
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	is = written(t, p, is)
	p.start(t)
	p.kept(t, "one", v1alpha1.ReasonSucceeded, "the DaemonSet kora-warm-one keeps")
	p.Quiet(t)
	if now := written(t, p, is); now.ResourceVersion != is.ResourceVersion {
		t.Error("an operator that starts writes what is as it should be")
	}
}

// written is a DaemonSet whose status has come to rest: nobody but the operator writes it.
func written(t *testing.T, p *place, is *appsv1.DaemonSet) *appsv1.DaemonSet {
	t.Helper()
	operatortest.Eventually(t, func() error {
		spec(t, p, is)
		if is.Status.ObservedGeneration != is.Generation || is.Status.NumberReady != is.Status.DesiredNumberScheduled || is.Status.UpdatedNumberScheduled != is.Status.DesiredNumberScheduled {
			return fmt.Errorf("%+v", is.Status)
		}
		return nil
	})
	return is.DeepCopy()
}

// spec is a DaemonSet's, as the API server has it.
func spec(t *testing.T, p *place, is *appsv1.DaemonSet) string {
	t.Helper()
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(is.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
