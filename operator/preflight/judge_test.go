package preflight

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a cluster as D asks for passes every check.
func TestAGoodClusterPasses(t *testing.T) {
	for _, o := range Judge(Checks(), goodFacts(t), goodSettings()) {
		if o.State != Passed {
			t.Errorf("%s is %s: %+v %v %s", o.ID, o.State, o.Findings, o.BlockedBy, o.Reason)
		}
	}
}

// wrong is one thing that is not as D asks for, and what must be said of it.
type wrong struct {
	name    string
	spoil   func(*facts.Facts, *Settings)
	id      string
	state   State
	message string
	fix     string // part of it
}

func spoiled(f func(*facts.Facts)) func(*facts.Facts, *Settings) {
	return func(x *facts.Facts, _ *Settings) { f(x) }
}

func secretValue(name, key, value string) func(*facts.Facts, *Settings) {
	return spoiled(func(f *facts.Facts) {
		f.Secrets["kora-system/"+name].Value.Values[key] = facts.Value{Length: len(value), Bytes: []byte(value)}
	})
}

func gatewayPair(t *testing.T, ends time.Time, hosts ...string) func(*facts.Facts, *Settings) {
	return secretValue("kora-gateway-tls", "tls.crt", string(certificate(t, ends, hosts...)))
}

func wrongs(t *testing.T) []wrong {
	return slices.Concat(wrongPlatforms(), wrongInjection(), wrongSecrets(t), wrongServices())
}

