package rules

import corev1 "k8s.io/api/core/v1"

// Sent reports whether the value of a Secret of a type may be what a service sends to an
// outside one (R51): whoever names it need not be able to read it. People make Opaque ones
// and names with passwords for that; everything else is another's, the token of a
// ServiceAccount or a release of Helm's. A certificate is of use where one is shown.
func Sent(t corev1.SecretType, certificate bool) bool {
	switch t {
	case "", corev1.SecretTypeOpaque:
		return true
	case corev1.SecretTypeBasicAuth:
		return !certificate
	case corev1.SecretTypeTLS:
		return certificate
	}
	return false
}
