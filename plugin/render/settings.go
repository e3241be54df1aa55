package render

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/agents"
)

// Settings are what the preview was built from, before patches. They are the
// zero value when the values were refused.
func (p *Preview) Settings() agents.Settings { return p.settings }

// MaxSize is the largest size that the values let an environment ask for (R10).
func (p *Preview) MaxSize() agents.Size { return p.tree.MaxSize() }

// Sandbox is the sample sandbox as the patches left it, nil when the preview
// was refused.
func (p *Preview) Sandbox() *corev1.Pod {
	for _, o := range p.Objects {
		if pod, ok := o.Typed.(*corev1.Pod); ok {
			return pod
		}
	}
	return nil
}