func wrongPlatforms() []wrong {
	return []wrong{
		{"an old Kubernetes", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("v1.33.9") }), "kubernetes-version", Failed, "too old", "kubectl version"},
		{"a new Kubernetes", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("v1.37.0-rc.1") }), "kubernetes-version", Warned, "nobody tried", "helm show chart oci://"},
		{"a Kubernetes 2", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("v2.0.0") }), "kubernetes-version", Warned, "nobody tried", "helm show chart oci://"},
		{"a Kubernetes before the first that is good", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("v1.34.0-alpha.1") }), "kubernetes-version", Failed, "too old", "kubectl version"},
		{"a revision of no version", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = nil }), "istio-version", Unchecked, "could not be read", ""},
		{"a release of nothing", spoiled(func(f *facts.Facts) { f.Release.Value = nil }), "release", Unchecked, "could not be read", "kora preflight"},
		{"a cloud's version", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("v1.32.1-eks-1234") }), "kubernetes-version", Failed, "too old", ""},
		{"no version", spoiled(func(f *facts.Facts) { f.Kubernetes = facts.Known("latest") }), "kubernetes-version", Unchecked, "could not be read", ""},
		{"no namespace", spoiled(func(f *facts.Facts) { f.Namespaces = facts.Known(map[string]facts.Namespace{}) }), "system-namespace", Failed, "not there", "kubectl create namespace kora-system"},
		{"a namespace that is being deleted", spoiled(func(f *facts.Facts) { f.Namespaces.Value["kora-system"] = facts.Namespace{Leaving: true} }), "system-namespace", Failed, "is being deleted", "kubectl get namespace kora-system -o yaml # status.conditions tells what its deletion waits for"},
		{"no injection", spoiled(func(f *facts.Facts) { delete(f.Namespaces.Value["kora-system"].Labels, "istio-injection") }), "system-namespace", Failed, "do not let that revision inject", "istio-injection=enabled"},
		{"no Pod Security", spoiled(func(f *facts.Facts) {
			f.Namespaces.Value["kora-system"].Labels["pod-security.kubernetes.io/enforce"] = "baseline"
		}), "system-namespace", Failed, "label", "enforce=restricted"},
		{"no istiod", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Ready = 0 }), "istio-running", Failed, "no control plane", "kubectl -n istio-system describe pods"},
		{"no istiod at all", spoiled(func(f *facts.Facts) { f.Revisions.Value = nil }), "istio-running", Failed, "no control plane", `found="$(kubectl get deployments -A -l app=istiod --no-headers)" && if test -n "$found"; then echo "$found"; else helm upgrade --install istio-base`},
		{"Istio before its release", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{"1.31.0-rc.1"} }), "istio-version", Failed, "not supported", "--version 1.31.1"},
		{"a build of Istio's own", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{"1.31-alpha.0a1b2c"} }), "istio-version", Failed, "not supported", "--version 1.31.1"},
		{"Istio 1.29", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{"1.31.1", "1.29.4"} }), "istio-version", Failed, "not supported", "1.31.1"},
		{"Istio 1.32", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{"1.32.0"} }), "istio-version", Failed, "not supported", ""},
		{"Istio 1.3", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{"1.3.1"} }), "istio-version", Failed, "not supported", ""},
		{"another revision of 1.28", spoiled(func(f *facts.Facts) {
			f.Revisions.Value = append(f.Revisions.Value, facts.Revision{Name: "old", Namespace: "istio-system", Versions: []string{"1.28.0"}, Ready: 1})
		}), "istio-version", Failed, "not supported", ""},
		{"an Istio by digest", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].Versions = []string{""} }), "istio-version", Unchecked, "could not be read", ""},
		{"a revision that is not there", func(_ *facts.Facts, s *Settings) { s.Revision = "canary" }, "istio-revision", Failed, "does not run", `istio: {revision: ""}`},
		{"a tag of no revision", func(f *facts.Facts, s *Settings) { s.Revision = "prod"; f.Tags.Value["prod"] = "gone" }, "istio-revision", Failed, "does not run", ""},
		{"Istio's own trust domain", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].TrustDomain = facts.Known("") }), "istio-trust-domain", Failed, "another trust domain", `meshConfig: {trustDomain: "example.com"} # in the values of Istio's chart istiod`},
		{"no CNI in istiod", spoiled(func(f *facts.Facts) { f.Revisions.Value[0].CNI = facts.Known(false) }), "istio-cni", Failed, "does not use", "pilot.cni.enabled=true"},
		{"no CNI at all", spoiled(func(f *facts.Facts) { f.DaemonSets.Value = f.DaemonSets.Value[:2] }), "istio-cni", Failed, "not installed", "helm upgrade --install istio-cni cni"},
		{"no ClusterSPIFFEID", spoiled(func(f *facts.Facts) { f.Definitions.Value = nil }), "spire-crd", Failed, "not served", "--version 0.6.1"},
		{"SPIRE of another domain", spoiled(func(f *facts.Facts) { f.Spire.TrustDomains.Value["spire-server/spire-server"] = "other.org" }), "spire-trust-domain", Failed, "another trust domain", "example.com"},
		{"another class", spoiled(func(f *facts.Facts) { f.Spire.Class = facts.Known("mine") }), "spire-class", Failed, "another class", `spire: {className: "mine"}`},
		{"a manager that reads none", managed(func(m *facts.Manager) { m.Idle = "staticManifestPath" }), "spire-class", Failed, "reads no ClusterSPIFFEIDs", "staticManifestMode off"},
		{"kora's namespace ignored", managed(func(m *facts.Manager) { m.Ignored = []string{"system"} }), "spire-class", Failed, "ignores a namespace of kora's", "ignoreNamespaces"},
		{"those of tenants ignored", managed(func(m *facts.Manager) { m.Ignored = []string{"^kora-tenant-"} }), "spire-class", Failed, "ignores a namespace of kora's", "ignoreNamespaces"},
		{"an expression that is none", managed(func(m *facts.Manager) { m.Ignored = []string{"("} }), "spire-class", Failed, "does not start", "ignoreNamespaces"},
		{"no namespace watched", managed(func(m *facts.Manager) { m.Watched = &[]string{} }), "spire-class", Failed, "sees not every pod", "no cacheNamespaces"},
		{"no tenant watched", managed(func(m *facts.Manager) { m.Watched = &[]string{"kora-system"} }), "spire-class", Failed, "sees not every pod", "no cacheNamespaces"},
		{"some tenants watched", managed(func(m *facts.Manager) { m.Watched = &[]string{"kora-system", "kora-tenant-a"} }), "spire-class", Warned, "that it names alone", "no cacheNamespaces"},
		{"a manager that nobody read", spoiled(func(f *facts.Facts) { f.Spire.Manager = facts.Unknown[facts.Manager]("the file does not hold it") }), "spire-class", Unchecked, "could not be read", ""},
		{"a greedy ClusterSPIFFEID", spoiled(func(f *facts.Facts) { f.Spire.IDs.Value[0].Fallback = false }), "spire-fallback", Failed, "registers kora's pods", `kubectl patch clusterspiffeid spire-default`},
		{"no CSI driver", spoiled(func(f *facts.Facts) { f.Spire.CSI = facts.Known(false) }), "spire-csi-driver", Failed, "not registered", "spiffe-csi-driver"},
		{"SDS names", spoiled(func(f *facts.Facts) { f.Spire.SDS.Value.Bundle = "null" }), "spire-sds", Failed, "another name", "defaultBundleName: ROOTCA"},
		{"one SDS name, the others SPIRE's own", spoiled(func(f *facts.Facts) { f.Spire.SDS.Value = facts.SDS{Svid: "other"} }), "spire-sds", Failed, "another name", "defaultSVIDName: default"},
		{"a node without the agent", spoiled(func(f *facts.Facts) { f.DaemonSets.Value[0].ReadyOn = []string{"a"} }), "node-daemons", Failed, "no ready pod of spire-agent", "spec.nodeName=b"},
		{"no node for agents", spoiled(func(f *facts.Facts) { f.Nodes.Value = f.Nodes.Value[2:] }), "node-daemons", Warned, "no node", "kubectl get nodes"},
		{"a component that a disruption evicts", spoiled(func(f *facts.Facts) {
			f.DaemonSets.Value[1].Tolerations = []corev1.Toleration{{Key: "tier", Operator: corev1.TolerationOpExists}}
		}), "node-taints", Failed, "does not tolerate", `kubectl -n infra patch daemonset`},
		{"no default class", spoiled(func(f *facts.Facts) { f.StorageClasses.Value[0].Default = false }), "storage-class", Failed, "no default", "is-default-class"},
		{"a class that is not there", func(_ *facts.Facts, s *Settings) { s.StorageClass = "efs" }, "storage-class", Failed, "not there", ""},
		{"a claim of a patch", func(_ *facts.Facts, s *Settings) {
			s.Claims = []Claim{{Object: "StatefulSet agent-sample"}, {Object: "PersistentVolumeClaim x", Class: ptr.To("no-such-class")}}
		}, "storage-class", Failed, "is not there", `agents: {workspace: {storageClassName: "gp3"}}`},
		{"a class that is not there, beside the default", func(f *facts.Facts, s *Settings) {
			f.StorageClasses.Value = append([]facts.StorageClass{{Name: "aaa", Provisioner: "x"}}, f.StorageClasses.Value...)
			s.StorageClass = "efs"
		}, "storage-class", Failed, "not there", `agents: {workspace: {storageClassName: "gp3"}}`},
		{"a claim of no class", func(_ *facts.Facts, s *Settings) {
			s.Claims = []Claim{{Object: "StatefulSet agent-sample", Class: ptr.To("")}}
		}, "storage-class", Warned, "by hand", ""},
		{"an object of nobody", spoiled(func(f *facts.Facts) { f.Release.Value[0].Owner = &facts.Owner{} }), "release", Failed, "belongs to somebody else", "kubectl -n kora-system annotate Deployment kora-agents meta.helm.sh/release-name=kora"},
		{"an object of another release", spoiled(func(f *facts.Facts) {
			f.Release.Value[0].Owner = &facts.Owner{ManagedBy: "Helm", Release: "old", Namespace: "kora-system"}
		}), "release", Failed, "belongs to somebody else", "kubectl -n kora-system describe Deployment kora-agents # tells whose it is"},
		{"an object that may not be looked at", spoiled(func(f *facts.Facts) {
			f.Release.Value[0].Unread = `secrets "x" is forbidden: User "jane" cannot get resource "secrets" in API group "" in the namespace "kora-system"`
		}), "release", Unchecked, "could not be read", "--resource-name=x --dry-run=client -o yaml | kubectl auth reconcile -f - && kubectl create rolebinding"},
		{"SPIRE without a trust domain", spoiled(func(f *facts.Facts) { f.Spire.TrustDomains.Value["spire-server/spire-server"] = "" }), "spire-trust-domain", Unchecked, "could not be read", "kubectl -n spire-server get configmap spire-server"},
		{"SPIRE without a class", spoiled(func(f *facts.Facts) { f.Spire.Class = facts.Known("") }), "spire-class", Unchecked, "could not be read", "kubectl get configmaps"},
		{"privileged pods", spoiled(func(f *facts.Facts) { f.Privileged.Value.Refused = "violates PodSecurity" }), "privileged-pods", Failed, "refused", "enforce=privileged"},
		{"an object over quota", spoiled(func(f *facts.Facts) { f.Release.Value[0].Refused = "exceeded quota: small, requested: pods=1" }), "release", Failed, "refuses", "kubectl -n kora-system edit resourcequota small"},
		{"a quota without room for all", spoiled(func(f *facts.Facts) {
			f.Release.Value[0] = facts.Answer{Object: "ResourceQuota kora-system/small", Short: "pods: 20 are asked for, and 2 are left"}
		}), "release", Failed, "no room for all", "kubectl -n kora-system edit resourcequota small"},
		{"a pod that nobody may try", spoiled(func(f *facts.Facts) {
			f.Release.Value[0].Untried = `pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "kora-system"`
		}), "release", Unchecked, "could not be read", "kubectl create role kora-preflight-create-pods"},
		{"objects of no kind", spoiled(func(f *facts.Facts) {
			f.Release.Value = []facts.Answer{{Object: "Gateway kora-system/a", Refused: refusals()["istio"]}, {Object: "Gateway kora-system/b", Refused: refusals()["istio"]}}
		}), "release", Failed, "serves none", "helm upgrade --install istio-base"},
		{"an object that is warned of", spoiled(func(f *facts.Facts) { f.Release.Value[0].Warnings = []string{"deprecated"} }), "release", Warned, "warns", ""},
	}
}

