package injection

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// sealed refuses the Secrets of the tenant's certificate authorities, in every way in
// which a pod can have a Secret: whoever may make a pod could read by it what RBAC
// keeps for the operator, or for the egress gateway (R50).
func sealed(pod *corev1.Pod) field.ErrorList {
	spec := field.NewPath("spec")
	var faults field.ErrorList
	for n, volume := range pod.Spec.Volumes {
		faults = append(faults, sealedVolume(spec.Child("volumes").Index(n), volume)...)
	}
	for list, containers := range lists(pod) {
		for n := range containers {
			faults = append(faults, sealedEnv(spec.Child(list).Index(n), &containers[n])...)
		}
	}
	for n := range pod.Spec.EphemeralContainers {
		c := corev1.Container(pod.Spec.EphemeralContainers[n].EphemeralContainerCommon)
		faults = append(faults, sealedEnv(spec.Child("ephemeralContainers").Index(n), &c)...)
	}
	return faults
}

func sealedVolume(at *field.Path, v corev1.Volume) field.ErrorList {
	var faults field.ErrorList
	if v.Secret != nil {
		faults = append(faults, seal(at.Child("secret", "secretName"), v.Secret.SecretName)...)
	}
	if v.Projected != nil {
		for n, source := range v.Projected.Sources {
			if source.Secret != nil {
				faults = append(faults, seal(at.Child("projected", "sources").Index(n).Child("secret", "name"), source.Secret.Name)...)
			}
		}
	}
	if v.CSI != nil && v.CSI.NodePublishSecretRef != nil {
		faults = append(faults, seal(at.Child("csi", "nodePublishSecretRef", "name"), v.CSI.NodePublishSecretRef.Name)...)
	}
	return faults
}

func sealedEnv(at *field.Path, c *corev1.Container) field.ErrorList {
	var faults field.ErrorList
	for n, e := range c.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			faults = append(faults, seal(at.Child("env").Index(n).Child("valueFrom", "secretKeyRef", "name"), e.ValueFrom.SecretKeyRef.Name)...)
		}
	}
	for n, e := range c.EnvFrom {
		if e.SecretRef != nil {
			faults = append(faults, seal(at.Child("envFrom").Index(n).Child("secretRef", "name"), e.SecretRef.Name)...)
		}
	}
	return faults
}

func seal(at *field.Path, name string) field.ErrorList {
	if !slices.Contains([]string{v1alpha1.TenantCA, v1alpha1.EgressCA}, name) {
		return nil
	}
	return field.ErrorList{bad(at, name, "holds the key of a certificate authority of the tenant, which no pod has; to verify by it, mount the ConfigMap %s", v1alpha1.TenantCA)}
}
