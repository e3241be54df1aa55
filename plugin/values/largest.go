package values

import "github.com/runkora/kora/operator/agents"

// MaxSize is the largest size that an environment may ask for (R10). A field
// that is not set, or that Check refuses, is the default size's.
func (t *Tree) MaxSize() agents.Size {
	out := t.sandboxSize()
	block := t.value("agents", "environments", "maxSize")
	out.CPU = block.child("cpu").positiveOr(out.CPU)
	out.Memory = block.child("memory").positiveOr(out.Memory)
	out.Disk = block.child("disk").positiveOr(out.Disk)
	return out
}
