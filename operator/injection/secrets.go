package injection

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/sealed"
)

// sealedSecrets refuses the Secrets of the tenant's certificate authorities, in every way in
// which a pod can have a Secret: whoever may make a pod could read by it what RBAC
// keeps for the operator, or for the egress gateway (R50).
func sealedSecrets(pod *corev1.Pod) field.ErrorList {
	spec := field.NewPath("spec")
	var faults field.ErrorList
	for n, volume := range pod.Spec.Volumes {
		faults = append(faults, seal(spec.Child("volumes").Index(n), sealed.OfVolume(&volume.VolumeSource))...)
	}
	for each := range all(pod) {
		faults = append(faults, seal(each.at(spec), sealed.OfContainer(each.Container))...)
	}
	return faults
}

// seal judges what a volume or a container names.
func seal(at *field.Path, uses []sealed.Use) field.ErrorList {
	var faults field.ErrorList
	for _, use := range uses {
		if sealed.Authority(use.Secret) {
			faults = append(faults, bad(at.Child(string(use.Path)), use.Secret, "holds the key of a certificate authority of the tenant, which no pod has; to verify by it, mount the ConfigMap %s", v1alpha1.TenantCA))
		}
	}
	return faults
}