// encoded32 are 32 bytes in base64.
var encoded32 = base64.StdEncoding.EncodeToString(make([]byte, 32))

func wrongSecrets(t *testing.T) []wrong {
	return []wrong{
		{"no platform secret", spoiled(func(f *facts.Facts) { f.Secrets["kora-system/kora-secrets"] = facts.Known[*facts.Secret](nil) }), "platform-secret", Failed, "not there", "kubectl -n kora-system create secret generic kora-secrets"},
		{"a key that is missing", spoiled(func(f *facts.Facts) { delete(f.Secrets["kora-system/kora-secrets"].Value.Values, "DB_PASSWORD") }), "platform-secret", Failed, "lacks a key", "${DB_PASSWORD:?"},
		{"an empty value", secretValue("kora-secrets", "REDIS_PASSWORD", ""), "platform-secret", Failed, "empty", ""},
		{"a password from a file", secretValue("kora-secrets", "DB_PASSWORD", "pass\n"), "platform-secret", Failed, "line break", ""},
		{"a signing key that is none", secretValue("kora-secrets", "KORA_TOKEN_SIGNING_KEY", "secret"), "platform-secret", Failed, "no PEM", "kubectl -n kora-system describe secret kora-secrets # whoever wrote this value keeps a copy, and puts in its place an RSA key"},
		{"a short encryption key", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", "AAAA"), "platform-secret", Failed, "3 bytes", "kubectl -n kora-system describe secret kora-secrets # whoever wrote this value keeps a copy, and puts in its place 32 bytes"},
		{"an encryption key on two lines", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", "AAAA\nAAAA"), "platform-secret", Failed, "line break", ""},
		{"an encryption key of a file", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", encoded32+"\n"), "platform-secret", Failed, "line break", ""},
		{"an encryption key of another system's file", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", encoded32+"\r\n"), "platform-secret", Failed, "line break", ""},
		{"an encryption key that was wrapped", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", encoded32[:20]+"\n"+encoded32[20:]), "platform-secret", Failed, "line break", ""},
		{"an encryption key of another alphabet", secretValue("kora-secrets", "KORA_TRIGGERS_ENCRYPTION_KEY", strings.Repeat("_", 43)+"="), "platform-secret", Failed, "base64 on one line", ""},
		{"only lengths", spoiled(func(f *facts.Facts) {
			f.Secrets["kora-system/kora-secrets"].Value.Values["KORA_TOKEN_SIGNING_KEY"] = facts.Value{Length: 1700}
		}), "platform-secret", Unchecked, "could not be read", ""},
		{"a short session secret", secretValue("kora-frontend-secrets", "BFF_SESSION_SECRET", "short"), "frontend-secret", Failed, "5 characters", "kubectl -n kora-system describe secret kora-frontend-secrets # whoever"},
		{"a pull secret of another type", spoiled(func(f *facts.Facts) { f.Secrets["kora-system/pull"].Value.Type = "Opaque" }), "pull-secrets", Failed, "type", ""},
		{"a pull secret of no registry", secretValue("pull", ".dockerconfigjson", `{"auths":{}}`), "pull-secrets", Failed, "no registry", ""},
		{"an authority that is none", secretValue("redis-ca", "ca.crt", "-----"), "redis-ca", Failed, "no certificate", ""},
		{"a certificate of another host", gatewayPair(t, noon.Add(999*time.Hour), "example.com"), "gateway-certificate", Failed, "not valid for a public host", "api.example.com"},
		{"a certificate that has expired", gatewayPair(t, noon.Add(-time.Hour), "example.com", "*.example.com"), "gateway-certificate", Failed, "expired", ""},
		{"a certificate of tomorrow", gatewayPair(t, noon.Add(91*24*time.Hour), "example.com", "*.example.com"), "gateway-certificate", Failed, "not valid yet", ""},
		{"a certificate that ends soon", gatewayPair(t, noon.Add(50*time.Hour), "example.com", "*.example.com"), "gateway-certificate", Warned, "ends soon", ""},
		{"no pair", secretValue("kora-gateway-tls", "tls.key", "x"), "gateway-certificate", Failed, "no pair", ""},
		{"a Secret that may not be read", spoiled(func(f *facts.Facts) {
			f.Secrets["kora-system/kora-gateway-tls"] = facts.Unknown[*facts.Secret]("secrets is forbidden")
		}), "gateway-certificate", Unchecked, "could not be read", ""},
	}
}

func wrongServices() []wrong {
	return []wrong{
		{"PostgreSQL 13", spoiled(func(f *facts.Facts) { f.Database.Value.Version = 13 }), "postgres", Failed, "not supported", "supported version"},
		{"PostgreSQL 19", spoiled(func(f *facts.Facts) { f.Database.Value.Version = 19 }), "postgres", Failed, "not supported", ""},
		{"no CREATE", spoiled(func(f *facts.Facts) { f.Database.Value.Create = false }), "postgres", Failed, "may not create", `psql -h postgres.internal -p 5432 -U postgres -d kora -c 'GRANT CREATE ON SCHEMA public TO "kora";'`},
		{"a wrong password", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "password authentication failed (28P01)" }), "postgres", Failed, "lets kora not in", "DB_PASSWORD"},
		{"a database that is not there", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "the database is not there (3D000)" }), "postgres", Failed, "lets kora not in", `-U postgres -d postgres -c 'CREATE DATABASE "kora" OWNER "kora";'`},
		{"a role without CONNECT", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "the role may not do this (42501)" }), "postgres", Failed, "lets kora not in", `-c 'GRANT CONNECT ON DATABASE "kora" TO "kora";'`},
		{"a role that may not log in", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "the login is refused (28000)" + NoLogin }), "postgres", Failed, "lets kora not in", `-c 'ALTER ROLE "kora" LOGIN;'`},
		{"a role that is not there", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "the login is refused (28000)" + NoRole }), "postgres", Failed, "lets kora not in", `-c 'CREATE ROLE "kora" LOGIN;'`},
		{"no line in pg_hba.conf", spoiled(func(f *facts.Facts) { f.Database.Value.Refused = "the login is refused (28000): no entry" }), "postgres", Failed, "lets kora not in", "pg_hba_file_rules"},
		{"no USAGE", spoiled(func(f *facts.Facts) { f.Database.Value.NoUsage, f.Database.Value.NoPath = true, true }), "postgres", Failed, "may not use schema public", `-c 'GRANT USAGE ON SCHEMA public TO "kora";'`},
		{"a path to elsewhere", spoiled(func(f *facts.Facts) { f.Database.Value.NoPath = true }), "postgres", Failed, "search_path", "-U kora -d kora -c 'SHOW search_path;' # whoever set this decides"},
		{"tables in a schema of the role's own", spoiled(func(f *facts.Facts) { f.Database.Value.Elsewhere = true }), "postgres", Warned, "makes tables in another schema", `SET search_path = public;'`},
		{"tables where the role may not create", spoiled(func(f *facts.Facts) { f.Database.Value.Elsewhere, f.Database.Value.Barred = true, true }), "postgres", Failed, "may not create", `SET search_path = public;'`},
		{"a user of Redis without rights", spoiled(func(f *facts.Facts) { f.Redis.Value.Refused = "the user may not do this (NOPERM)" }), "redis", Failed, "lets kora not in", "acl getuser default # whoever set this decides"},
		{"Redis in protected mode", spoiled(func(f *facts.Facts) { f.Redis.Value.Refused = "its protected mode (DENIED)" }), "redis", Failed, "lets kora not in", "config get protected-mode"},
		{"a Redis without a password", spoiled(func(f *facts.Facts) { f.Redis.Value.Refused = "it has no password set, and was given one (ERR)" }), "redis", Failed, "lets kora not in", "config get requirepass"},
		{"no schema public", spoiled(func(f *facts.Facts) { f.Database.Value.NoSchema, f.Database.Value.Create = true, false }), "postgres", Failed, "has no schema public", `-c 'CREATE SCHEMA public AUTHORIZATION "kora";'`},
		{"a web server for PostgreSQL", spoiled(func(f *facts.Facts) {
			f.Database.Value = facts.Database{Refused: "it does not speak it", Foreign: true}
		}), "postgres", Failed, "is no PostgreSQL", "config"},
		{"a web server for Redis", spoiled(func(f *facts.Facts) { f.Redis.Value = facts.Redis{Refused: "it does not speak it", Foreign: true} }), "redis", Failed, "is no Redis", "config"},
		{"no TLS to PostgreSQL", func(f *facts.Facts, s *Settings) { s.Database.TLS, f.Database.Value.TLS = "disable", false }, "postgres", Warned, "not encrypted", "postgresSSLMode"},
		{"a database that is silent", spoiled(func(f *facts.Facts) { f.Database = facts.Unknown[facts.Database]("it did not answer in time") }), "postgres", Unchecked, "could not be read", ""},
		{"a wrong password of Redis", spoiled(func(f *facts.Facts) { f.Redis.Value.Refused = "WRONGPASS" }), "redis", Failed, "lets kora not in", "REDIS_PASSWORD"},
		{"a role that may only read", spoiled(func(f *facts.Facts) { f.Database.Value.ReadOnly = true }), "postgres", Failed, "takes no writes", `ALTER ROLE "kora" IN DATABASE "kora" SET default_transaction_read_only = off;`},
		{"a replica of PostgreSQL", spoiled(func(f *facts.Facts) { f.Database.Value.ReadOnly, f.Database.Value.Replica = true, true }), "postgres", Failed, "takes no writes", "pg_stat_wal_receiver"},
		{"a replica of Redis", spoiled(func(f *facts.Facts) { f.Redis.Value.ReadOnly = true }), "redis", Failed, "takes no writes", "info replication"},
		{"no TLS to Redis", spoiled(func(f *facts.Facts) { f.Redis.Value.TLS = false }), "redis", Warned, "not encrypted", ""},
	}
}

