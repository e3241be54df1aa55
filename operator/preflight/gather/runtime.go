package gather

import (
	"context"

	nodev1 "k8s.io/api/node/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// runtimeClasses are read by name, none besides those that the agents' pods name, since
// few accounts may read one and few need to.
func (r *reader) runtimeClasses(ctx context.Context) facts.Part[map[string]*facts.RuntimeClass] {
	names, out := r.Settings.RuntimeClasses(), map[string]*facts.RuntimeClass{}
	if len(names) == 0 {
		return facts.NotAsked[map[string]*facts.RuntimeClass]("no pod of an agent names one")
	}
	for _, name := range names {
		class, err := r.typed.NodeV1().RuntimeClasses().Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			out[name] = nil
			continue
		}
		if err == nil {
			out[name], err = r.placed(class)
		}
		if err != nil {
			return unread[map[string]*facts.RuntimeClass](err)
		}
	}
	return facts.Known(out)
}

// placed is what a class says of placement, within what may be kept.
func (r *reader) placed(class *nodev1.RuntimeClass) (*facts.RuntimeClass, error) {
	if class.Scheduling == nil {
		return &facts.RuntimeClass{}, nil
	}
	out := &facts.RuntimeClass{NodeSelector: r.labels(class.Scheduling.NodeSelector), Tolerations: class.Scheduling.Tolerations}
	return out, r.kept.Keep(class.Scheduling.Size() + perItem)
}
