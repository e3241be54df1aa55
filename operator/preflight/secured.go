package preflight

import (
	"net"
	"strconv"
	"strings"
)

// secured is the way out where TLS is in the way of Redis, empty where it is not.
func (v *verdict) secured(refused string) string {
	switch {
	case strings.HasPrefix(refused, WantsCertificate):
		pair := " --cert " + ownWord("CLIENT_CERT") + " --key " + ownWord("CLIENT_KEY")
		return v.redisBy(pair, "--askpass", "config", "get", "tls-auth-clients") + replaces(v.redisBy(pair, "--askpass", "config", "set", "tls-auth-clients", "no"))
	case refused == NoTLS, refused == ClosesTLS:
		return command("redis-cli", "-h", v.Redis.Host, "-p", strconv.Itoa(v.Redis.Port), "ping") +
			remark("where it answers so, without TLS, config.redis.port has to name the tls-port of Redis, or in the values of kora: config: {redis: {tls: {enabled: false}}}")
	case refused == ClosesPlain:
		return setting(ofKora, "config.redis.tls.enabled", true)
	case strings.HasPrefix(refused, Untrusted) && v.RedisCA == "" && strings.HasSuffix(refused, "signed it"):
		return v.aboutSecret("redis-ca", v.kubectl("create", "secret", "generic", "redis-ca")+" --from-file=ca.crt="+ownWord("CA_FILE")+remark("the authority of Redis, in PEM; then in the values of kora: config: {redis: {tls: {caSecret: redis-ca}}}"))
	case strings.HasPrefix(refused, Untrusted):
		return command("openssl", "s_client", "-connect", net.JoinHostPort(v.Redis.Host, strconv.Itoa(v.Redis.Port)), "-showcerts") + " </dev/null" +
			remark("it has to be valid, for "+v.Redis.Host+", and of the authority that config.redis.tls.caSecret names, whose key is ca.crt")
	}
	return ""
}
