package preflight

import (
	"regexp"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

// codeOf is PostgreSQL's code, or Redis' word, at the end of what is told of a refusal.
var codeOf = regexp.MustCompile(`\(([A-Z0-9]+)\)`)

// codeIn is that code, empty where none is told.
func codeIn(text string) string {
	if m := codeOf.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// welcome is the way out of each refusal of Redis.
func (v *verdict) welcome(refused string) string {
	const password = "REDIS_PASSWORD in Secret "
	secret := password + v.Namespace + "/" + v.PlatformSecret
	switch codeIn(refused) {
	case "NOPERM":
		rule := v.redisCLI("--askpass", "acl", "setuser", "default", "~*", "&*", "+@all")
		return v.redisCLI("--askpass", "acl", "getuser", "default") + replaces(rule+untilRestart+"; as a user who may change the rules (--user)")
	case "DENIED":
		return v.redisCLI("config", "get", "protected-mode") + remark("on the machine of Redis itself: with a password set, that of "+secret+", it lets others in")
	case "ERR":
		if strings.Contains(refused, "no password set") {
			return v.redisCLI("config", "get", "requirepass") + remark("it is empty: whoever runs Redis sets there what stands in "+secret)
		}
	}
	if fix := v.secured(refused); fix != "" {
		return fix
	}
	return v.redisCLI("--askpass", "ping") + remark("it has to take "+secret+", and TLS as config.redis.tls.enabled says")
}

// usable judges whether the role may use what it makes in schema public, and finds it
// there, by names without a schema.
func (v *verdict) usable(got facts.Database, object string) {
	user, database := identifier(v.Database.User), identifier(v.Database.Database)
	path := v.psql(v.Database.User, "-c", "SHOW search_path;") + replaces(v.psql("postgres", "-c", "ALTER ROLE "+user+" IN DATABASE "+database+" SET search_path = public;"))
	before := Finding{Object: object, Field: "search_path", Found: "another schema stands before public", Expected: "a path with public before every other schema that is there", Fix: path}
	switch {
	case got.NoUsage: // without it no search_path leads there
		v.fail(Finding{Message: "the role may not use schema public: it reads and writes no table of its own there", Object: object, Field: "config.db.user", Found: v.Database.User,
			Expected: "USAGE on schema public", Fix: v.psql("postgres", "-c", "GRANT USAGE ON SCHEMA public TO "+user+";") + " # as the owner of the schema"})
	case got.NoSchema:
	case got.NoPath:
		v.fail(Finding{Message: "the role's search_path does not lead to schema public", Object: object, Field: "search_path", Found: "schema public is not in it",
			Expected: "a path with public in it", Fix: path})
	case got.Elsewhere && got.Barred:
		before.Message = "the role's search_path makes tables in another schema than public, in which the role may not create"
		v.fail(before)
	case got.Elsewhere:
		before.Message = "the role's search_path makes tables in another schema than public: a path that changes later loses them"
		v.warn(before)
	}
}
