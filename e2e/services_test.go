//go:build e2e

package e2e

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// services are a real PostgreSQL and a real Redis, over TLS of a private authority.
type services struct {
	database, cache *local
	owner           string // the password of PostgreSQL's owner
	password        map[string]string
	authority       string // PEM
}

// startServices starts both, with kora's role and database as an administrator makes
// them who has forgotten one grant.
func startServices(w *world) *services {
	ca := newAuthority(w)
	s := &services{
		database: newLocal(w, "postgres", syscall.SIGINT), cache: newLocal(w, "redis", syscall.SIGTERM), authority: ca.pem, owner: rand.Text(),
		password: map[string]string{"DB_PASSWORD": rand.Text(), "REDIS_PASSWORD": rand.Text()},
	}
	certificate, private := ca.pair(w, "127.0.0.1")
	for _, server := range []*local{s.database, s.cache} {
		server.write(w, "server.crt", certificate)
		server.write(w, "server.key", private)
	}
	s.startPostgres(w)
	s.startRedis(w)
	w.say("PostgreSQL listens on port %d, Redis on port %d", s.database.port, s.cache.port)
	return s
}

// startPostgres lets nobody in without TLS and a password.
func (s *services) startPostgres(w *world) {
	d := s.database
	initdb := d.command(postgres(w, "initdb"), "-D", "data", "-A", "scram-sha-256", "--pwfile="+d.write(w, "owner", s.owner+"\n"), "-U", "postgres")
	if out, err := initdb.CombinedOutput(); err != nil {
		w.Fatalf("initdb: %v: %s", err, out)
	}
	entry := d.write(w, "pg_hba.conf", "hostssl all all 127.0.0.1/32 scram-sha-256\n")
	d.start(w, postgres(w, "postgres"), "-D", "data", "-p", strconv.Itoa(d.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "hba_file="+entry,
		"-c", "ssl=on", "-c", "ssl_cert_file="+filepath.Join(d.dir, "server.crt"), "-c", "ssl_key_file="+filepath.Join(d.dir, "server.key"))
	w.eventually(func() error { return s.sql(w, "postgres", "SELECT 1") })
	for _, statement := range []string{"CREATE ROLE kora LOGIN PASSWORD '" + s.password["DB_PASSWORD"] + "'", "CREATE DATABASE kora"} {
		if err := s.sql(w, "postgres", statement); err != nil {
			w.Fatal(err)
		}
	}
}

// startRedis is for a second start as well. It has no port without TLS.
func (s *services) startRedis(w *world) {
	w.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		w.Fatalf("%v: %s", err, needed)
	}
	s.cache.start(w, program, s.cache.write(w, "redis.conf", fmt.Sprintf(`bind 127.0.0.1
port 0
tls-port %d
tls-cert-file server.crt
tls-key-file server.key
tls-auth-clients no
requirepass %s
save ""
`, s.cache.port, s.password["REDIS_PASSWORD"])))
}

// sql runs a statement as the owner.
func (s *services) sql(w *world, database, statement string) error {
	w.Helper()
	cmd := s.database.command(postgres(w, "psql"), "-X", "-v", "ON_ERROR_STOP=1", "-c", statement,
		fmt.Sprintf("host=127.0.0.1 port=%d user=postgres dbname=%s sslmode=require password=%s", s.database.port, database, s.owner))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// postgres finds one of PostgreSQL's programs, which Debian keeps off PATH.
func postgres(w *world, name string) string {
	w.Helper()
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		w.Fatalf("%v: %s", err, needed)
	}
	return path
}

// serviceErrors are a wrong password and a grant that is missing: each is told, and
// gone once what it says is done (R24, R55).
func serviceErrors(w *world) {
	w.red("postgres", "28P01", "DB_PASSWORD in Secret "+system+"/kora-secrets")
	w.red("redis", "WRONGPASS", "REDIS_PASSWORD in Secret "+system+"/kora-secrets")
	patch, err := json.Marshal(map[string]any{"stringData": w.services.password})
	if err != nil {
		w.Fatal(err)
	}
	w.do("kubectl", "patch", "secret", "kora-secrets", "-n", system, "--type=merge", "-p", string(patch))
	out := w.red("postgres", "may not create in schema public", "GRANT CREATE ON SCHEMA public")
	fix := regexp.MustCompile(`fix: +(psql .*)`).FindStringSubmatch(out)
	if fix == nil {
		w.Fatalf("the fix is no command:\n%s", out)
	}
	if out, err := w.command([]string{"PGPASSWORD=" + w.services.owner}, "", "/bin/sh", "-c", fix[1]); err != nil {
		w.Fatalf("%s: %v: %s", fix[1], err, out)
	}
	w.say("done: %s", fix[1])
	w.preflight()
}

// red holds one check to failing, with words of what was found and how it is mended.
func (w *world) red(check string, words ...string) string {
	w.Helper()
	out, err := w.command(nil, "", "kora", append([]string{"preflight", "--only", check}, w.given()...)...)
	ended, _ := err.(*exec.ExitError)
	if ended == nil || ended.ExitCode() != 1 || !strings.Contains(out, "FAIL  "+check+"\n") {
		w.Fatalf("%s does not fail: %v\n%s", check, err, out)
	}
	for _, word := range words {
		if !strings.Contains(out, word) {
			w.Fatalf("%s does not say %q:\n%s", check, word, out)
		}
	}
	for key, password := range w.services.password {
		if strings.Contains(out, password) {
			w.Fatalf("%s tells the value of %s:\n%s", check, key, out)
		}
	}
	w.say("%s fails: %s", check, words[0])
	return out
}
