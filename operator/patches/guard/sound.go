package guard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/spelling"
)

// TooLong is the message of annotations that are too long in all, each of which
// may be short: whoever points at a cause looks for what passed the bound.
const TooLong = "the annotations are too long"

// Sound returns what the API server would refuse in an object as all patches
// left it (R2), or in the pods that a StatefulSet makes: the server takes its
// template nearly unread. Of a pod it knows every rule of the servers that kora
// supports, but for fields that these have only with a feature that is off by
// default; of the other kinds what patches make likely. It is stricter only where
// the server takes what no node does anything with. A test spoils every field of a
// pod and compares both. What a release has besides patches goes through it too, so
// that one walk judges all pods (R19). Of what kora built it knows which volumes
// there were.
func Sound(built, patched runtime.Object, at *fields.Type) []Violation {
	c := &checker{had: volumesOf(built)}
	plain := fields.Plain(patched)
	for _, p := range fields.Unlisted(plain, at, "") {
		c.unsound(p, "the API server takes none but a few values here", "", "", "")
	}
	switch o := patched.(type) {
	case *appsv1.StatefulSet:
		c.labels(o.ObjectMeta, "metadata")
		c.soundSet(&o.Spec)
	case *corev1.Pod:
		c.labels(o.ObjectMeta, "metadata")
		c.podName = o.Name
		c.podNotes("metadata.annotations", o.Annotations, &o.Spec)
		c.soundPod("spec", &o.Spec, nil)
	case *corev1.Service:
		c.labels(o.ObjectMeta, "metadata")
		c.soundService(&o.Spec)
	case *corev1.ServiceAccount:
		c.labels(o.ObjectMeta, "metadata")
	case *corev1.PersistentVolumeClaim:
		c.labels(o.ObjectMeta, "metadata")
		c.soundClaim("spec", &o.Spec)
	case *autoscalingv2.HorizontalPodAutoscaler:
		c.labels(o.ObjectMeta, "metadata")
		c.soundScaler(&o.Spec)
	case *policyv1.PodDisruptionBudget:
		c.labels(o.ObjectMeta, "metadata")
		c.soundBudget(&o.Spec)
	}
	return c.found
}

func (c *checker) unsound(at fields.Path, message string, found any, expected, fix string) {
	f := text(found)
	if s, ok := found.(string); ok {
		f = cut(s)
	}
	c.add(Violation{Code: faults.Unsound, Path: at, Message: message, Found: f, Expected: expected, Fix: fix})
}

// must adds what a rule of Kubernetes' own library says of a text.
func (c *checker) must(at fields.Path, value string, rule func(string) []string) {
	if wrong := rule(value); len(wrong) > 0 {
		c.unsound(at, "the API server takes no such text here", value, spelling.Wanted(wrong), "")
	}
}

// name is must for what may be left out.
func (c *checker) name(at fields.Path, value string, rule func(string) []string) {
	if value != "" {
		c.must(at, value, rule)
	}
}

func (c *checker) needs(at fields.Path, value, what string) bool {
	if value == "" {
		c.unsound(at, what, "(none)", "", "add it")
	}
	return value != ""
}

func (c *checker) labels(meta metav1.ObjectMeta, at fields.Path) {
	c.labelMap(at.Child("labels"), meta.Labels)
	total := 0
	for key, value := range meta.Annotations {
		total += len(key) + len(value)
	}
	if total > apivalidation.TotalAnnotationSizeLimitB {
		c.unsound(at.Child("annotations"), TooLong, fmt.Sprintf("%d bytes", total),
			fmt.Sprintf("at most %d bytes, keys and values together", apivalidation.TotalAnnotationSizeLimitB), "shorten them, or remove some")
	}
	for _, key := range sorted(meta.Annotations) {
		c.must(at.Child("annotations").Child(key), strings.ToLower(key), validation.IsQualifiedName)
	}
}

func (c *checker) labelMap(at fields.Path, in map[string]string) {
	for _, key := range sorted(in) {
		c.must(at.Child(key), key, validation.IsQualifiedName)
		c.must(at.Child(key), in[key], validation.IsValidLabelValue)
	}
}

// atLeast bounds a number that may be left out.
func atLeast[N int32 | int64](c *checker, at fields.Path, n *N, least N) {
	between(c, at, n, least, math.MaxInt32)
}

func between[N int32 | int64](c *checker, at fields.Path, n *N, least, most N) {
	if n == nil || *n >= least && *n <= most {
		return
	}
	expected := fmt.Sprintf("%d to %d", least, most)
	if most == math.MaxInt32 {
		expected = fmt.Sprintf("%d or more", least)
	}
	c.unsound(at, "the number is out of its bounds", fmt.Sprint(*n), expected, "")
}

// twice reports names that stand again.
func (c *checker) twice(at func(i int) fields.Path, names []string, what string) {
	for i, name := range names {
		if name != "" && slices.Contains(names[:i], name) {
			c.unsound(at(i), what, name, "each once", "rename one of the two, or remove it")
		}
	}
}

func volumesOf(o runtime.Object) []string {
	var spec corev1.PodSpec
	switch o := o.(type) {
	case *appsv1.StatefulSet:
		spec = o.Spec.Template.Spec
	case *corev1.Pod:
		spec = o.Spec
	}
	var out []string
	for _, v := range spec.Volumes {
		out = append(out, v.Name)
	}
	return out
}