// R55: each thing that is wrong fails the one check that is about it, tells what
// to do, and fails no other.
func TestEachFaultHasItsCheck(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range wrongs(t) {
		t.Run(w.name, func(t *testing.T) {
			f, s := goodFacts(t), goodSettings()
			w.spoil(f, &s)
			f.Asked = s.Asked()
			for _, o := range Judge(Checks(), f, s) {
				switch {
				case o.ID == w.id:
					w.holds(t, o)
				case o.State == Skipped && len(o.BlockedBy) > 0:
				case o.State != Passed && !(w.id == "istio-revision" && o.ID == "system-namespace") && !(w.id == "istio-cni" && o.ID == "node-daemons"):
					t.Errorf("%s is %s as well: %+v", o.ID, o.State, o.Findings)
				}
			}
		})
		seen[w.id] = true
	}
	for _, c := range Checks() {
		if !seen[c.ID] {
			t.Errorf("nothing makes %s fail", c.ID)
		}
	}
}

func (w wrong) holds(t *testing.T, o Outcome) {
	t.Helper()
	if o.State != w.state || len(o.Findings) == 0 {
		t.Fatalf("%s is %s, want %s: %+v", o.ID, o.State, w.state, o.Findings)
	}
	f := o.Findings[0]
	if !strings.Contains(f.Message, w.message) || !strings.Contains(f.Fix, w.fix) {
		t.Errorf("%+v, want %q and the fix %q", f, w.message, w.fix)
	}
	if f.State == Failed && f.Fix == "" {
		t.Errorf("%+v has no fix", f)
	}
}

