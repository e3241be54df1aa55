package releases

// The pins of the reference install (R38).
const (
	IstioVersion     = "1.31.1"
	SPIREVersion     = "0.30.2" // SPIRE 1.15.3
	SPIRECRDsVersion = "0.6.1"
)

// The names of kora's own charts and releases.
const (
	KoraCRDs = "kora-crds"
	Kora     = "kora"
)

// SystemNamespace is the template of the namespace of the platform.
const SystemNamespace = "{{ .Values.systemNamespace }}"

// Pins say which release of kora is installed.
type Pins struct {
	// Version is kora's, of both charts.
	Version string
	// Digests of the charts by name, "sha256:…", from a lock; nil without one.
	Digests map[string]string
}

// Reference is the reference install: SPIRE, Istio and kora on a blank cluster
// (R38, R39).
func Reference(pins Pins) (*Graph, error) {
	all := append(mesh(), platform(pins)...)
	return New(all)
}

func mesh() []Release {
	spire := Repository{"spiffe", "{{ .Values.charts.spire }}"}
	istio := Repository{"istio", "{{ .Values.charts.istio }}"}
	return []Release{
		{
			Name: "spire-crds", Chart: "spire-crds", Repository: spire, Version: SPIRECRDsVersion,
			Namespace: "spire-system", Labels: privileged(), CRDs: true,
			Why: "the custom resources of SPIRE, ClusterSPIFFEID among them",
		},
		{
			Name: "spire", Chart: "spire", Repository: spire, Version: SPIREVersion,
			Namespace: "spire-system", Labels: privileged(), Needs: []string{"spire-crds"}, Values: "spire.yaml.gotmpl",
			Webhooks: true,
			Why:      "the identities: the server, and on every node the agent and the CSI driver",
		},
		{
			Name: "istio-base", Chart: "base", Repository: istio, Version: IstioVersion,
			Namespace: "istio-system", Labels: privileged(), Values: "istio-base.yaml.gotmpl", CRDs: true, Webhooks: true,
			Why: "the custom resources of Istio",
		},
		{
			Name: "istio-cni", Chart: "cni", Repository: istio, Version: IstioVersion,
			Namespace: "istio-system", Labels: privileged(), Needs: []string{"istio-base"}, Values: "istio-cni.yaml.gotmpl",
			Why: "the network plugin that takes the place of a privileged init container in every pod",
		},
		{
			Name: "istiod", Chart: "istiod", Repository: istio, Version: IstioVersion,
			Namespace: "istio-system", Labels: privileged(), Needs: []string{"istio-base", "istio-cni"}, Values: "istiod.yaml.gotmpl",
			Webhooks: true,
			Why:      "the control plane of the mesh",
		},
	}
}

func platform(pins Pins) []Release {
	charts := Repository{"runkora", "{{ .Values.charts.kora }}"}
	return []Release{
		{
			Name: KoraCRDs, Chart: KoraCRDs, Repository: charts, Version: pins.Version, Digest: pins.Digests[KoraCRDs],
			Namespace: SystemNamespace, Labels: system(), CRDs: true,
			Why: "kora's custom resources; before kora, on every upgrade too",
		},
		{
			Name: Kora, Chart: Kora, Repository: charts, Version: pins.Version, Digest: pins.Digests[Kora],
			Namespace: SystemNamespace, Labels: system(), Needs: []string{"spire", "istiod", KoraCRDs}, Values: "kora.facts.yaml.gotmpl",
			Own: true, Theme: true, Webhooks: true,
			Why: "the operator and the platform services",
		},
	}
}

// privileged is for the namespaces of node components: the CSI driver and the
// CNI plugin have to be.
func privileged() []Label { return podSecurity("privileged") }

// system is D's: the sidecar injector sees the namespace, and no pod of it has
// more rights than it needs (R40). Istio's two ways to choose injection exclude
// each other.
func system() []Label {
	return append([]Label{
		{"istio-injection", "enabled", "not .Values.istio.revision"},
		{"istio.io/rev", "{{ .Values.istio.revision }}", ".Values.istio.revision"},
	}, podSecurity("restricted")...)
}

func podSecurity(level string) []Label {
	return []Label{
		{"pod-security.kubernetes.io/enforce", level, ""},
		{"pod-security.kubernetes.io/warn", level, ""},
		{"pod-security.kubernetes.io/audit", level, ""},
	}
}
