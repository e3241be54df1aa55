package guard

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

// soundPod judges a pod; claims are the volumes that a StatefulSet adds to it.
func (c *checker) soundPod(at fields.Path, s *corev1.PodSpec, claims []string) {
	c.spec = s
	if len(s.Containers) == 0 {
		c.unsound(at.Child("containers"), "a pod has a container", "(none)", "at least one", "add one")
	}
	c.soundContainers(at, s, claims)
	c.soundVolumes(at.Child("volumes"), s.Volumes)
	c.labelMap(at.Child("nodeSelector"), s.NodeSelector)
	c.tolerations(at.Child("tolerations"), s.Tolerations)
	c.affinity(at.Child("affinity"), s.Affinity)
	c.spreads(at.Child("topologySpreadConstraints"), s.TopologySpreadConstraints)
	c.dns(at, s)
	c.name(at.Child("priorityClassName"), s.PriorityClassName, validation.IsDNS1123Subdomain)
	c.name(at.Child("hostname"), s.Hostname, validation.IsDNS1123Label)
	c.name(at.Child("subdomain"), s.Subdomain, validation.IsDNS1123Label)
	c.runtimeClass(at, s)
	c.podContext(at.Child("securityContext"), s.SecurityContext)
	c.hosts(at, s)
	between(c, at.Child("activeDeadlineSeconds"), s.ActiveDeadlineSeconds, 1, math.MaxInt32)
	c.resourceClaims(at.Child("resourceClaims"), s.ResourceClaims)
	c.podResources(at.Child("resources"), s)
	if s.Priority != nil {
		c.unsound(at.Child("priority"), "the cluster computes the number from the class", fmt.Sprint(*s.Priority), "(none)", "set priorityClassName instead")
	}
	for i, g := range s.ReadinessGates {
		c.must(at.Child("readinessGates").Index(i).Child("conditionType"), string(g.ConditionType), validation.IsQualifiedName)
	}
	c.gates(at.Child("schedulingGates"), s.SchedulingGates)
	if s.OS != nil {
		c.system(at, s)
	}
}

// runtimeClass: what a pod costs by its class is in the class, which is the cluster's;
// without one the API server refuses any cost.
func (c *checker) runtimeClass(at fields.Path, s *corev1.PodSpec) {
	if s.RuntimeClassName != nil {
		c.must(at.Child("runtimeClassName"), *s.RuntimeClassName, validation.IsDNS1123Subdomain)
	} else if len(s.Overhead) > 0 {
		c.unsound(at.Child("overhead"), "a pod without a RuntimeClass has no overhead", s.Overhead, "(none)", "leave it out: the API server writes what the class named by runtimeClassName says")
	}
}

func (c *checker) gates(at fields.Path, all []corev1.PodSchedulingGate) {
	names := make([]string, len(all))
	for i, g := range all {
		names[i] = g.Name
		c.must(at.Index(i).Child("name"), g.Name, validation.IsQualifiedName)
	}
	c.twice(func(i int) fields.Path { return at.Index(i).Child("name") }, names, "two gates of one name")
}

func (c *checker) tolerations(at fields.Path, all []corev1.Toleration) {
	for i, t := range all {
		at := at.Index(i)
		c.name(at.Child("key"), t.Key, validation.IsQualifiedName)
		switch {
		case t.Key == "" && t.Operator != corev1.TolerationOpExists:
			c.unsound(at.Child("operator"), "a toleration without a key tolerates with Exists", string(t.Operator), "Exists", "add the key, or set operator: Exists")
		case t.Operator == corev1.TolerationOpExists && t.Value != "":
			c.unsound(at.Child("value"), "Exists takes no value", t.Value, "(none)", "leave the value out, or use operator: Equal")
		case t.Operator == corev1.TolerationOpEqual || t.Operator == "":
			c.must(at.Child("value"), t.Value, validation.IsValidLabelValue)
		}
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			c.unsound(at.Child("effect"), "tolerationSeconds go with NoExecute", string(t.Effect), "NoExecute", "set effect: NoExecute, or leave tolerationSeconds out")
		}
	}
}

func (c *checker) spreads(at fields.Path, all []corev1.TopologySpreadConstraint) {
	seen := make([]string, len(all))
	for i, s := range all {
		at := at.Index(i)
		seen[i] = s.TopologyKey + " " + string(s.WhenUnsatisfiable)
		atLeast(c, at.Child("maxSkew"), &s.MaxSkew, 1)
		if c.needs(at.Child("topologyKey"), s.TopologyKey, "the constraint has no topologyKey") {
			c.must(at.Child("topologyKey"), s.TopologyKey, validation.IsQualifiedName)
		}
		c.needs(at.Child("whenUnsatisfiable"), string(s.WhenUnsatisfiable), "the constraint has no whenUnsatisfiable")
		atLeast(c, at.Child("minDomains"), s.MinDomains, 1)
		if s.MinDomains != nil && s.WhenUnsatisfiable != corev1.DoNotSchedule {
			c.unsound(at.Child("minDomains"), "minDomains go with DoNotSchedule", fmt.Sprint(*s.MinDomains), "(none)", "leave it out, or set whenUnsatisfiable: DoNotSchedule")
		}
		c.selector(at.Child("labelSelector"), s.LabelSelector)
		c.alike(at, s.MatchLabelKeys, nil, s.LabelSelector)
	}
	c.twice(at.Index, seen, "two constraints of one topology key and action")
}