// R55: a check whose needs do not hold is skipped and names them, and so do
// those that need it.
func TestSkippedChecksNameWhatBlockedThem(t *testing.T) {
	f := goodFacts(t)
	f.Namespaces = facts.Known(map[string]facts.Namespace{})
	states := map[string]Outcome{}
	for _, o := range Judge(Checks(), f, goodSettings()) {
		states[o.ID] = o
	}
	if o := states["platform-secret"]; o.State != Skipped || !slices.Equal(o.BlockedBy, []string{"system-namespace"}) {
		t.Errorf("%+v", o)
	}
	if o := states["postgres"]; o.State != Skipped || !slices.Equal(o.BlockedBy, []string{"platform-secret"}) {
		t.Errorf("%+v", o)
	}
}

// R55: what is not for this install is skipped with its reason.
func TestChecksThatDoNotApply(t *testing.T) {
	s := goodSettings()
	s.SandboxMount.Enabled, s.RedisCA, s.PullSecrets, s.Certificate = false, "", nil, ""
	n := 0
	for _, o := range Judge(Checks(), goodFacts(t), s) {
		if o.Reason != "" && o.State == Skipped {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d checks do not apply, want 4", n)
	}
}

// R55: the revision in use may be named by a tag.
func TestARevisionByItsTag(t *testing.T) {
	f, s := goodFacts(t), goodSettings()
	s.Revision, f.Revisions.Value[0].Name, f.Tags.Value["prod"] = "prod", "1-31-1", "1-31-1"
	f.Injectors.Value = append(webhooks("istio-sidecar-injector-1-31-1", "1-31-1", "1-31-1"), webhooks("istio-revision-tag-prod", "1-31-1", "prod")...)
	f.Namespaces.Value["kora-system"].Labels["istio.io/rev"] = "prod"
	delete(f.Namespaces.Value["kora-system"].Labels, "istio-injection")
	for _, o := range Judge(Checks(), f, s) {
		if o.State != Passed {
			t.Errorf("%s is %s: %+v", o.ID, o.State, o.Findings)
		}
	}
}

// The table is sound: ids once, needs before what needs them, a sentence each.
func TestTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || c.Why == "" || strings.HasSuffix(c.Why, ".") || c.Category == "" || c.judge == nil {
			t.Errorf("%+v", c)
		}
		for _, need := range c.Needs {
			if !seen[need] {
				t.Errorf("%s needs %s, which does not stand before it", c.ID, need)
			}
		}
		seen[c.ID] = true
	}
}

