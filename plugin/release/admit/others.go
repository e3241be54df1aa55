package admit

import (
	"fmt"
	"math"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) configMap(o *corev1.ConfigMap) {
	size := 0
	for key, text := range o.Data {
		c.must(fields.Path("data").Child(key), key, validation.IsConfigMapKey)
		size += len(text)
		if _, twice := o.BinaryData[key]; twice {
			c.add(fields.Path("data").Child(key), "the key stands in data and in binaryData", key, "one of the two")
		}
	}
	for key, bytes := range o.BinaryData {
		c.must(fields.Path("binaryData").Child(key), key, validation.IsConfigMapKey)
		size += len(bytes)
	}
	c.size("data", size)
}

// secret names keys and sizes, and never a value.
func (c *checker) secret(o *corev1.Secret) {
	size := 0
	keys := map[string]bool{}
	for key, bytes := range o.Data {
		c.must(fields.Path("data").Child(key), key, validation.IsConfigMapKey)
		keys[key] = true
		size += len(bytes)
	}
	for key, text := range o.StringData {
		c.must(fields.Path("stringData").Child(key), key, validation.IsConfigMapKey)
		keys[key] = true
		size += len(text)
	}
	for _, key := range map[corev1.SecretType][]string{
		corev1.SecretTypeTLS: {corev1.TLSCertKey, corev1.TLSPrivateKeyKey}, corev1.SecretTypeDockerConfigJson: {corev1.DockerConfigJsonKey}, corev1.SecretTypeDockercfg: {corev1.DockerConfigKey}, corev1.SecretTypeSSHAuth: {corev1.SSHAuthPrivateKey},
	}[o.Type] {
		if !keys[key] {
			c.add(fields.Path("data").Child(key), fmt.Sprintf("a Secret of the type %s has this key", o.Type), "", key)
		}
	}
	c.size("data", size)
}

func (c *checker) size(at fields.Path, bytes int) {
	if bytes > corev1.MaxSecretSize {
		c.add(at, "the object is too large", fmt.Sprintf("%d bytes", bytes), fmt.Sprintf("at most %d bytes", corev1.MaxSecretSize))
	}
}

func (c *checker) budget(s *policyv1.PodDisruptionBudgetSpec) {
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		c.add("spec.minAvailable", "a budget has minAvailable or maxUnavailable", "both", "one of the two")
	}
	c.amount("spec.minAvailable", s.MinAvailable)
	c.amount("spec.maxUnavailable", s.MaxUnavailable)
	c.selector("spec.selector", s.Selector)
}

// amount is a number of pods or a percentage.
func (c *checker) amount(at fields.Path, v *intstr.IntOrString) {
	switch {
	case v == nil:
	case v.Type == intstr.Int:
		c.between(at, int64(v.IntVal), 0, math.MaxInt32)
	default:
		n, err := intstr.GetScaledValueFromIntOrPercent(v, 100, true)
		if err != nil || len(validation.IsValidPercent(v.StrVal)) > 0 || n > 100 {
			c.add(at, "neither a number of pods nor a percentage", v.StrVal, "such as 1 or 50%")
		}
	}
}

// highest is the largest value of a class that is not the cluster's own.
const highest = 1_000_000_000

func (c *checker) priority(o *schedulingv1.PriorityClass) {
	if strings.HasPrefix(o.Name, "system-") {
		c.add("metadata.name", "names that begin so are the cluster's own", o.Name, "another name")
	}
	if o.Value > highest {
		c.add("value", "larger values are the cluster's own", o.Value, fmt.Sprintf("at most %d", highest))
	}
}

func (c *checker) webhook(at fields.Path, name string, client admissionv1.WebhookClientConfig, effects *admissionv1.SideEffectClass, versions []string, timeout *int32) {
	if len(strings.Split(name, ".")) < 3 || len(validation.IsDNS1123Subdomain(name)) > 0 {
		c.add(at.Child("name"), "a webhook's name is a host of three parts at least", name, "such as validate.example.com")
	}
	if (client.URL == nil) == (client.Service == nil) {
		c.add(at.Child("clientConfig"), "a webhook is called by a URL or at a Service", "", "one of url and service")
	}
	if effects == nil || *effects != admissionv1.SideEffectClassNone && *effects != admissionv1.SideEffectClassNoneOnDryRun {
		c.add(at.Child("sideEffects"), "a webhook has no effects of its own on a dry run", "", "None or NoneOnDryRun")
	}
	if len(versions) == 0 {
		c.add(at.Child("admissionReviewVersions"), "a webhook says which reviews it reads", "", "such as [v1]")
	}
	if timeout != nil {
		c.between(at.Child("timeoutSeconds"), int64(*timeout), 1, 30)
	}
}
