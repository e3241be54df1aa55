package guard

import (
	"fmt"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) soundSet(s *appsv1.StatefulSetSpec) {
	atLeast(c, "spec.replicas", s.Replicas, 0)
	atLeast(c, "spec.minReadySeconds", &s.MinReadySeconds, 0)
	rolling := s.UpdateStrategy.RollingUpdate
	if rolling != nil {
		atLeast(c, "spec.updateStrategy.rollingUpdate.partition", rolling.Partition, 0)
		if s.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
			c.unsound("spec.updateStrategy.rollingUpdate", "OnDelete takes no rollingUpdate", rolling, "(none)", "set rollingUpdate: null")
		}
	}
	t := &s.Template.Spec
	const at = fields.Path("spec.template.spec")
	if p := t.RestartPolicy; p != "" && p != corev1.RestartPolicyAlways {
		c.unsound(at.Child("restartPolicy"), "the pods of a StatefulSet are always restarted", string(p), "Always", "leave it out")
	}
	if t.ActiveDeadlineSeconds != nil {
		c.unsound(at.Child("activeDeadlineSeconds"), "the pods of a StatefulSet have no deadline", *t.ActiveDeadlineSeconds, "(none)", "leave it out")
	}
	c.labels(s.Template.ObjectMeta, "spec.template.metadata")
	c.podNotes("spec.template.metadata.annotations", s.Template.Annotations, t)
	var claims []string
	for _, v := range s.VolumeClaimTemplates {
		claims = append(claims, v.Name)
	}
	c.soundPod(at, t, claims)
}

// soundBudget: the obvious patch adds minAvailable beside what kora set.
func (c *checker) soundBudget(s *policyv1.PodDisruptionBudgetSpec) {
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		c.unsound("spec.minAvailable", "a budget has minAvailable or maxUnavailable, and kora sets maxUnavailable", s.MinAvailable.String(), "one of the two",
			"set maxUnavailable: null beside minAvailable, or set maxUnavailable alone")
	}
	c.amount("spec.minAvailable", s.MinAvailable)
	c.amount("spec.maxUnavailable", s.MaxUnavailable)
}

// amount is a number of pods or a percentage.
func (c *checker) amount(at fields.Path, v *intstr.IntOrString) {
	if v == nil {
		return
	}
	if v.Type == intstr.Int {
		atLeast(c, at, &v.IntVal, 0)
		return
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(v, 100, true)
	if err != nil || len(validation.IsValidPercent(v.StrVal)) > 0 || n > 100 {
		c.unsound(at, "neither a number of pods nor a percentage", v.StrVal, "such as 1 or 50%", "")
	}
}

func (c *checker) soundClaim(at fields.Path, s *corev1.PersistentVolumeClaimSpec) {
	if len(s.AccessModes) == 0 && at != "spec" { // of the workspace, the guard tells
		c.unsound(at.Child("accessModes"), "a claim needs an access mode", "(none)", "such as [ReadWriteOnce]", "add accessModes")
	}
	size, ok := s.Resources.Requests[corev1.ResourceStorage]
	switch place := at.Child("resources").Child("requests").Child("storage"); {
	case !ok:
		c.unsound(place, "a claim needs a size", "(none)", "a quantity above 0", "set resources.requests.storage")
	case size.Sign() <= 0:
		c.unsound(place, "the size of a claim is above 0", size.String(), "a quantity above 0", "")
	}
	if limit, has := s.Resources.Limits[corev1.ResourceStorage]; has && limit.Sign() < 0 {
		c.unsound(at.Child("resources").Child("limits").Child("storage"), "a quantity is not negative", limit.String(), "0 or more", "")
	}
	if s.StorageClassName != nil {
		c.name(at.Child("storageClassName"), *s.StorageClassName, validation.IsDNS1123Subdomain)
	}
	if s.VolumeAttributesClassName != nil {
		c.name(at.Child("volumeAttributesClassName"), *s.VolumeAttributesClassName, validation.IsDNS1123Subdomain)
	}
	c.selector(at.Child("selector"), s.Selector)
	c.soundContent(at, s)
	if slices.Contains(s.AccessModes, corev1.ReadWriteOncePod) && slices.ContainsFunc(s.AccessModes, func(m corev1.PersistentVolumeAccessMode) bool { return m != corev1.ReadWriteOncePod }) {
		c.unsound(at.Child("accessModes"), "ReadWriteOncePod goes with no other mode", fmt.Sprint(s.AccessModes), "one mode", "remove the others")
	}
}

// soundContent is what a claim is made of: another claim, or a thing of an API group.
func (c *checker) soundContent(at fields.Path, s *corev1.PersistentVolumeClaimSpec) {
	if d := s.DataSource; d != nil {
		c.made(at.Child("dataSource"), d.APIGroup, d.Kind, d.Name)
	}
	d := s.DataSourceRef
	if d == nil {
		return
	}
	c.made(at.Child("dataSourceRef"), d.APIGroup, d.Kind, d.Name)
	if d.Namespace != nil {
		c.name(at.Child("dataSourceRef").Child("namespace"), *d.Namespace, validation.IsDNS1123Label)
	}
	if o := s.DataSource; o != nil && (group(o.APIGroup) != group(d.APIGroup) || o.Kind != d.Kind || o.Name != d.Name || group(d.Namespace) != "") {
		c.unsound(at.Child("dataSource"), "both sources of a claim are one", o.Name, d.Name, "leave dataSource out")
	}
}

func (c *checker) made(at fields.Path, of *string, kind, name string) {
	c.needs(at.Child("name"), name, "the source has no name")
	c.needs(at.Child("kind"), kind, "the source has no kind")
	if group(of) == "" && kind != "PersistentVolumeClaim" {
		c.unsound(at.Child("kind"), "without apiGroup a claim is made of another claim", kind, "PersistentVolumeClaim", "add apiGroup")
	}
	c.name(at.Child("apiGroup"), group(of), validation.IsDNS1123Subdomain)
}

func group(of *string) string {
	if of == nil {
		return ""
	}
	return *of
}

// port is a number, or the name of a container's port.
func (c *checker) port(at fields.Path, v intstr.IntOrString) {
	if v.Type == intstr.String {
		c.must(at, v.StrVal, validation.IsValidPortName)
		return
	}
	between(c, at, &v.IntVal, 1, math.MaxUint16)
}
