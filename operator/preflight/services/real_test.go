//go:build services

package services

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// These tests talk to a real PostgreSQL and a real Redis, as Debian packages
// them, which make test-services asks for.

// program finds one of PostgreSQL's, which Debian keeps off PATH.
func program(t *testing.T, name string) string {
	t.Helper()
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// as runs a program as a user who is not root, which PostgreSQL insists on.
func as(t *testing.T, name, dir string, command string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		return cmd
	}
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	err = filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error { return errors.Join(err, os.Chown(path, uid, gid)) })
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

// folder is one that another user may enter, which t.TempDir's is not.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kora-services-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func pairFiles(t *testing.T, dir string, pair tls.Certificate) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "server.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	write(t, dir, "server.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// started runs a server until the test ends, and waits until it listens.
func started(t *testing.T, cmd *exec.Cmd, port int) {
	t.Helper()
	var words strings.Builder
	cmd.Stdout, cmd.Stderr = &words, &words
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	for range 300 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("nothing listens: %s", words.String())
}

// realPostgres runs one with the roles kora, which may create, and guest.
func realPostgres(t *testing.T) int {
	t.Helper()
	_, pair := authority(t)
	dir, port := folder(t), freePort(t)
	data := filepath.Join(dir, "data")
	write(t, dir, "password", planted+"\n")
	if out, err := as(t, "postgres", dir, program(t, "initdb"), "-D", data, "-A", "scram-sha-256", "--pwfile="+filepath.Join(dir, "password"), "-U", "kora").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pairFiles(t, data, pair)
	started(t, as(t, "postgres", dir, program(t, "postgres"), "-D", data, "-p", strconv.Itoa(port), "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on"), port)
	wait(t, func() bool {
		return exec.Command(program(t, "pg_isready"), "-h", "127.0.0.1", "-p", strconv.Itoa(port)).Run() == nil
	})
	sql := as(t, "postgres", dir, program(t, "psql"), "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-U", "kora", "-d", "postgres", "-v", "ON_ERROR_STOP=1",
		"-c", "CREATE DATABASE kora", "-c", "CREATE ROLE guest LOGIN PASSWORD '"+planted+"'",
		"-c", "CREATE ROLE reader LOGIN PASSWORD '"+planted+"'", "-c", "ALTER ROLE reader SET default_transaction_read_only = on",
		"-c", "CREATE ROLE locked NOLOGIN PASSWORD '"+planted+"'", "-c", "CREATE DATABASE closed", "-c", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
		"-c", "CREATE ROLE elsewhere LOGIN PASSWORD '"+planted+"'", "-c", "ALTER ROLE elsewhere SET search_path = pg_catalog",
		"-c", "CREATE ROLE homely LOGIN PASSWORD '"+planted+"'", "-c", "CREATE ROLE lodger LOGIN PASSWORD '"+planted+"'", "-c", "ALTER ROLE lodger SET search_path = \"Some \"\"one's\", public",
		"-c", "CREATE ROLE wanderer LOGIN PASSWORD '"+planted+"'", "-c", "ALTER ROLE wanderer SET search_path = gone, hidden, public, \"Some \"\"one's\"",
		"-c", `\c kora`, "-c", "CREATE SCHEMA homely AUTHORIZATION homely", "-c", "CREATE SCHEMA \"Some \"\"one's\"", "-c", "GRANT USAGE ON SCHEMA \"Some \"\"one's\" TO PUBLIC", "-c", "CREATE SCHEMA hidden", "-c", `\c postgres`,
		"-c", "CREATE DATABASE hardened", "-c", `\c hardened`, "-c", "REVOKE ALL ON SCHEMA public FROM PUBLIC", "-c", "GRANT CREATE ON SCHEMA public TO guest", "-c", `\c postgres`,
		"-c", "DROP SCHEMA public")
	sql.Env = append(os.Environ(), "PGPASSWORD="+planted)
	if out, err := sql.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return port
}

