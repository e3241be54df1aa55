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
	fix   string // writes it where nothing stands; empty: it is that of the whole Secret
	// want says what whoever wrote a value has to put in its place: no fix does.
	want string
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
			v.unread("the form of "+finding.Field+" in "+finding.Object, fmt.Sprintf("only its length is known, %d bytes", value.Length), v.again("--only", v.id))
			continue
		default:
			finding.Message, finding.Fix = f.judge(value), v.shown(name, f.want)
		}
		if finding.Message != "" {
			v.fail(finding)
		}
	}
}

func platformSecret(v *verdict) {
	s := v.secret(v.PlatformSecret, v.aboutSecret(v.PlatformSecret, v.kubectl("create", "secret", "generic", v.PlatformSecret)+
		" --from-literal=DB_PASSWORD="+ownWord("DB_PASSWORD")+" --from-literal=REDIS_PASSWORD="+ownWord("REDIS_PASSWORD")+
		` --from-literal=KORA_TOKEN_SIGNING_KEY="$(openssl genrsa 4096)" --from-literal=KORA_TRIGGERS_ENCRYPTION_KEY="$(openssl rand -base64 32)"`))
	if s == nil {
		return
	}
	v.keys(v.PlatformSecret, s, []form{
		{"DB_PASSWORD", oneLine, true, v.put(v.PlatformSecret, "DB_PASSWORD", "printf %s "+ownWord("DB_PASSWORD")), samePassword},
		{"REDIS_PASSWORD", oneLine, true, v.put(v.PlatformSecret, "REDIS_PASSWORD", "printf %s "+ownWord("REDIS_PASSWORD")), samePassword},
		{"KORA_TOKEN_SIGNING_KEY", signingKey, true, v.put(v.PlatformSecret, "KORA_TOKEN_SIGNING_KEY", "openssl genrsa 4096"),
			"an RSA key of 2048 bits or more, in PEM and without a passphrase: the same key in another form where it is one, since what another signed is void"},
		{"KORA_TRIGGERS_ENCRYPTION_KEY", encryptionKey, true, v.put(v.PlatformSecret, "KORA_TRIGGERS_ENCRYPTION_KEY", `openssl rand -base64 32 | tr -d '\n'`),
			"32 bytes as base64 on one line: the same bytes where they are 32 in another form, since what they encrypted is lost with them"},
	})
}

// ownWord is what only the user knows, from a variable of the shell, which says
// so where it is not set: nothing is made of an empty word.
func ownWord(variable string) string { return `"${` + variable + `:?export it first}"` }

const samePassword = "the same password without its line break, or the one that holds"

// put writes what a command prints to one key of a Secret where nothing stands by
// then, and leaves the others; where it prints nothing, nothing is written. What
// stands there is asked for by the command itself: it may be run long after.
func (v *verdict) put(name, key, from string) string {
	held := v.kubectl("get", "secret", name, "-o", "jsonpath={.data."+strings.ReplaceAll(key, ".", `\.`)+"}")
	write := `value="$(` + from + ` | base64 | tr -d '\n')" && ` + v.kubectl("patch", "secret", name, "--type=merge") + ` -p "{\"data\":{\"` + key + `\":\"${value:?it is empty}\"}}"`
	return v.aboutSecret(name, `held="$(`+held+`)" && if test -z "$held"; then `+write+"; else echo "+quoted(key+" is there by now, and stays as it is")+"; fi")
}

// shown shows a Secret that holds something else than kora needs, each key by its
// length: it may be the only copy, so nothing takes its place.
func (v *verdict) shown(name, want string) string {
	return v.aboutSecret(name, v.kubectl("describe", "secret", name)+remark("whoever wrote this value keeps a copy, and puts in its place "+want))
}

func frontendSecret(v *verdict) {
	s := v.secret(v.FrontendSecret, v.aboutSecret(v.FrontendSecret, v.kubectl("create", "secret", "generic", v.FrontendSecret)+` --from-literal=BFF_SESSION_SECRET="$(openssl rand -base64 48)"`))
	if s == nil {
		return
	}
	v.keys(v.FrontendSecret, s, []form{{"BFF_SESSION_SECRET", func(x facts.Value) string {
		return when(x.Length < sessionSecretLength, fmt.Sprintf("the value has %d characters, and %d are the least", x.Length, sessionSecretLength))
	}, false, v.put(v.FrontendSecret, "BFF_SESSION_SECRET", `openssl rand -base64 48 | tr -d '\n'`), "32 characters or more: with another value every session has to log in again"}})
}

func pullSecrets(v *verdict) {
	for _, name := range v.PullSecrets {
		login := " --docker-server=" + ownWord("REGISTRY") + " --docker-username=" + ownWord("REGISTRY_USER") + " --docker-password=" + ownWord("REGISTRY_PASSWORD")
		s := v.secret(name, v.aboutSecret(name, v.kubectl("create", "secret", "docker-registry", name)+login))
		switch {
		case s == nil:
		case s.Type != "kubernetes.io/dockerconfigjson":
			v.fail(Finding{Message: "the Secret is of a type that nothing pulls with", Object: "Secret " + v.Namespace + "/" + name, Field: "type", Found: s.Type, Expected: "kubernetes.io/dockerconfigjson",
				Fix: v.aboutSecret(name, v.kubectl("describe", "secret", name)+" # the type of one never changes: name another in global.imagePullSecrets, or move what this one holds")})
		default:
			const config = `jsonpath={.data.\.dockerconfigjson}`
			v.keys(name, s, []form{{".dockerconfigjson", dockerConfig, true, v.put(name, ".dockerconfigjson", v.on("kubectl", "create", "secret", "docker-registry", "pull")+login+" --dry-run=client -o "+quoted(config)+" | base64 -d"), "what kubectl create secret docker-registry makes; or name another Secret in global.imagePullSecrets"}})
		}
	}
}

func redisCA(v *verdict) {
	s := v.secret(v.RedisCA, v.aboutSecret(v.RedisCA, v.kubectl("create", "secret", "generic", v.RedisCA)+" --from-file=ca.crt="+ownWord("CA_FILE")))
	if s != nil {
		v.keys(v.RedisCA, s, []form{{"ca.crt", certificates, true, v.put(v.RedisCA, "ca.crt", "cat "+ownWord("CA_FILE")), "the certificate of the authority in PEM; or name another Secret in config.redis.tls.caSecret"}})
	}
}
