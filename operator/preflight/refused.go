package preflight

import (
	"regexp"
	"strings"
)

// What is told of a role besides PostgreSQL's code, which is one for all of it.
const (
	NoLogin = ": the role may not log in"
	NoRole  = ": the role is not there"
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

// psqlIn is a session on another database of the server.
func (v *verdict) psqlIn(database, user, sql string) string {
	other := *v
	other.Database.Database = database
	return other.psql(user, "-c", sql)
}

// admit is the way out of each refusal of PostgreSQL: a password mends one of them alone.
func (v *verdict) admit(refused string) string {
	d := v.Database
	user, database := identifier(d.User), identifier(d.Database)
	switch code := codeIn(refused); {
	case code == "3D000":
		return v.psqlIn("postgres", "postgres", "CREATE DATABASE "+database+" OWNER "+user+";") + " # or config.db.name has to name the one that is there"
	case code == "42501":
		return v.psql("postgres", "-c", "GRANT CONNECT ON DATABASE "+database+" TO "+user+";") + " # as the owner of the database"
	case strings.HasSuffix(refused, NoLogin):
		return v.psql("postgres", "-c", "ALTER ROLE "+user+" LOGIN;") + " # as one who may alter roles"
	case strings.HasSuffix(refused, NoRole):
		return v.psql("postgres", "-c", "CREATE ROLE "+user+" LOGIN;") + remark("then its password, by \\password in psql: that of DB_PASSWORD in Secret "+v.Namespace+"/"+v.PlatformSecret)
	case strings.HasPrefix(code, "28") && code != "28P01":
		return v.psql("postgres", "-c", "SELECT line_number, type, database, user_name, address, auth_method, error FROM pg_hba_file_rules;") + remark("one of these lines of pg_hba.conf has to let the role in, from where kora runs and by "+orNothing(d.TLS)+"; then SELECT pg_reload_conf();")
	}
	return "PGSSLMODE=" + quoted(d.TLS) + " " + v.psql(d.User) + remark("asks for the password: it has to take DB_PASSWORD in Secret "+v.Namespace+"/"+v.PlatformSecret)
}

// welcome is the way out of each refusal of Redis.
func (v *verdict) welcome(refused string) string {
	const password = "REDIS_PASSWORD in Secret "
	secret := password + v.Namespace + "/" + v.PlatformSecret
	switch codeIn(refused) {
	case "NOPERM":
		rule := v.redisCLI("--askpass", "acl", "setuser", "default", "~*", "&*", "+@all")
		return v.redisCLI("--askpass", "acl", "getuser", "default") + replaces(rule+" # as a user who may change the rules (--user)")
	case "DENIED":
		return v.redisCLI("config", "get", "protected-mode") + remark("on the machine of Redis itself: with a password set, that of "+secret+", it lets others in")
	case "ERR":
		if strings.Contains(refused, "no password set") {
			return v.redisCLI("config", "get", "requirepass") + remark("it is empty: whoever runs Redis sets there what stands in "+secret)
		}
	}
	return v.redisCLI("--askpass", "ping") + remark("it has to take "+secret+", and TLS as config.redis.tls.enabled says")
}

// usable judges whether the role may use what it makes in schema public, and finds it.
func (v *verdict) usable(noUsage, noPath bool, object string) {
	user, database := identifier(v.Database.User), identifier(v.Database.Database)
	if noUsage {
		v.fail(Finding{Message: "the role may not use schema public: it reads and writes no table of its own there", Object: object, Field: "config.db.user", Found: v.Database.User,
			Expected: "USAGE on schema public", Fix: v.psql("postgres", "-c", "GRANT USAGE ON SCHEMA public TO "+user+";") + " # as the owner of the schema"})
		return // without it no search_path leads there
	}
	if noPath {
		path := v.psql("postgres", "-c", "ALTER ROLE "+user+" IN DATABASE "+database+` SET search_path = "$user", public;`)
		v.fail(Finding{Message: "the role's search_path does not lead to schema public", Object: object, Field: "search_path", Found: "schema public is not in it",
			Expected: "a path with public in it", Fix: v.psql(v.Database.User, "-c", "SHOW search_path;") + replaces(path)})
	}
}
