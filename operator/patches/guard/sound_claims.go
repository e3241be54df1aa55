package guard

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

// resourceClaims are the devices that a pod asks for.
func (c *checker) resourceClaims(at fields.Path, all []corev1.PodResourceClaim) {
	names := make([]string, len(all))
	for i, claim := range all {
		names[i] = claim.Name
		at := at.Index(i)
		c.must(at.Child("name"), claim.Name, validation.IsDNS1123Label)
		if n := set(claim.ResourceClaimName != nil, claim.ResourceClaimTemplateName != nil); n != 1 {
			c.unsound(at, "a claim is made by name or from a template", fmt.Sprint(n), "resourceClaimName or resourceClaimTemplateName", "keep one of the two")
		}
		for field, name := range map[string]*string{"resourceClaimName": claim.ResourceClaimName, "resourceClaimTemplateName": claim.ResourceClaimTemplateName} {
			if name != nil {
				c.must(at.Child(field), *name, validation.IsDNS1123Subdomain)
			}
		}
	}
	c.twice(func(i int) fields.Path { return at.Index(i).Child("name") }, names, "two claims of one name")
}

// claimsOf are those of a container: of the pod's, each once, as a whole or by
// its requests.
func (c *checker) claimsOf(at fields.Path, all []corev1.ResourceClaim) {
	has := func(name string) bool {
		return slices.ContainsFunc(c.spec.ResourceClaims, func(p corev1.PodResourceClaim) bool { return p.Name == name })
	}
	for i, claim := range all {
		at := at.Index(i)
		if claim.Name == "" || !has(claim.Name) {
			c.unsound(at.Child("name"), "the pod has no claim of that name", claim.Name, "one of the pod's resourceClaims", "add the claim under resourceClaims")
		}
		c.name(at.Child("request"), claim.Request, validation.IsDNS1123Label)
		again := func(o corev1.ResourceClaim) bool {
			return o.Name == claim.Name && (o.Request == claim.Request || o.Request == "" || claim.Request == "")
		}
		if slices.ContainsFunc(all[:i], again) {
			c.unsound(at, "a container asks for a claim once", claim.Name, "each once", "remove one of the two")
		}
	}
}

// resizes are what happens when the amounts of a running container change.
func (c *checker) resizes(at fields.Path, in *corev1.Container) {
	names := make([]string, len(in.ResizePolicy))
	for i, p := range in.ResizePolicy {
		names[i] = string(p.ResourceName)
		at := at.Index(i)
		if p.ResourceName != corev1.ResourceCPU && p.ResourceName != corev1.ResourceMemory {
			c.unsound(at.Child("resourceName"), "no resource that is changed while a container runs", string(p.ResourceName), "cpu or memory", "")
		}
		once := c.spec.RestartPolicy == corev1.RestartPolicyNever || c.starts(in) && !always(in)
		switch {
		case p.RestartPolicy == "":
			c.needs(at.Child("restartPolicy"), "", "it says not whether the container restarts")
		case once && p.RestartPolicy != corev1.NotRequired:
			c.unsound(at.Child("restartPolicy"), "a container that runs once is not restarted", string(p.RestartPolicy), string(corev1.NotRequired), "")
		}
	}
	c.twice(at.Index, names, "two policies of one resource")
}

// starts reports whether a container is one of the pod's init containers.
func (c *checker) starts(in *corev1.Container) bool {
	return slices.ContainsFunc(c.spec.InitContainers, func(o corev1.Container) bool { return o.Name == in.Name })
}

// always reports whether an init container is a sidecar.
func always(in *corev1.Container) bool {
	return in.RestartPolicy != nil && *in.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// The API server's bounds of restart rules and their exit codes.
const (
	maxRules = 20
	maxCodes = 255
)

func (c *checker) restarts(at fields.Path, in *corev1.Container) {
	rules := in.RestartPolicyRules
	if len(rules) > 0 && in.RestartPolicy == nil {
		c.needs(at.Child("restartPolicy"), "", "restartPolicyRules go with a restartPolicy")
	}
	at = at.Child("restartPolicyRules")
	c.most(at, len(rules), maxRules)
	for i, r := range rules {
		at := at.Index(i)
		c.needs(at.Child("action"), string(r.Action), "the rule has no action")
		if r.ExitCodes == nil {
			c.needs(at.Child("exitCodes"), "", "the rule is for no exit codes")
			continue
		}
		c.needs(at.Child("exitCodes").Child("operator"), string(r.ExitCodes.Operator), "the exit codes have no operator")
		c.most(at.Child("exitCodes").Child("values"), len(r.ExitCodes.Values), maxCodes)
	}
}

func (c *checker) most(at fields.Path, n, most int) {
	if n > most {
		c.unsound(at, "the list is too long", fmt.Sprint(n), fmt.Sprintf("at most %d", most), "leave some out")
	}
}
