package preflight

import (
	"maps"
	"slices"
	"strings"
)

// clusterSPIFFEIDs is the definition that SPIRE's controller manager serves.
const clusterSPIFFEIDs = "clusterspiffeids.spire.spiffe.io"

func spireChecks() []Check {
	return []Check{
		{
			ID: "spire-crd", Category: "spire", Why: "kora registers its workloads as ClusterSPIFFEIDs", judge: spireCRD,
		},
		{
			ID: "spire-trust-domain", Category: "spire", Why: "an identity of another trust domain is nobody's, so every connection is refused",
			judge: spireTrustDomain,
		},
		{
			ID: "spire-class", Category: "spire", Needs: []string{"spire-crd"},
			Why: "a controller manager of another class ignores kora's ClusterSPIFFEIDs, and no pod gets an identity", judge: spireClass,
		},
		{
			ID: "spire-fallback", Category: "spire", Needs: []string{"spire-crd"},
			Why: "another ClusterSPIFFEID that matches every pod races kora's own registrations", judge: spireFallback,
		},
		{
			ID: "spire-csi-driver", Category: "spire", Why: "pods mount the socket of the workload API by the driver csi.spiffe.io", judge: spireCSI,
		},
		{
			ID: "spire-sds", Category: "spire", Why: "Envoy asks SPIRE for its certificates by these names, and waits for ever under others", judge: spireSDS,
		},
	}
}

func spireCRD(v *verdict) {
	if !known(v, "the custom resource definitions", v.facts.Definitions) {
		return
	}
	if !slices.Contains(v.facts.Definitions.Value[clusterSPIFFEIDs], "v1alpha1") {
		v.fail(Finding{
			Message: "ClusterSPIFFEID is not served", Object: "CustomResourceDefinition " + clusterSPIFFEIDs,
			Found: orNothing(strings.Join(v.facts.Definitions.Value[clusterSPIFFEIDs], ", ")), Expected: "v1alpha1",
			Fix: "install the chart spire-crds 0.6.1, then spire 0.30.2",
		})
	}
}

func spireTrustDomain(v *verdict) {
	domains := v.facts.Spire.TrustDomains
	if !known(v, "SPIRE's trust domain", domains) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(domains.Value)) {
		if got := domains.Value[name]; got != v.TrustDomain {
			v.fail(Finding{
				Message: "SPIRE has another trust domain", Object: "ConfigMap " + name, Found: orNothing(got), Expected: v.TrustDomain,
				Fix: "set global.spire.trustDomain: " + v.TrustDomain + " in SPIRE's values; or, before anything is installed, set kora's global.trustDomain",
			})
		}
	}
}

func spireClass(v *verdict) {
	class := v.facts.Spire.Class
	if known(v, "the class of SPIRE's controller manager", class) && class.Value != v.SpireClass {
		v.fail(Finding{
			Message: "SPIRE's controller manager has another class", Field: "spire.className", Found: v.SpireClass, Expected: orNothing(class.Value),
			Fix: "set spire.className: " + class.Value,
		})
	}
}

func spireFallback(v *verdict) {
	if !known(v, "the ClusterSPIFFEIDs", v.facts.Spire.IDs) {
		return
	}
	for _, id := range v.facts.Spire.IDs.Value {
		if id.Class == v.SpireClass && id.Everywhere && !id.Fallback {
			v.fail(Finding{
				Message: "a ClusterSPIFFEID registers every pod", Object: "ClusterSPIFFEID " + id.Name, Field: "spec.fallback", Found: "false", Expected: "true",
				Fix: "set spire-server.controllerManager.identities.clusterSPIFFEIDs.default.enabled: false in SPIRE's values, or its fallback: true",
			})
		}
	}
}

func spireCSI(v *verdict) {
	if known(v, "the CSI drivers", v.facts.Spire.CSI) && !v.facts.Spire.CSI.Value {
		v.fail(Finding{Message: "the SPIFFE CSI driver is not registered", Object: "CSIDriver csi.spiffe.io", Fix: "set spiffe-csi-driver.enabled: true in SPIRE's values"})
	}
}

func spireSDS(v *verdict) {
	if !known(v, "the configuration of SPIRE's agent", v.facts.Spire.SDS) {
		return
	}
	got := v.facts.Spire.SDS.Value
	for _, name := range []struct{ key, got, want string }{
		{"defaultSVIDName", got.Svid, "default"}, {"defaultBundleName", got.Bundle, "ROOTCA"}, {"defaultAllBundlesName", got.AllBundles, "ALL"},
	} {
		if name.got != name.want {
			v.fail(Finding{
				Message: "SPIRE's agent answers under another name", Object: "ConfigMap spire-agent", Field: "sds." + name.key, Found: orNothing(name.got), Expected: name.want,
				Fix: "set spire-agent.sds." + name.key + ": " + name.want + " in SPIRE's values, with spire-agent.sds.enabled: true",
			})
		}
	}
}
