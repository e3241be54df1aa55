package values

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// part is one field of a size: its key, the resource it requests, and what a
// good value looks like.
type part struct {
	key      string
	resource corev1.ResourceName
	example  string
}

func parts() []part {
	return []part{
		{"cpu", corev1.ResourceCPU, "500m or 2"},
		{"memory", corev1.ResourceMemory, "512Mi or 4Gi"},
		{"disk", corev1.ResourceEphemeralStorage, "10Gi"},
	}
}

// environments checks the sizes of sandboxes: maxSize is no less than defaultSize
// in any field (R10). Where one is not set, its default counts.
func (c *checker) environments() {
	block := c.tree.value("agents", "environments")
	standard := sizeOf(agents.Defaults("").SandboxSize)
	for _, p := range parts() {
		least, most := block.child("defaultSize", p.key), block.child("maxSize", p.key)
		leastGood, mostGood := c.size(least, p.example), c.size(most, p.example)
		if leastGood || mostGood {
			c.order(least, most, standard[p.resource])
		}
	}
	for _, p := range parts()[:2] {
		if v := c.tree.value("operator", "injection", "sandboxSidecars", p.key); c.size(v, p.example) {
			c.sidecars(v, p)
		}
	}
}

// mostOfSidecars is beyond what a proxy and the enforcer of one pod use of each: 320Gi
// and 900 are 320Mi and 900m without their letter, and no node has room for them.
var mostOfSidecars = map[string]string{"cpu": "64", "memory": "64Gi"}

func (c *checker) sidecars(v value, p part) {
	q, _ := v.quantity()
	if q.Cmp(resource.MustParse(mostOfSidecars[p.key])) <= 0 {
		return
	}
	f := v.fault(faults.BadSize, "the sidecars of one pod never use so much, and no node may have it")
	f.Expected = "at most " + mostOfSidecars[p.key]
	f.Fix = "write what both sidecars of one pod are to request, such as " + p.example
	c.refuse(f)
}

func (c *checker) order(least, most value, standard resource.Quantity) {
	low, high := least.positiveOr(standard), most.positiveOr(standard)
	if high.Cmp(low) >= 0 {
		return
	}
	at, fix := most, fmt.Sprintf("raise %s, or lower %s", most.path, least.path)
	if !most.given() {
		at, fix = least, fmt.Sprintf("set %s to %s or more", most.path, &low)
	}
	f := at.fault(faults.BadSize, "the largest size is below the default size")
	f.Field, f.Fix = string(most.path), fix
	f.Expected = fmt.Sprintf("at least %s, which is %s", &low, least.path)
	switch {
	case !least.given():
		f.Expected += " by default"
	case !most.given():
		f.Found = high.String() + ", which is the default"
	}
	c.refuse(f)
}

// warming checks that a placeholder reserves what a sandbox pod requests in all:
// a real one would not fit into its place otherwise (R29). A resource that is not
// set is the chart's to fill in.
func (c *checker) warming() {
	total := agents.SandboxTotal(agents.Settings{
		SandboxSize: c.tree.sandboxSize(), Sidecars: c.tree.sidecars(),
	})
	for _, block := range []string{"requests", "limits"} {
		reserve := c.tree.value("agents", "sandboxWarming", "resources", block)
		for _, p := range parts() {
			v := reserve.child(string(p.resource))
			q, least := resource.Quantity{}, total[p.resource]
			if c.size(v, p.example) {
				q, _ = v.quantity()
			}
			if q.IsZero() || q.Cmp(least) >= 0 {
				continue
			}
			f := v.fault(faults.BadSize, "a placeholder reserves less than one sandbox pod requests")
			f.Expected = fmt.Sprintf("at least %s: the default size, the sidecars and 1Gi of disk", &least)
			f.Fix = fmt.Sprintf("raise it to %s, or lower agents.environments.defaultSize", &least)
			c.refuse(f)
		}
	}
}

// sizeOf lists a size by the names of its resources.
func sizeOf(s agents.Size) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: s.CPU, corev1.ResourceMemory: s.Memory, corev1.ResourceEphemeralStorage: s.Disk,
	}
}
