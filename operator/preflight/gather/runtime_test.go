package gather

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/utils/ptr"

	"github.com/runkora/kora/operator/preflight"
)

// R55: a RuntimeClass is asked for where the pods of agents name it, by name and no
// other, and not at all where they name none.
func TestOnlyTheClassesOfAgentsAreRead(t *testing.T) {
	const path = "/apis/node.k8s.io/v1/runtimeclasses/"
	class := &nodev1.RuntimeClass{Handler: "runsc", Scheduling: &nodev1.Scheduling{NodeSelector: map[string]string{"runtime": "gvisor"}, Tolerations: []corev1.Toleration{{Key: "runtime"}}}}
	s := &server{objects: map[string]any{path + "gvisor": class, path + "plain": &nodev1.RuntimeClass{Handler: "runc"}}}
	at := settings()
	request := Request{Settings: at, Checks: []string{"node-daemons"}}
	if f := s.look(t, request); !f.RuntimeClasses.Unasked {
		t.Errorf("%+v", f.RuntimeClasses)
	}
	for _, name := range []string{"gvisor", "plain", "gone", "gvisor"} {
		request.Settings.Agents = append(request.Settings.Agents, preflight.Placement{Spec: corev1.PodSpec{RuntimeClassName: ptr.To(name)}})
	}
	got := s.look(t, request).RuntimeClasses
	if len(got.Value) != 3 || got.Value["gone"] != nil || got.Value["plain"] == nil || got.Value["gvisor"] == nil || got.Value["gvisor"].NodeSelector["runtime"] != "gvisor" || len(got.Value["gvisor"].Tolerations) != 1 {
		t.Errorf("%+v", got)
	}
	var asked []string
	for _, p := range s.paths() {
		if _, name, of := strings.Cut(p, path); of {
			asked = append(asked, name)
		}
	}
	if strings.Join(asked, " ") != "gone gvisor plain" {
		t.Errorf("%q were asked for", asked)
	}
}
