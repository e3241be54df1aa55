package preflight

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

const (
	oldestPostgres = 14
	newestPostgres = 18
)

func serviceChecks() []Check {
	return []Check{
		{
			ID: "postgres", Category: "services", Needs: []string{"platform-secret"},
			Why: "the migrations create the tables of kora's services, in schema public, before any workload starts", judge: postgres,
		},
		{
			ID: "redis", Category: "services", Needs: []string{"platform-secret"},
			Why: "sessions, limits and queues live there", judge: redis,
		},
	}
}

func (e Endpoint) address() string { return e.Host + ":" + strconv.Itoa(e.Port) }

func postgres(v *verdict) {
	if !known(v, "PostgreSQL at "+v.Database.address(), v.facts.Database) {
		return
	}
	got, object := v.facts.Database.Value, "PostgreSQL "+v.Database.address()
	switch {
	case got.Refused != "":
		v.fail(Finding{Message: "PostgreSQL lets kora not in", Object: object, Found: got.Refused,
			Fix: fmt.Sprintf("check config.db, global.postgresSSLMode and DB_PASSWORD in Secret %s/%s: psql \"host=%s port=%d dbname=%s user=%s\"", v.Namespace, v.PlatformSecret, v.Database.Host, v.Database.Port, v.Database.Database, v.Database.User)})
		return
	case got.Version < oldestPostgres || got.Version > newestPostgres:
		v.fail(Finding{Message: "this version of PostgreSQL is not supported", Object: object, Found: strconv.Itoa(got.Version),
			Expected: fmt.Sprintf("%d to %d", oldestPostgres, newestPostgres), Fix: "point config.db.host at a PostgreSQL of a supported version"})
	}
	if !got.Create {
		v.fail(Finding{Message: "the role may not create in schema public", Object: object, Field: "config.db.user", Found: v.Database.User,
			Expected: "CREATE on schema public", Fix: fmt.Sprintf("in database %s: GRANT CREATE ON SCHEMA public TO %q;", v.Database.Database, v.Database.User)})
	}
	if !got.TLS && v.Database.TLS == "disable" {
		v.warn(Finding{Message: "the connection to PostgreSQL is not encrypted", Object: object, Field: "global.postgresSSLMode", Found: "disable", Expected: "require, verify-ca or verify-full", Fix: "set global.postgresSSLMode in production"})
	}
}

func redis(v *verdict) {
	if !known(v, "Redis at "+v.Redis.address(), v.facts.Redis) {
		return
	}
	got, object := v.facts.Redis.Value, "Redis "+v.Redis.address()
	if got.Refused != "" {
		v.fail(Finding{Message: "Redis lets kora not in", Object: object, Found: got.Refused,
			Fix: fmt.Sprintf("check config.redis and REDIS_PASSWORD in Secret %s/%s; a Redis that serves plaintext needs config.redis.tls.enabled: false", v.Namespace, v.PlatformSecret)})
		return
	}
	if !got.TLS {
		v.warn(Finding{Message: "the connection to Redis is not encrypted", Object: object, Field: "config.redis.tls.enabled", Found: "false", Expected: "true", Fix: "turn TLS on in production"})
	}
}

func admissionChecks() []Check {
	return []Check{
		{
			ID: "privileged-pods", Category: "admission",
			Why: "the node agent exports and mounts folders, which takes a privileged pod on the host's network", judge: privileged,
			applies: func(s Settings) string { return when(!s.SandboxMount.Enabled, "sandboxMount.enabled is false") },
		},
		{
			ID: "release", Category: "admission", Needs: []string{"system-namespace"},
			Why: "what the API server refuses of the release now it would refuse in the middle of the install", judge: release,
		},
	}
}

func privileged(v *verdict) {
	if !known(v, "what the API server says to a privileged pod", v.facts.Privileged) {
		return
	}
	if a := v.facts.Privileged.Value; a.Refused != "" {
		v.fail(Finding{Message: "a privileged pod is refused", Object: a.Object, Found: a.Refused, Expected: "hostNetwork, hostPID and privileged are admitted in namespace " + v.SandboxMount.Namespace,
			Fix: "kubectl label --overwrite namespace " + v.SandboxMount.Namespace + " pod-security.kubernetes.io/enforce=privileged, and exempt it from other policies; or leave sandboxMount.enabled off"})
	}
}

func release(v *verdict) {
	if !known(v, "what the API server says to the release", v.facts.Release) {
		return
	}
	for _, a := range v.facts.Release.Value {
		if a.Refused != "" {
			v.fail(Finding{Message: "the API server refuses an object of the release", Object: a.Object, Found: a.Refused, Fix: refusalFix(a)})
		}
		for _, w := range a.Warnings {
			v.warn(Finding{Message: "the API server warns of an object of the release", Object: a.Object, Found: w, Fix: "change the value that sets it, or accept it"})
		}
	}
}

// refusalFix knows the reasons that have a usual way out.
func refusalFix(a facts.Answer) string {
	for _, known := range []struct{ sign, fix string }{
		{"exceeded quota", "raise the namespace's ResourceQuota, or lower replicas and resources"},
		{"PodSecurity", "label the namespace with the Pod Security level that kora needs"},
		{"no matches for kind", "install what defines this kind first: Istio, SPIRE and kora-crds"},
		{"denied the request", "the webhook that it names must admit kora's objects"},
		{"conflict", "another owner manages the field: let go of it, or remove the object"},
		{"forbidden", "use an account that may install: D asks for cluster-admin"},
	} {
		if strings.Contains(a.Refused, known.sign) {
			return known.fix
		}
	}
	return "change the value that sets it"
}