// R55, --only: a check brings what it needs; a category all of its checks.
func TestSelect(t *testing.T) {
	ids := func(names ...string) (out []string) {
		checks, err := Select(names)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			out = append(out, c.ID)
		}
		return out
	}
	if got := ids("postgres"); !slices.Equal(got, []string{"system-namespace", "platform-secret", "postgres"}) {
		t.Errorf("%v", got)
	}
	if got := ids("istio"); len(got) != 6 {
		t.Errorf("%v", got)
	}
	if _, err := Select([]string{"postgress"}); err == nil || !strings.Contains(err.Error(), `did you mean "postgres"`) {
		t.Errorf("%v", err)
	}
}

// R55, --skip: what is left out says so, and blocks what needs it.
func TestSkip(t *testing.T) {
	checks, err := Skip(Checks(), []string{"admission", "platform-secret"})
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, o := range Judge(checks, goodFacts(t), goodSettings()) {
		if o.State == Skipped {
			reasons[o.ID] = o.Reason + strings.Join(o.BlockedBy, ",")
		}
	}
	want := map[string]string{"platform-secret": "left out by --skip", "privileged-pods": "left out by --skip", "release": "left out by --skip", "postgres": "platform-secret", "redis": "platform-secret"}
	if !maps.Equal(reasons, want) {
		t.Errorf("%v", reasons)
	}
	if _, err := Skip(Checks(), []string{"nothing"}); err == nil {
		t.Error("an unknown name is taken")
	}
}
