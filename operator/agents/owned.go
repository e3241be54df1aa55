package agents

import (
	"slices"
	"strings"
)

// Reasons that callers put behind the key they refuse (R11).
const (
	reasonKora        = "kora identifies its objects by it"
	reasonMesh        = "it wires the pod into the mesh and its sidecar injection"
	reasonIdentity    = "SPIRE attests the pod's identity by it"
	reasonRecommended = "kora sets it to say what manages the object"
	reasonController  = "the pod's controller finds the pod by it"
	reasonSecurity    = "it sets the pod's security context, which kora owns"
)

// Owned reports whether a pod label or annotation key is kora's, and in words
// why. Settings that carry such a key are refused by name (R11).
func Owned(key string) (reason string, owned bool) {
	domain, name, found := strings.Cut(key, "/")
	if !found {
		return ownedPlain(key)
	}
	// Annotation keys may be spelt in capitals, unlike labels.
	return ownedQualified(strings.ToLower(domain), name)
}

// ownedPlain decides keys without a domain: those of Kubernetes' own controllers.
func ownedPlain(key string) (string, bool) {
	switch key {
	case "controller-revision-hash", "controller-uid", "job-name", "pod-template-hash":
		return reasonController, true
	}
	return "", false
}

func ownedQualified(domain, name string) (string, bool) {
	switch {
	case within(domain, "runkora.io"):
		return reasonKora, true
	case within(domain, "istio.io"):
		return reasonMesh, true
	case within(domain, "spiffe.io"):
		return reasonIdentity, true
	}
	return ownedKubernetes(domain, name)
}

// ownedKubernetes decides the domains of Kubernetes itself, one by one: most of
// what lies under kubernetes.io is anybody's to set.
func ownedKubernetes(domain, name string) (string, bool) {
	switch domain {
	case "app.kubernetes.io":
		return ownedRecommended(name)
	case "statefulset.kubernetes.io", "apps.kubernetes.io":
		return reasonController, true
	case "container.apparmor.security.beta.kubernetes.io", "container.seccomp.security.alpha.kubernetes.io":
		return reasonSecurity, true
	case "seccomp.security.alpha.kubernetes.io":
		if name == "pod" {
			return reasonSecurity, true
		}
	}
	return "", false
}

// ownedRecommended leaves version and component to whoever wants them.
func ownedRecommended(name string) (string, bool) {
	switch name {
	case "name", "instance", "managed-by", "part-of":
		return reasonRecommended, true
	}
	return "", false
}

// within reports whether a domain is the given one or below it.
func within(domain, parent string) bool {
	return domain == parent || strings.HasSuffix(domain, "."+parent)
}

// CloudIdentity reports whether a pod label or annotation key has a cloud give
// the pod an identity, or decides which. A sandbox runs the agent's code and
// never gets one (R5); on the session-manager's pod and on its ServiceAccount
// such a key is in its place.
func CloudIdentity(key string) bool {
	domain, _, found := strings.Cut(strings.ToLower(key), "/")
	if !found {
		return domain == "aadpodidbinding" // Azure's first, of a label
	}
	return slices.ContainsFunc(cloudDomains(), func(cloud string) bool { return within(domain, cloud) })
}

// cloudDomains are those that the webhooks and node agents of clouds act on in
// a pod: EKS and kiam, GKE, Azure, Alibaba Cloud.
func cloudDomains() []string {
	return []string{
		"eks.amazonaws.com", "iam.amazonaws.com", "sts.amazonaws.com", "iam.gke.io", "cloud.google.com",
		"azure.workload.identity", "aadpodidentity.k8s.io", "pod-identity.alibabacloud.com",
	}
}
