//go:build services

package services

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// guarded is a real PostgreSQL whose superuser is postgres, with a role and a database
// of kora's, and what is in the way of a login.
type guarded struct {
	dir, data string
	port      int
}

// realGuarded runs one.
func realGuarded(t *testing.T) guarded {
	t.Helper()
	_, pair := authority(t)
	g := guarded{dir: folder(t), port: freePort(t)}
	g.data = filepath.Join(g.dir, "data")
	write(t, g.dir, "password", planted+"\n")
	if out, err := as(t, "postgres", g.dir, program(t, "initdb"), "-D", g.data, "-A", "scram-sha-256", "--pwfile="+filepath.Join(g.dir, "password"), "-U", "postgres").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pairFiles(t, g.data, pair)
	started(t, as(t, "postgres", g.dir, program(t, "postgres"), "-D", g.data, "-p", strconv.Itoa(g.port), "-k", g.dir, "-c", "listen_addresses=127.0.0.1"), g.port)
	wait(t, func() bool {
		return exec.Command(program(t, "pg_isready"), "-h", "127.0.0.1", "-p", strconv.Itoa(g.port)).Run() == nil
	})
	g.sql(t, "CREATE ROLE kora LOGIN PASSWORD '"+planted+"'", "CREATE DATABASE kora OWNER kora", "ALTER SYSTEM SET ssl = on")
	g.lines(t, "host all kora all scram-sha-256")
	return g
}

// sql runs statements as the superuser.
func (g guarded) sql(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range append(statements, "SELECT pg_reload_conf()") {
		cmd := exec.Command(program(t, "psql"), "-h", "127.0.0.1", "-p", strconv.Itoa(g.port), "-U", "postgres", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-c", s)
		cmd.Env = append(os.Environ(), "PGPASSWORD="+planted)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", s, err, out)
		}
	}
}

// lines are those of pg_hba.conf beside the superuser's.
func (g guarded) lines(t *testing.T, lines string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(g.data, "pg_hba.conf"), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("host all postgres all scram-sha-256\n" + lines + "\n"); err != nil {
		t.Fatal(err)
	}
	g.sql(t)
}

// look is the check postgres on it.
func (g guarded) look(t *testing.T, mode string) preflight.Outcome {
	t.Helper()
	s := preflight.Settings{Namespace: "kora-system", PlatformSecret: "kora-secrets", Database: preflight.Endpoint{Host: "127.0.0.1", Port: g.port, Database: "kora", User: "kora", TLS: mode}}
	return seen(t, "postgres", s, facts.Facts{Database: Postgres(t.Context(), s.Database, planted)})
}

// opens waits until kora is let in, since a server reads its files in its own time.
func (g guarded) opens(t *testing.T, mode string) {
	t.Helper()
	wait(t, func() bool { return g.look(t, mode).State == preflight.Passed })
}

// R24, R55: whatever keeps kora out of a real PostgreSQL until somebody changes it
// fails, by its own words, and the fix mends it.
func TestServicesRealPostgresKeepsKoraOut(t *testing.T) {
	g := realGuarded(t)
	g.opens(t, "require")
	const all = "host all kora all scram-sha-256"
	for _, c := range []struct {
		name, sql, lines, mode, want string
		mend                         func() // where the fix is words: what they ask for
	}{
		{"a limit of the role", "ALTER ROLE kora CONNECTION LIMIT 0", all, "require", preflight.RoleFull + " (53300)", nil},
		{"a limit of the database", "ALTER DATABASE kora CONNECTION LIMIT 0", all, "require", preflight.DatabaseFull + " (53300)", nil},
		{"a closed database", "ALTER DATABASE kora ALLOW_CONNECTIONS false", all, "require", preflight.Closed + " (55000)", nil},
		{"an invalid database", "UPDATE pg_database SET datconnlimit = -2 WHERE datname = 'kora'", all, "require", preflight.Invalid + " (55000)", func() { g.sql(t, "DROP DATABASE kora", "CREATE DATABASE kora OWNER kora") }},
		{"no TLS", "ALTER SYSTEM SET ssl = off", all, "require", preflight.NoTLS, nil},
		{"gss", "", "host all kora all gss", "require", preflight.OtherMethod + "gss", func() { g.lines(t, all) }},
		{"gss in plaintext", "", "host all kora all gss", "disable", preflight.OtherMethod + "gss", func() { g.lines(t, all) }},
		{"a client's certificate that nobody can judge", "", "hostssl all kora all scram-sha-256 clientcert=verify-ca", "require", "(F0000)", func() { g.lines(t, all) }},
		{"a client's certificate", "ALTER SYSTEM SET ssl_ca_file = 'server.crt'", "hostssl all kora all scram-sha-256 clientcert=verify-ca", "require", preflight.WantsCertificate + " (28000)", func() { g.lines(t, all) }},
		{"a client's certificate alone", "", "hostssl all kora all cert", "require", preflight.WantsCertificate + " (28000)", func() { g.lines(t, all) }},
	} {
		if c.sql != "" {
			g.sql(t, c.sql)
		}
		g.lines(t, c.lines)
		wait(t, func() bool { return g.look(t, c.mode).State != preflight.Passed })
		o := g.look(t, c.mode)
		if o.State != preflight.Failed || !strings.HasSuffix(o.Findings[0].Found, c.want) {
			t.Errorf("%s: %+v", c.name, o)
			continue
		}
		pasted(t, g.dir, o.Findings[0].Fix, "PGPASSWORD="+planted)
		if c.mend != nil {
			c.mend()
		}
		g.opens(t, "require")
	}
}

// R24, R55: a certificate that is not trusted is told as that by every mode that
// verifies it, and the fix shows it.
func TestServicesRealPostgresIsNotTrusted(t *testing.T) {
	g := realGuarded(t)
	g.opens(t, "require")
	for _, mode := range []string{"verify-ca", "verify-full"} {
		o := g.look(t, mode)
		if o.State != preflight.Failed || o.Findings[0].Message != "PostgreSQL lets kora not in" || !strings.Contains(o.Findings[0].Found, "nobody who is trusted here signed it") || !strings.HasPrefix(o.Findings[0].Fix, "openssl s_client ") {
			t.Errorf("%s: %+v", mode, o)
		}
		pasted(t, g.dir, o.Findings[0].Fix)
	}
}