// R24, R55: a real PostgreSQL.
func TestServicesRealPostgres(t *testing.T) {
	port := realPostgres(t)
	at := func(user, database, mode, password string) facts.Part[facts.Database] {
		return Postgres(t.Context(), preflight.Endpoint{Host: "127.0.0.1", Port: port, Database: database, User: user, TLS: mode}, password)
	}
	if got := at("kora", "kora", "require", planted); got.Missing != "" || got.Value.Version < 14 || !got.Value.Create || !got.Value.TLS {
		t.Errorf("%+v", got)
	}
	if got := at("guest", "kora", "require", planted); got.Missing != "" || got.Value.Create {
		t.Errorf("a guest may not create: %+v", got)
	}
	if got := at("kora", "kora", "require", planted); got.Value.ReadOnly || got.Value.Replica {
		t.Errorf("kora may write: %+v", got)
	}
	if got := at("reader", "kora", "require", planted); got.Missing != "" || !got.Value.ReadOnly || got.Value.Replica {
		t.Errorf("a reader may not write: %+v", got)
	}
	if got := at("guest", "hardened", "require", planted); got.Missing != "" || !got.Value.Create || !got.Value.NoUsage {
		t.Errorf("a guest may create and not use: %+v", got)
	}
	if got := at("elsewhere", "kora", "require", planted); got.Missing != "" || got.Value.NoUsage || !got.Value.NoPath {
		t.Errorf("the path leads elsewhere: %+v", got)
	}
	for user, want := range map[string][2]bool{"homely": {true, false}, "lodger": {true, true}, "wanderer": {}, "kora": {}} {
		if got := at(user, "kora", "require", planted); got.Missing != "" || got.Value.NoPath || got.Value.Elsewhere != want[0] || want[0] && got.Value.Barred != want[1] {
			t.Errorf("where %s makes tables: %+v", user, got)
		}
	}
	if got := at("kora", "kora", "require", planted); got.Value.NoUsage || got.Value.NoPath {
		t.Errorf("kora may use it: %+v", got)
	}
	if got := at("kora", "postgres", "require", planted); got.Missing != "" || !got.Value.NoSchema || got.Value.Create || got.Value.Version < 14 {
		t.Errorf("nobody creates in a schema that is not there: %+v", got)
	}
	for _, c := range []struct{ user, database, mode, password, want string }{
		{"kora", "kora", "require", "other", "28P01"},
		{"kora", "none", "require", planted, "3D000"},
		{"locked", "kora", "require", planted, preflight.NoLogin},
		{"guest", "closed", "require", planted, "42501"},
		{"kora", "kora", "verify-full", planted, "not trusted"},
	} {
		if got := at(c.user, c.database, c.mode, c.password); got.Missing != "" || !strings.Contains(got.Value.Refused, c.want) || strings.Contains(got.Value.Refused, planted) {
			t.Errorf("%+v, want %s", got, c.want)
		}
	}
}

// R24, R55: a real Redis, over TLS of a private authority and in plaintext.
func TestServicesRealRedis(t *testing.T) {
	ca, pair := authority(t)
	dir, plain, secure := folder(t), freePort(t), freePort(t)
	pairFiles(t, dir, pair)
	write(t, dir, "redis.conf", fmt.Sprintf("bind 127.0.0.1\nport %d\ntls-port %d\ntls-cert-file server.crt\ntls-key-file server.key\ntls-auth-clients no\ntls-ca-cert-file server.crt\nrequirepass %s\nsave \"\"\ndir %s\n", plain, secure, planted, dir))
	started(t, as(t, "redis", dir, program(t, "redis-server"), filepath.Join(dir, "redis.conf")), plain)
	if got := redisAt(t, secure, "require", planted, ca); got.Missing != "" || got.Value.Version == "" || !got.Value.TLS {
		t.Errorf("%+v", got)
	}
	if got := redisAt(t, plain, "disable", planted, ""); got.Missing != "" || got.Value.Version == "" {
		t.Errorf("%+v", got)
	}
	replica := freePort(t)
	started(t, as(t, "redis", dir, program(t, "redis-server"), "--bind", "127.0.0.1", "--port", strconv.Itoa(replica), "--requirepass", planted, "--masterauth", planted,
		"--replicaof", "127.0.0.1 "+strconv.Itoa(plain), "--save", "", "--dir", dir, "--dbfilename", "replica.rdb"), replica)
	if got := redisAt(t, replica, "disable", planted, ""); got.Missing != "" || !got.Value.ReadOnly {
		t.Errorf("a replica may not be written to: %+v", got)
	}
	for _, c := range []struct {
		port                     int
		mode, password, ca, want string
	}{
		{plain, "disable", "other", "", "WRONGPASS"},
		{plain, "disable", "", "", "NOAUTH"},
		{secure, "require", planted, "", "not trusted"},
	} {
		if got := redisAt(t, c.port, c.mode, c.password, c.ca); got.Missing != "" || !strings.Contains(got.Value.Refused, c.want) {
			t.Errorf("%+v, want %s", got, c.want)
		}
	}
	if got := redisAt(t, plain, "require", planted, ca); got.Missing == "" && got.Value.Refused == "" {
		t.Errorf("TLS to the plaintext port: %+v", got)
	}
}

// R55: the real Redis repeats what it was told where it does not know a command;
// nobody reads the password from that.
func TestServicesRealRedisRepeatsThePassword(t *testing.T) {
	dir, port := folder(t), freePort(t)
	write(t, dir, "redis.conf", fmt.Sprintf("bind 127.0.0.1\nport %d\nsave \"\"\ndir %s\nrename-command AUTH XAUTH\nrename-command HELLO \"\"\n", port, dir))
	started(t, as(t, "redis", dir, program(t, "redis-server"), filepath.Join(dir, "redis.conf")), port)
	if got := redisAt(t, port, "disable", planted, ""); !strings.HasPrefix(got.Value.Refused, "it does not know a command that kora gives") {
		t.Errorf("%+v", got)
	}
}
