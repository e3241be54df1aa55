// Package sealed knows by which roads a pod has a Secret, and which Secrets of a
// tenant's namespace are the operator's own and no agent's to have (R14, R50). The
// injector and the guard of patches both go by it.
package sealed

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Authority reports whether a Secret holds the key of a certificate authority of the
// tenant: in each tenant's namespace there are these two.
func Authority(name string) bool {
	return slices.Contains([]string{v1alpha1.TenantCA, v1alpha1.EgressCA}, name)
}

// Operators reports whether a Secret's name is one of the operator's: of the tenant's
// authorities, or of what it keeps for itself, beside which nobody else's is.
func Operators(name string) bool {
	return Authority(name) || strings.HasPrefix(name, v1alpha1.Operator+"-")
}

// Use is a Secret that a volume or a container names.
type Use struct {
	Path   fields.Path // of the name, from the volume or the container on
	Secret string
}

// OfVolume gives the Secrets that a volume names, by each source that Pod Security
// restricted lets through.
func OfVolume(v *corev1.VolumeSource) []Use {
	var all []Use
	if v.Secret != nil {
		all = append(all, Use{"secret.secretName", v.Secret.SecretName})
	}
	if v.Projected != nil {
		for n, source := range v.Projected.Sources {
			if source.Secret != nil {
				all = append(all, Use{fields.Path("projected.sources").Index(n) + ".secret.name", source.Secret.Name})
			}
		}
	}
	if v.CSI != nil && v.CSI.NodePublishSecretRef != nil {
		all = append(all, Use{"csi.nodePublishSecretRef.name", v.CSI.NodePublishSecretRef.Name})
	}
	return all
}

// OfContainer gives the Secrets that a container's variables are of.
func OfContainer(c *corev1.Container) []Use {
	var all []Use
	for _, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			all = append(all, Use{fields.Path("env").Item("name", e.Name) + ".valueFrom.secretKeyRef.name", e.ValueFrom.SecretKeyRef.Name})
		}
	}
	for n, e := range c.EnvFrom {
		if e.SecretRef != nil {
			all = append(all, Use{fields.Path("envFrom").Index(n) + ".secretRef.name", e.SecretRef.Name})
		}
	}
	return all
}
