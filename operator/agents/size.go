package agents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// SandboxTotal is what one sandbox pod requests in all: its size, its sidecars,
// and 1Gi of scratch disk (R10). A warm placeholder reserves no less (R29).
func SandboxTotal(s Settings) corev1.ResourceList {
	return resources(
		sum(s.SandboxSize.CPU, s.Sidecars.CPU),
		sum(s.SandboxSize.Memory, s.Sidecars.Memory),
		sum(s.SandboxSize.Disk, extraDisk()),
	)
}

// extraDisk is the scratch that every sandbox has on top of its size (R10). It
// is mounted at /tmp, where programs write that do not ask TMPDIR.
func extraDisk() resource.Quantity { return quantity("1Gi") }

func (s Size) list() corev1.ResourceList {
	return resources(s.CPU.DeepCopy(), s.Memory.DeepCopy(), s.Disk.DeepCopy())
}

func resources(cpu, memory, disk resource.Quantity) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:              cpu,
		corev1.ResourceMemory:           memory,
		corev1.ResourceEphemeralStorage: disk,
	}
}

func sum(a, b resource.Quantity) resource.Quantity {
	total := a.DeepCopy()
	total.Add(b)
	return total
}
