package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

const (
	sessionSecretLength = 32
	encryptionKeyLength = 32
)

func secretChecks() []Check {
	return []Check{
		{
			ID: "platform-secret", Category: "secrets", Needs: []string{"system-namespace"},
			Why: "the services read their passwords and keys from it, and do not start without", judge: platformSecret,
		},
		{
			ID: "frontend-secret", Category: "secrets", Needs: []string{"system-namespace"},
			Why: "the dashboard encrypts its sessions with it", judge: frontendSecret,
		},
		{
			ID: "pull-secrets", Category: "secrets", Needs: []string{"system-namespace"},
			Why: "every pod pulls with them, and the operator copies them to every tenant", judge: pullSecrets,
			applies: func(s Settings) string { return when(len(s.PullSecrets) == 0, "global.imagePullSecrets names none") },
		},
		{
			ID: "redis-ca", Category: "secrets", Needs: []string{"system-namespace"},
			Why: "the services trust Redis by this authority alone", judge: redisCA,
			applies: func(s Settings) string { return when(s.RedisCA == "", "config.redis.tls.caSecret names none") },
		},
		{
			ID: "gateway-certificate", Category: "secrets", Needs: []string{"system-namespace"},
			Why: "browsers and clients of the API refuse a certificate of another name", judge: gatewayCertificate,
			applies: func(s Settings) string { return when(s.Certificate == "", "kora makes no gateway with TLS here") },
		},
	}
}

func when(holds bool, reason string) string {
	if holds {
		return reason
	}
	return ""
}

// secret is a Secret of the system namespace, nil when it is missing or could
// not be read, which is then found.
func (v *verdict) secret(name, fix string) *facts.Secret {
	p, asked := v.facts.Secrets[v.Namespace+"/"+name]
	if !asked {
		p = facts.Unknown[*facts.Secret]("nobody asked for it when these facts were collected")
	}
	if !known(v, "Secret "+v.Namespace+"/"+name, p) {
		return nil
	}
	if p.Value == nil {
		v.fail(Finding{Message: "the Secret is not there", Object: "Secret " + v.Namespace + "/" + name, Fix: fix})
	}
	return p.Value
}

// form judges one value: empty when it is good, else what is wrong with it,
// without a word of it.
type form struct {
	key   string
	judge func(facts.Value) string
	// blind is set where the length alone tells nothing of the form.
	blind bool
	fix   string
}

func (v *verdict) keys(name string, s *facts.Secret, forms []form) {
	for _, f := range forms {
		value, there := s.Values[f.key]
		finding := Finding{Object: "Secret " + v.Namespace + "/" + name, Field: "data." + f.key, Fix: f.fix}
		switch {
		case !there:
			finding.Message, finding.Found = "the Secret lacks a key", orNothing(strings.Join(slices.Sorted(maps.Keys(s.Values)), ", "))
		case value.Length == 0:
			finding.Message = "the value is empty"
		case f.blind && value.Bytes == nil:
			v.unknown("the form of "+finding.Field+" in "+finding.Object, fmt.Sprintf("only its length is known, %d bytes", value.Length))
			continue
		default:
			finding.Message = f.judge(value)
		}
		if finding.Message != "" {
			v.fail(finding)
		}
	}
}

func platformSecret(v *verdict) {
	create := "kubectl -n " + v.Namespace + " create secret generic " + v.PlatformSecret +
		" --from-literal=DB_PASSWORD=… --from-literal=REDIS_PASSWORD=… --from-file=KORA_TOKEN_SIGNING_KEY=key.pem --from-literal=KORA_TRIGGERS_ENCRYPTION_KEY=\"$(openssl rand -base64 32)\""
	s := v.secret(v.PlatformSecret, create)
	if s == nil {
		return
	}
	v.keys(v.PlatformSecret, s, []form{
		{"DB_PASSWORD", oneLine, true, "put the password of the role " + v.Database.User + " there"},
		{"REDIS_PASSWORD", oneLine, true, "put Redis' password there"},
		{"KORA_TOKEN_SIGNING_KEY", signingKey, true, "openssl genrsa 4096 makes one"},
		{"KORA_TRIGGERS_ENCRYPTION_KEY", encryptionKey, true, "openssl rand -base64 32 makes one"},
	})
}

func frontendSecret(v *verdict) {
	s := v.secret(v.FrontendSecret, "kubectl -n "+v.Namespace+" create secret generic "+v.FrontendSecret+" --from-literal=BFF_SESSION_SECRET=\"$(openssl rand -base64 48)\"")
	if s == nil {
		return
	}
	v.keys(v.FrontendSecret, s, []form{{"BFF_SESSION_SECRET", func(x facts.Value) string {
		return when(x.Length < sessionSecretLength, fmt.Sprintf("the value has %d characters, and %d are the least", x.Length, sessionSecretLength))
	}, false, "openssl rand -base64 48 makes one"}})
}

func pullSecrets(v *verdict) {
	for _, name := range v.PullSecrets {
		s := v.secret(name, "kubectl -n "+v.Namespace+" create secret docker-registry "+name+" --docker-server=… --docker-username=… --docker-password=…")
		switch {
		case s == nil:
		case s.Type != "kubernetes.io/dockerconfigjson":
			v.fail(Finding{Message: "the Secret is of a type that nothing pulls with", Object: "Secret " + v.Namespace + "/" + name, Field: "type", Found: s.Type, Expected: "kubernetes.io/dockerconfigjson",
				Fix: "make it anew with kubectl create secret docker-registry"})
		default:
			v.keys(name, s, []form{{".dockerconfigjson", dockerConfig, true, "make it anew with kubectl create secret docker-registry"}})
		}
	}
}

func redisCA(v *verdict) {
	s := v.secret(v.RedisCA, "kubectl -n "+v.Namespace+" create secret generic "+v.RedisCA+" --from-file=ca.crt")
	if s != nil {
		v.keys(v.RedisCA, s, []form{{"ca.crt", certificates, true, "put the authority's certificate there, as PEM"}})
	}
}
