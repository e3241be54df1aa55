package admit

import (
	"math"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/runkora/kora/internal/fields"
)

const podTemplate = fields.Path("spec.template")

func (c *checker) deployment(s *appsv1.DeploymentSpec) {
	c.workload(s.Selector, s.Template, corev1.RestartPolicyAlways)
	if s.Replicas != nil {
		c.between("spec.replicas", int64(*s.Replicas), 0, math.MaxInt32)
	}
	rolling := s.Strategy.RollingUpdate
	switch {
	case rolling != nil && s.Strategy.Type == appsv1.RecreateDeploymentStrategyType:
		c.add("spec.strategy.rollingUpdate", "Recreate takes no rollingUpdate", "it is set", "(none)")
	case rolling != nil && rolling.MaxUnavailable != nil && rolling.MaxSurge != nil && zero(rolling.MaxUnavailable.String()) && zero(rolling.MaxSurge.String()):
		c.add("spec.strategy.rollingUpdate.maxUnavailable", "a rollout that may neither take a pod away nor add one never ends", rolling.MaxUnavailable.String(), "above 0, or maxSurge above 0")
	}
	if d := s.ProgressDeadlineSeconds; d != nil && *d <= s.MinReadySeconds {
		c.add("spec.progressDeadlineSeconds", "it must be above minReadySeconds", *d, "above minReadySeconds")
	}
}

func zero(n string) bool { return n == "0" || n == "0%" }

// workload: the selector finds the pods of the template, and those restart as the
// kind has it.
func (c *checker) workload(selector *metav1.LabelSelector, template corev1.PodTemplateSpec, restart ...corev1.RestartPolicy) {
	c.selects(selector, template.Labels)
	c.template(podTemplate, template, restart...)
}

func (c *checker) selects(selector *metav1.LabelSelector, of labels.Set) {
	if selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		c.add("spec.selector", "a workload selects its pods", "", "matchLabels that its template has")
		return
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	switch {
	case err != nil:
		c.add("spec.selector", "the API server takes no such selector: "+err.Error(), metav1.FormatLabelSelector(selector), "")
	case !s.Matches(of):
		c.add(podTemplate+".metadata.labels", "the selector does not find the pods of the template", of.String(), metav1.FormatLabelSelector(selector))
	}
}

func (c *checker) template(at fields.Path, t corev1.PodTemplateSpec, restart ...corev1.RestartPolicy) {
	at = at.Child("spec")
	if t.Spec.RestartPolicy == "" && restart[0] == corev1.RestartPolicyAlways {
		return // the default
	}
	if !slices.Contains(restart, t.Spec.RestartPolicy) {
		var want []string
		for _, r := range restart {
			want = append(want, string(r))
		}
		c.add(at.Child("restartPolicy"), "the kind does not restart its pods so", t.Spec.RestartPolicy, strings.Join(want, " or "))
	}
}

func (c *checker) job(at fields.Path, s *batchv1.JobSpec) {
	c.template(at.Child("template"), s.Template, corev1.RestartPolicyNever, corev1.RestartPolicyOnFailure)
	for name, n := range map[string]*int32{"parallelism": s.Parallelism, "completions": s.Completions, "backoffLimit": s.BackoffLimit, "ttlSecondsAfterFinished": s.TTLSecondsAfterFinished} {
		if n != nil {
			c.between(at.Child(name), int64(*n), 0, math.MaxInt32)
		}
	}
	if n := s.ActiveDeadlineSeconds; n != nil {
		c.between(at.Child("activeDeadlineSeconds"), *n, 0, math.MaxInt64)
	}
}

func (c *checker) cronJob(s *batchv1.CronJobSpec) {
	c.job("spec.jobTemplate.spec", &s.JobTemplate.Spec)
	if strings.TrimSpace(s.Schedule) == "" {
		c.add("spec.schedule", "a CronJob has a schedule", "", "such as 0 3 * * *")
	} else if err := schedule(s.Schedule); err != nil {
		c.add("spec.schedule", "the API server takes no such schedule: "+err.Error(), s.Schedule, "such as 0 3 * * *")
	}
}
