package guard

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) soundScaler(s *autoscalingv2.HorizontalPodAutoscalerSpec) {
	atLeast(c, "spec.minReplicas", s.MinReplicas, 1)
	atLeast(c, "spec.maxReplicas", &s.MaxReplicas, 1)
	if s.MinReplicas != nil && s.MaxReplicas < *s.MinReplicas && s.MaxReplicas > 0 {
		c.unsound("spec.minReplicas", "minReplicas is above maxReplicas", fmt.Sprint(*s.MinReplicas), fmt.Sprintf("at most %d", s.MaxReplicas), "set maxReplicas beside it")
	}
	for i := range s.Metrics {
		c.metric(fields.Path("spec.metrics").Index(i), &s.Metrics[i])
	}
	if s.Behavior != nil {
		c.rules("spec.behavior.scaleUp", s.Behavior.ScaleUp)
		c.rules("spec.behavior.scaleDown", s.Behavior.ScaleDown)
	}
}

// metric: the source that the type names is there, and it alone.
func (c *checker) metric(at fields.Path, m *autoscalingv2.MetricSpec) {
	sources := map[autoscalingv2.MetricSourceType]bool{
		autoscalingv2.ObjectMetricSourceType: m.Object != nil, autoscalingv2.PodsMetricSourceType: m.Pods != nil,
		autoscalingv2.ResourceMetricSourceType: m.Resource != nil, autoscalingv2.ContainerResourceMetricSourceType: m.ContainerResource != nil,
		autoscalingv2.ExternalMetricSourceType: m.External != nil,
	}
	n := 0
	for _, set := range sources {
		if set {
			n++
		}
	}
	if n != 1 || !sources[m.Type] {
		c.unsound(at, "a metric has the one source that its type names", string(m.Type), "one source, of that type", "remove the others, with null")
		return
	}
	switch {
	case m.Resource != nil:
		c.target(at.Child("resource"), string(m.Resource.Name), m.Resource.Target)
	case m.ContainerResource != nil:
		c.needs(at.Child("containerResource").Child("container"), m.ContainerResource.Container, "the metric names no container")
		c.target(at.Child("containerResource"), string(m.ContainerResource.Name), m.ContainerResource.Target)
	}
}

// target of a resource: a utilization or an average, above 0.
func (c *checker) target(at fields.Path, resource string, t autoscalingv2.MetricTarget) {
	c.needs(at.Child("name"), resource, "the metric names no resource")
	at = at.Child("target")
	if (t.AverageUtilization == nil) == (t.AverageValue == nil) {
		c.unsound(at, "a resource has one target", t, "averageUtilization or averageValue", "set the other to null")
	}
	atLeast(c, at.Child("averageUtilization"), t.AverageUtilization, 1)
	if t.AverageValue != nil && t.AverageValue.Sign() <= 0 {
		c.unsound(at.Child("averageValue"), "a target is above 0", t.AverageValue.String(), "above 0", "")
	}
	if t.Type == "" {
		c.unsound(at.Child("type"), "the target has no type", "(none)", "Utilization or AverageValue", "add type")
	}
}

func (c *checker) rules(at fields.Path, r *autoscalingv2.HPAScalingRules) {
	if r == nil {
		return
	}
	between(c, at.Child("stabilizationWindowSeconds"), r.StabilizationWindowSeconds, 0, 3600)
	for i, p := range r.Policies {
		place := at.Child("policies").Index(i)
		atLeast(c, place.Child("value"), &p.Value, 1)
		between(c, place.Child("periodSeconds"), &p.PeriodSeconds, 1, 1800)
		c.needs(place.Child("type"), string(p.Type), "the policy has no type")
	}
	if r.Tolerance != nil && r.Tolerance.Sign() < 0 {
		c.unsound(at.Child("tolerance"), "a tolerance is not negative", r.Tolerance.String(), "0 or more", "")
	}
}
