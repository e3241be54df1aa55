package sizing

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/operator/agents"
)

// Amount is CPU in cores, memory and node-local disk in bytes.
type Amount struct {
	CPU    resource.Quantity `json:"cpu"`
	Memory resource.Quantity `json:"memory"`
	Disk   resource.Quantity `json:"disk"`
}

// of reads the three of a list; one that is absent is zero.
func of(list corev1.ResourceList) Amount {
	return Amount{CPU: within(*list.Cpu(), math.MaxInt64/1000), Memory: within(*list.Memory(), math.MaxInt64), Disk: within(*list.StorageEphemeral(), math.MaxInt64)}
}

// within is a quantity that is reckoned with in whole numbers, CPU in thousandths:
// what a cluster says of a node may be beyond them, and would turn into less than
// nothing; what it says below nothing would add to what there is.
func within(q resource.Quantity, most int64) resource.Quantity {
	switch {
	case q.Sign() < 0:
		return resource.Quantity{Format: q.Format}
	case q.CmpInt64(most) > 0:
		return *resource.NewQuantity(most, q.Format)
	}
	return q
}

// each returns the three results of f over two amounts.
func each(a, b Amount, f func(a, b resource.Quantity) resource.Quantity) Amount {
	return Amount{f(a.CPU, b.CPU), f(a.Memory, b.Memory), f(a.Disk, b.Disk)}
}

func plus(a, b Amount) Amount {
	return each(a, b, func(x, y resource.Quantity) resource.Quantity { x = x.DeepCopy(); x.Add(y); return x })
}

// less is a without b, and never below nothing.
func less(a, b Amount) Amount {
	return each(a, b, func(x, y resource.Quantity) resource.Quantity {
		x = x.DeepCopy()
		if x.Sub(y); x.Sign() < 0 {
			return resource.Quantity{Format: x.Format}
		}
		return x
	})
}

func smaller(a, b Amount) Amount {
	return each(a, b, func(x, y resource.Quantity) resource.Quantity {
		if x.Cmp(y) < 0 {
			return x
		}
		return y
	})
}

// Covers reports whether b fits into a.
func (a Amount) Covers(b Amount) bool {
	return a.CPU.Cmp(b.CPU) >= 0 && a.Memory.Cmp(b.Memory) >= 0 && a.Disk.Cmp(b.Disk) >= 0
}

// Empty reports whether nothing of one of the three is left: no sandbox fits.
func (a Amount) Empty() bool {
	return a.CPU.Sign() <= 0 || a.Memory.Sign() <= 0 || a.Disk.Sign() <= 0
}

// Beside is what a sandbox pod requests besides its size: the sidecars, and the
// scratch that every sandbox has.
func Beside(s agents.Settings) Amount {
	s.SandboxSize = agents.Size{}
	return of(agents.SandboxTotal(s))
}

// over is b, with what a says in its place.
func (a Amount) over(b Amount) Amount {
	return each(a, b, func(x, y resource.Quantity) resource.Quantity {
		if x.Sign() > 0 {
			return x
		}
		return y
	})
}

// Largest is the largest sandbox that fits what is allocatable beside the pods
// of DaemonSets and the overhead of its RuntimeClass: nothing where there is no room for what it requests at least. Of
// what its pod requests in all no more is there than that.
func Largest(allocatable, daemons Amount, wanted Sandbox) Amount {
	room := less(allocatable, plus(daemons, wanted.Overhead))
	if !room.Covers(wanted.Least) {
		return less(allocatable, allocatable)
	}
	return less(wanted.InAll.over(room), wanted.Beside)
}
