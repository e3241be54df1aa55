package preflight

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

// clusterSPIFFEIDs is the definition that SPIRE's controller manager serves.
const clusterSPIFFEIDs = "clusterspiffeids.spire.spiffe.io"

func spireChecks() []Check {
	return []Check{
		{
			ID: "spire-crd", Category: "spire", Why: "kora registers its workloads as ClusterSPIFFEIDs", judge: spireCRD,
		},
		{
			ID: "spire-trust-domain", Category: "spire", Needs: []string{"spire-crd"}, alone: anyway, read: func(f *facts.Facts) bool { return seen(f.Spire.TrustDomains) },
			Why: "an identity of another trust domain is nobody's, so every connection is refused", judge: spireTrustDomain,
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
			ID: "spire-sds", Category: "spire", Needs: []string{"spire-crd"}, alone: anyway, read: func(f *facts.Facts) bool { return seen(f.Spire.SDS) },
			Why: "Envoy asks SPIRE for its certificates by these names, and waits for ever under others", judge: spireSDS,
		},
	}
}

// anyway is that a check looks at more than the definition that SPIRE brings along: it
// needs that only to tell that there is no SPIRE.
func anyway(Settings, *facts.Facts) bool { return true }

// seen reports whether something of SPIRE was read, or could not be for another reason
// than that nobody sees SPIRE.
func seen[T any](p facts.Part[T]) bool { return !strings.HasPrefix(p.Missing, facts.NoSpire) }

// settle is the way out where nobody sees SPIRE, empty for everything else: to look
// again finds it no more than now.
func (v *verdict) settle(why string) string {
	if !strings.HasPrefix(why, facts.NoSpire) && !strings.HasPrefix(why, facts.SpireElsewhere) {
		return ""
	}
	show := v.on("kubectl", "get", "daemonsets,statefulsets,deployments", "-A", "-o", "wide")
	agents := slices.ContainsFunc(v.facts.DaemonSets.Value, func(d facts.DaemonSet) bool { return d.Role == facts.SpireAgent })
	switch {
	case strings.HasPrefix(why, facts.SpireElsewhere):
		return show + " # one of these that is SPIRE's has to run where the platform does, in spire-system or spire-server"
	case agents:
		return show + " # SPIRE's server has to be among these, beside its agents"
	}
	return v.installSpire()
}

func spireCRD(v *verdict) {
	if !known(v, "the custom resource definitions", v.facts.Definitions) {
		return
	}
	if !slices.Contains(v.facts.Definitions.Value[clusterSPIFFEIDs], "v1alpha1") {
		v.fail(Finding{
			Message: "ClusterSPIFFEID is not served", Object: "CustomResourceDefinition " + clusterSPIFFEIDs,
			Found: orNothing(strings.Join(v.facts.Definitions.Value[clusterSPIFFEIDs], ", ")), Expected: "v1alpha1",
			Fix: v.installSpire(),
		})
	}
}

func spireTrustDomain(v *verdict) {
	v.strangers("spire")
	domains := v.facts.Spire.TrustDomains
	if !known(v, "SPIRE's trust domain", domains) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(domains.Value)) {
		switch got := domains.Value[name]; got {
		case v.TrustDomain:
		case "":
			v.unread("the trust domain in ConfigMap "+name, "nothing in it is a trust domain", v.showConfigMap(name))
		default:
			v.fail(Finding{
				Message: "SPIRE has another trust domain", Object: "ConfigMap " + name, Found: got, Expected: v.TrustDomain,
				Fix: setting(ofSpire, "global.spire.trustDomain", v.TrustDomain),
			})
		}
	}
}

// showConfigMap prints one, named namespace/name.
func (v *verdict) showConfigMap(full string) string {
	namespace, name, _ := strings.Cut(full, "/")
	return sound(v.on("kubectl", "-n", namespace, "get", "configmap", name, "-o", "yaml"), label(namespace), subdomain(name))
}

func spireClass(v *verdict) {
	class := v.facts.Spire.Class
	if !known(v, "the class of SPIRE's controller manager", class) {
		return
	}
	v.spireManager()
	switch {
	case class.Value == v.SpireClass:
	case class.Value == "":
		v.unread("the class of SPIRE's controller manager", "its configuration names none", v.on("kubectl", "get", "configmaps", "-A", "--field-selector=metadata.name=spire-controller-manager", "-o", "yaml"))
	default:
		v.fail(Finding{
			Message: "SPIRE's controller manager has another class", Field: "spire.className", Found: v.SpireClass, Expected: class.Value,
			Fix: sound(setting(ofKora, "spire.className", class.Value), labelValue(class.Value)),
		})
	}
}

func spireCSI(v *verdict) {
	if known(v, "the CSI drivers", v.facts.Spire.CSI) && !v.facts.Spire.CSI.Value {
		v.fail(Finding{Message: "the SPIFFE CSI driver is not registered", Object: "CSIDriver csi.spiffe.io", Fix: setting(ofSpire, "spiffe-csi-driver.enabled", true)})
	}
}

func spireSDS(v *verdict) {
	if !known(v, "the configuration of SPIRE's agent", v.facts.Spire.SDS) {
		return
	}
	got := v.facts.Spire.SDS.Value
	fix := "spire-agent: {sds: {enabled: true, defaultSVIDName: default, defaultBundleName: ROOTCA, defaultAllBundlesName: ALL}} # in the values of " + ofSpire
	for _, name := range []struct{ key, got, want string }{
		{"defaultSVIDName", got.Svid, "default"}, {"defaultBundleName", got.Bundle, "ROOTCA"}, {"defaultAllBundlesName", got.AllBundles, "ALL"},
	} {
		if name.got != "" && name.got != name.want { // what is not set is SPIRE's own, which is the wanted one
			v.fail(Finding{
				Message: "SPIRE's agent answers under another name", Object: "ConfigMap spire-agent", Field: "sds." + name.key, Found: name.got, Expected: name.want,
				Fix: fix,
			})
		}
	}
}
