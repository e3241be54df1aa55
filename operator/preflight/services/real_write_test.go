//go:build services

package services

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// seen is one check's outcome on what a real service answered, as preflight judges it.
func seen(t *testing.T, id string, s preflight.Settings, f facts.Facts) preflight.Outcome {
	t.Helper()
	f.Namespaces, f.Asked = facts.Unknown[map[string]facts.Namespace]("not looked at"), s.Asked()
	f.Secrets = map[string]facts.Part[*facts.Secret]{}
	all := preflight.Judge(preflight.Checks(), &f, s)
	return all[slices.IndexFunc(all, func(o preflight.Outcome) bool { return o.ID == id })]
}

// redisSeen is the check redis on a real server.
func redisSeen(t *testing.T, port int) preflight.Outcome {
	t.Helper()
	s := preflight.Settings{Namespace: "kora-system", PlatformSecret: "kora-secrets", Redis: preflight.Endpoint{Host: "127.0.0.1", Port: port, TLS: "disable"}}
	return seen(t, "redis", s, facts.Facts{Redis: Redis(t.Context(), s.Redis, planted, "")})
}

// pasted runs what a fix shows, and what it says behind that is to be run, as whoever
// knows the password would.
func pasted(t *testing.T, dir, fix string, environment ...string) {
	t.Helper()
	lines := []string{fix}
	for _, sign := range []string{"to replace it runs: ", "; then: "} {
		if _, line, there := strings.Cut(fix, sign); there {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		cmd := exec.Command("sh", "-c", line)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		said := &agrees{to: in}
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = dir, said, said, append(cmd.Environ(), environment...)
		_, _ = io.WriteString(in, planted+"\n")
		if err := cmd.Run(); err != nil || strings.Contains(said.String(), "(error)") {
			t.Errorf("%s: %v: %s", line, err, said)
		}
	}
}

// agrees keeps what a program says, and says yes where it asks for that.
type agrees struct {
	strings.Builder
	to io.Writer
}

// Write is of io.Writer.
func (a *agrees) Write(text []byte) (int, error) {
	if strings.Contains(string(text), "type 'yes'") {
		_, _ = io.WriteString(a.to, "yes\n")
	}
	return a.Builder.Write(text)
}

// wait gives a server time for what it does on its own.
func wait(t *testing.T, done func() bool) {
	t.Helper()
	for range 100 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("it does not happen")
}

// realRedis runs one in plaintext, with more settings.
func realRedis(t *testing.T, settings ...string) (dir string, port int) {
	t.Helper()
	dir, port = folder(t), freePort(t)
	words := append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--requirepass", planted, "--save", "", "--dir", dir}, settings...)
	started(t, as(t, "redis", dir, program(t, "redis-server"), words...), port)
	return dir, port
}

// redisCLI asks the real server for something.
func redisCLI(t *testing.T, port int, words ...string) string {
	t.Helper()
	out, err := exec.Command(program(t, "redis-cli"), append([]string{"-p", strconv.Itoa(port), "-a", planted, "--no-auth-warning"}, words...)...).CombinedOutput()
	if err != nil || strings.HasPrefix(string(out), "ERR") {
		t.Fatalf("%q: %v: %s", words, err, out)
	}
	return strings.TrimSpace(string(out))
}

// R24, R55: everything that keeps a real Redis from taking a write is told by its
// own words, the fix mends it, and the look leaves nothing behind.
func TestServicesRealRedisTakesNoWrites(t *testing.T) {
	dir, port := realRedis(t)
	for _, c := range []struct {
		spoil []string
		want  string
	}{
		{[]string{"config", "set", "maxmemory", "1"}, "(OOM)"},
		{[]string{"config", "set", "min-replicas-to-write", "1"}, "(NOREPLICAS)"},
		{[]string{"acl", "setuser", "default", "-@write"}, "lack the command (NOPERM)"},
		{[]string{"acl", "setuser", "default", "-del"}, "lack the command (NOPERM)"},
		{[]string{"acl", "setuser", "default", "resetkeys", "~x*"}, "lack the key (NOPERM)"},
		{[]string{"acl", "setuser", "default", "resetkeys", "%R~*"}, "lack the key (NOPERM)"},
		{[]string{"acl", "setuser", "default", "resetchannels"}, "lack the channel (NOPERM)"},
		{[]string{"acl", "setuser", "default", "resetchannels", "&x*"}, "lack the channel (NOPERM)"},
	} {
		redisCLI(t, port, c.spoil...)
		o := redisSeen(t, port)
		if len(o.Findings) == 0 || !strings.Contains(o.Findings[0].Found, c.want) {
			t.Errorf("%q: %+v", c.spoil, o)
			continue
		}
		pasted(t, dir, o.Findings[0].Fix, "MAXMEMORY=100mb")
		healthy(t, c.spoil, redisSeen(t, port))
	}
	redisCLI(t, port, "acl", "setuser", "default", "-info")
	healthy(t, []string{"-info: kora's services need none"}, redisSeen(t, port))
	if got := redisCLI(t, port, "--scan", "--pattern", own+"*"); got != "" && !strings.Contains(redisCLI(t, port, "ttl", got), "0") {
		t.Errorf("left behind: %s", got)
	}
}

// healthy wants an outcome without a finding but that of plaintext.
func healthy(t *testing.T, of []string, o preflight.Outcome) {
	t.Helper()
	if o.State != preflight.Warned || len(o.Findings) != 1 || o.Findings[0].Message != "the connection to Redis is not encrypted" {
		t.Errorf("%q: %+v", of, o)
	}
}

// R24, R55: the same of a Redis that cannot save its data.
func TestServicesRealRedisCannotSave(t *testing.T) {
	dir, port := realRedis(t, "--save", "3600 1", "--dbfilename", "dump.rdb")
	redisCLI(t, port, "set", "somebody", "else")
	if out, err := exec.Command("chmod", "0500", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	redisCLI(t, port, "bgsave")
	wait(t, func() bool {
		return strings.Contains(redisCLI(t, port, "info", "persistence"), "rdb_last_bgsave_status:err")
	})
	o := redisSeen(t, port)
	if o.State != preflight.Failed || !strings.Contains(o.Findings[0].Found, "(MISCONF)") || !strings.Contains(o.Findings[0].Fix, "get dir") {
		t.Errorf("%+v", o)
	}
	if out, err := exec.Command("chmod", "0700", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pasted(t, dir, o.Findings[0].Fix)
	wait(t, func() bool {
		return strings.Contains(redisCLI(t, port, "info", "persistence"), "rdb_last_bgsave_status:ok")
	})
	healthy(t, []string{"saved"}, redisSeen(t, port))
}

// R24, R55: the same of a cluster without its slots.
func TestServicesRealRedisClusterDown(t *testing.T) {
	dir, port := realRedis(t, "--cluster-enabled", "yes")
	o := redisSeen(t, port)
	if o.State != preflight.Failed || !strings.Contains(o.Findings[0].Found, "(CLUSTERDOWN)") {
		t.Fatalf("%+v", o)
	}
	pasted(t, dir, o.Findings[0].Fix)
	wait(t, func() bool { return strings.Contains(redisCLI(t, port, "cluster", "info"), "cluster_state:ok") })
	if o = redisSeen(t, port); o.State != preflight.Warned || len(o.Findings) != 2 || !strings.Contains(o.Findings[0].Message, "a cluster") {
		t.Errorf("%+v", o)
	}
}

// R24, R55: a write that its configuration takes away is told as that.
func TestServicesRealRedisWithoutACommand(t *testing.T) {
	dir, port := folder(t), freePort(t)
	write(t, dir, "redis.conf", fmt.Sprintf("bind 127.0.0.1\nport %d\nsave \"\"\ndir %s\nrequirepass %s\nrename-command SET \"\"\n", port, dir, planted))
	started(t, as(t, "redis", dir, program(t, "redis-server"), filepath.Join(dir, "redis.conf")), port)
	o := redisSeen(t, port)
	if o.State != preflight.Failed || !strings.Contains(o.Findings[0].Found, "does not know a command") || strings.Contains(o.Findings[0].Found, "login") {
		t.Errorf("%+v", o)
	}
	pasted(t, dir, o.Findings[0].Fix)
}
