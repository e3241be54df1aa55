package preflight

import (
	"net"
	"strconv"
	"strings"
)

// What is told of a role besides PostgreSQL's code, which is one for all of it.
const (
	NoLogin = ": the role may not log in"
	NoRole  = ": the role is not there"
)

// What is told of a service that answers and lets nobody in, where no code of its
// own says as much.
const (
	NoTLS            = "the server does not speak TLS"
	ClosesTLS        = "the server closed the connection, as one does that speaks no TLS"
	ClosesPlain      = "the server closed the connection, as one does that speaks TLS alone"
	Untrusted        = "its certificate is not trusted"
	WantsCertificate = "it asks for a certificate of the client, and kora has none"
	OtherMethod      = "it asks for a way of login that kora does not have: "
	RoleFull         = "the role has as many connections as its CONNECTION LIMIT lets it"
	DatabaseFull     = "the database has as many connections as its CONNECTION LIMIT lets it"
	Closed           = "the database has ALLOW_CONNECTIONS false"
	Invalid          = "the database is invalid, since a DROP DATABASE was cut off"
	Standby          = "it is a standby that lets nobody in, since hot_standby is off"
)

// psqlIn is a session on another database of the server.
func (v *verdict) psqlIn(database, user string, sql ...string) string {
	other := *v
	other.Database.Database = database
	var words []string
	for _, s := range sql {
		words = append(words, "-c", s)
	}
	return other.psql(user, words...)
}

// admit is the way out of each refusal of PostgreSQL: a password mends one of them alone.
func (v *verdict) admit(refused string) string {
	user, database := identifier(v.Database.User), identifier(v.Database.Database)
	switch code := codeIn(refused); {
	case code == "3D000":
		return v.psqlIn("postgres", "postgres", "CREATE DATABASE "+database+" OWNER "+user+";") + " # or config.db.name has to name the one that is there"
	case code == "42501":
		return v.psql("postgres", "-c", "GRANT CONNECT ON DATABASE "+database+" TO "+user+";") + " # as the owner of the database"
	case strings.HasSuffix(refused, NoLogin):
		return v.psql("postgres", "-c", "ALTER ROLE "+user+" LOGIN;") + " # as one who may alter roles"
	case strings.HasSuffix(refused, NoRole):
		return v.psql("postgres", "-c", "CREATE ROLE "+user+" LOGIN;") + remark("then its password, by \\password in psql: that of DB_PASSWORD in Secret "+v.Namespace+"/"+v.PlatformSecret)
	}
	if fix := v.reopen(refused); fix != "" {
		return fix
	}
	return v.entry(refused)
}

// reopen is the way out where a setting keeps everybody, or the role, outside.
func (v *verdict) reopen(refused string) string {
	user, database := identifier(v.Database.User), identifier(v.Database.Database)
	shown := func(from, set string) string {
		return v.psqlIn("postgres", "postgres", from) + replaces(v.psqlIn("postgres", "postgres", set))
	}
	switch {
	case strings.HasPrefix(refused, RoleFull):
		return shown("SELECT rolname, rolconnlimit FROM pg_roles WHERE rolname = "+text(v.Database.User)+";", "ALTER ROLE "+user+" CONNECTION LIMIT -1;")
	case strings.HasPrefix(refused, DatabaseFull):
		return shown("SELECT datname, datconnlimit FROM pg_database WHERE datname = "+text(v.Database.Database)+";", "ALTER DATABASE "+database+" CONNECTION LIMIT -1;")
	case strings.HasPrefix(refused, Closed):
		return shown("SELECT datname, datallowconn FROM pg_database WHERE datname = "+text(v.Database.Database)+";", "ALTER DATABASE "+database+" ALLOW_CONNECTIONS true;")
	case strings.HasPrefix(refused, Invalid):
		return v.psqlIn("postgres", "postgres", "SELECT datname, datconnlimit FROM pg_database WHERE datconnlimit = -2;") + remark("nothing in it can be read any more: whoever dropped it ends that by DROP DATABASE, and makes it anew")
	case strings.HasPrefix(refused, Standby):
		return setting(ofKora, "config.db.host", v.Database.Host) + ": of the primary of this standby"
	}
	return ""
}

// text is a text in SQL.
func text(of string) string { return "'" + strings.ReplaceAll(of, "'", "''") + "'" }

// entry is the way out where pg_hba.conf, TLS or the password is in the way.
func (v *verdict) entry(refused string) string {
	const lines = "SELECT line_number, type, database, user_name, address, auth_method, options, error FROM pg_hba_file_rules;"
	code, d := codeIn(refused), v.Database
	shown := func(want string) string {
		return v.psql("postgres", "-c", lines) + remark(want+"; then SELECT pg_reload_conf();")
	}
	switch {
	case strings.HasPrefix(refused, WantsCertificate):
		return shown("of pg_hba.conf the line that takes the role has to be without clientcert=, and not by cert: scram-sha-256 takes its password")
	case strings.HasPrefix(refused, OtherMethod):
		return shown("of pg_hba.conf the line that takes the role has to be by scram-sha-256")
	case strings.HasPrefix(refused, NoTLS):
		return v.psql("postgres", "-c", "SELECT name, setting FROM pg_settings WHERE name LIKE 'ssl%file';") +
			replaces(v.psql("postgres", "-c", "ALTER SYSTEM SET ssl = on;", "-c", "SELECT pg_reload_conf();")) + " # with a certificate and its key in these files"
	case strings.HasPrefix(refused, Untrusted):
		return command("openssl", "s_client", "-connect", net.JoinHostPort(d.Host, strconv.Itoa(d.Port)), "-starttls", "postgres", "-showcerts") + " </dev/null" +
			remark("verify-ca needs one that is valid and of an authority which this machine and kora's images trust, verify-full one for "+d.Host+" besides; global.postgresSSLMode: require asks for neither")
	case strings.HasPrefix(code, "F0"):
		return shown("the server's log says what it lacks, such as ssl_ca_file for a line of pg_hba.conf with clientcert=: that line has to be without it")
	case strings.HasPrefix(code, "28") && code != "28P01":
		return shown("one of these lines of pg_hba.conf has to let the role in, from where kora runs and by " + orNothing(d.TLS))
	case code != "28P01":
		return "PGSSLMODE=" + quoted(d.TLS) + " " + v.psql(d.User) + remark("says in PostgreSQL's own words why it refuses")
	}
	return "PGSSLMODE=" + quoted(d.TLS) + " " + v.psql(d.User) + remark("asks for the password: it has to take DB_PASSWORD in Secret "+v.Namespace+"/"+v.PlatformSecret)
}
