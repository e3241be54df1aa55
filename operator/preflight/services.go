package preflight

import (
	"fmt"
	"net"
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
			alone: func(s Settings, f *facts.Facts) bool {
				return f.Database.Missing == "" && loggedIn(s, f, "DB_PASSWORD")
			},
		},
		{
			ID: "redis", Category: "services", Needs: []string{"platform-secret"},
			Why: "sessions, limits and queues live there", judge: redis,
			alone: func(s Settings, f *facts.Facts) bool {
				return f.Redis.Missing == "" && loggedIn(s, f, "REDIS_PASSWORD")
			},
		},
	}
}

// loggedIn reports whether a service was asked with the Secret's password: of a
// collected cluster only its length is known, and what the service answered
// stands all the same.
func loggedIn(s Settings, f *facts.Facts, key string) bool {
	p, asked := f.Secrets[s.Namespace+"/"+s.PlatformSecret]
	return !asked || p.Missing == "" && p.Value != nil && p.Value.Values[key].Length > 0
}

func (e Endpoint) address() string { return net.JoinHostPort(e.Host, strconv.Itoa(e.Port)) }

// reach is what to try where a service did not answer.
func (v *verdict) reach(e Endpoint) string {
	return command("nc", "-zvw", "5", e.Host, strconv.Itoa(e.Port)) + " && " + v.again("--only", v.id) + " # from where kora will run"
}

// answered reports whether a service answered, to these settings.
func answered[T any](v *verdict, what string, e Endpoint, p facts.Part[T], asked func(*facts.Asked) string) bool {
	if p.Missing != "" {
		v.unread(what, p.Missing, v.reach(e))
		return false
	}
	return v.tried(what, asked)
}

// psql is a session on the database, as the services' role or another.
func (v *verdict) psql(user string, words ...string) string {
	d := v.Database
	return command(append([]string{"psql", "-h", d.Host, "-p", strconv.Itoa(d.Port), "-U", user, "-d", d.Database}, words...)...)
}

// identifier is a name in SQL.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func postgres(v *verdict) {
	if !answered(v, "PostgreSQL at "+v.Database.address(), v.Database, v.facts.Database, func(a *facts.Asked) string { return a.Database }) {
		return
	}
	got, object := v.facts.Database.Value, "PostgreSQL "+v.Database.address()
	switch {
	case got.Foreign:
		v.fail(Finding{Message: "what answers there is no PostgreSQL", Object: object, Found: got.Refused, Field: "config.db", Fix: setting(ofKora, "config.db.host", v.Database.Host) + ": or config.db.port, of the PostgreSQL itself"})
		return
	case got.Refused != "":
		v.fail(Finding{Message: "PostgreSQL lets kora not in", Object: object, Found: got.Refused,
			Fix: v.admit(got.Refused)})
		return
	case got.Version < oldestPostgres || got.Version > newestPostgres:
		v.fail(Finding{Message: "this version of PostgreSQL is not supported", Object: object, Found: strconv.Itoa(got.Version),
			Expected: fmt.Sprintf("%d to %d", oldestPostgres, newestPostgres), Fix: setting(ofKora, "config.db.host", v.Database.Host) + ": of a PostgreSQL of a supported version, or upgrade this one"})
	}
	switch {
	case got.NoSchema:
		v.fail(Finding{Message: "the database has no schema public", Object: object, Field: "config.db.name", Found: v.Database.Database, Expected: "a schema public in which the role may create",
			Fix: v.psql("postgres", "-c", "CREATE SCHEMA public AUTHORIZATION "+identifier(v.Database.User)+";") + " # as the owner of the database"})
	case !got.Create:
		v.fail(Finding{Message: "the role may not create in schema public", Object: object, Field: "config.db.user", Found: v.Database.User,
			Expected: "CREATE on schema public", Fix: v.psql("postgres", "-c", "GRANT CREATE ON SCHEMA public TO "+identifier(v.Database.User)+";") + " # as the owner of the schema"})
	}
	v.usable(got, object)
	v.readOnly(got, object)
	if !got.TLS && v.Database.TLS == "disable" {
		v.warn(Finding{Message: "the connection to PostgreSQL is not encrypted", Object: object, Field: "global.postgresSSLMode", Found: "disable", Expected: "require, verify-ca or verify-full", Fix: setting(ofKora, "global.postgresSSLMode", "verify-full")})
	}
}

func (v *verdict) readOnly(got facts.Database, object string) {
	finding := Finding{Object: object, Message: "PostgreSQL takes no writes", Expected: "a server that takes writes"}
	switch {
	case got.Replica:
		finding.Field, finding.Found = "config.db.host", "a replica, in recovery"
		finding.Fix = v.psql(v.Database.User, "-c", "SELECT sender_host FROM pg_stat_wal_receiver;") + " # tells the primary, which config.db.host has to name"
	case got.ReadOnly:
		finding.Field, finding.Found = "default_transaction_read_only", "on"
		finding.Fix = v.psql("postgres", "-c", "ALTER ROLE "+identifier(v.Database.User)+" IN DATABASE "+identifier(v.Database.Database)+" SET default_transaction_read_only = off;")
	default:
		return
	}
	v.fail(finding)
}

func redis(v *verdict) {
	if !answered(v, "Redis at "+v.Redis.address(), v.Redis, v.facts.Redis, func(a *facts.Asked) string { return a.Redis }) {
		return
	}
	got, object := v.facts.Redis.Value, "Redis "+v.Redis.address()
	if got.Foreign {
		v.fail(Finding{Message: "what answers there is no Redis", Object: object, Found: got.Refused, Field: "config.redis", Fix: setting(ofKora, "config.redis.host", v.Redis.Host) + ": or config.redis.port, of the Redis itself"})
		return
	}
	if got.Refused != "" {
		v.fail(Finding{Message: "Redis lets kora not in", Object: object, Found: got.Refused,
			Fix: v.welcome(got.Refused)})
		return
	}
	v.writes(got, object)
	if !got.TLS {
		v.warn(Finding{Message: "the connection to Redis is not encrypted", Object: object, Field: "config.redis.tls.enabled", Found: "false", Expected: "true", Fix: setting(ofKora, "config.redis.tls.enabled", true)})
	}
}

// redisCLI is a session on Redis, trusting what the services trust.
func (v *verdict) redisCLI(words ...string) string { return v.redisBy("", words...) }

// redisBy is the same with options of its own, which are written as they are.
func (v *verdict) redisBy(options string, words ...string) string {
	all := []string{"redis-cli", "-h", v.Redis.Host, "-p", strconv.Itoa(v.Redis.Port)}
	if v.Redis.TLS != "disable" {
		all = append(all, "--tls")
	}
	if v.RedisCA != "" {
		before := `dir="$(mktemp -d)" && ` + v.kubectl("get", "secret", v.RedisCA, "-o", `jsonpath={.data.ca\.crt}`) + ` | base64 -d > "$dir/ca.crt" && `
		return v.aboutSecret(v.RedisCA, before+command(all...)+` --cacert "$dir/ca.crt"`+options+" "+command(words...))
	}
	return command(all...) + options + " " + command(words...)
}
