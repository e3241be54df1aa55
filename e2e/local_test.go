//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// local is a server of this machine: a folder, a port on the loopback, and the
// process while it runs.
type local struct {
	dir        string
	port       int
	credential *syscall.Credential // nil: as who runs the test
	ending     syscall.Signal      // what it ends at, whoever is connected
	process    *exec.Cmd
}

// needed says what Debian's packages bring: the programs, and their users.
const needed = "make e2e starts a PostgreSQL and a Redis: apt-get install postgresql redis-server"

// newLocal makes the folder of a user of Debian's package: PostgreSQL does not run
// as root, and nobody else enters t.TempDir.
func newLocal(w *world, name string, ending syscall.Signal) *local {
	w.Helper()
	dir, err := os.MkdirTemp("", "kora-e2e-")
	if err != nil {
		w.Fatal(err)
	}
	s := &local{dir: dir, port: freePort(w), ending: ending}
	w.Cleanup(func() { s.stop(); os.RemoveAll(dir) })
	if os.Getuid() != 0 {
		return s
	}
	u, err := user.Lookup(name)
	if err != nil {
		w.Fatalf("%v: %s", err, needed)
	}
	uid, errUser := strconv.ParseUint(u.Uid, 10, 32)
	gid, errGroup := strconv.ParseUint(u.Gid, 10, 32)
	s.credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := errors.Join(errUser, errGroup, s.own(dir)); err != nil {
		w.Fatal(err)
	}
	return s
}

func (s *local) own(path string) error {
	if s.credential == nil {
		return nil
	}
	return os.Chown(path, int(s.credential.Uid), int(s.credential.Gid))
}

// write makes a file that the server's user alone may read.
func (s *local) write(w *world, name, text string) string {
	w.Helper()
	at := filepath.Join(s.dir, name)
	if err := errors.Join(os.WriteFile(at, []byte(text), 0o600), s.own(at)); err != nil {
		w.Fatal(err)
	}
	return at
}

// command is a program as the server's user; it ends with the test, however that ends.
func (s *local) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "HOME="+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Credential: s.credential}
	return cmd
}

// start runs the server, and waits until it listens.
func (s *local) start(w *world, program string, args ...string) {
	w.Helper()
	log, err := os.OpenFile(s.write(w, "log", ""), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		w.Fatal(err)
	}
	defer log.Close()
	cmd := s.command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	s.process = cmd
	w.eventually(func() error {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
		if err != nil {
			said, _ := os.ReadFile(log.Name())
			return fmt.Errorf("%w: %s", err, said)
		}
		return conn.Close()
	})
}

func (s *local) stop() {
	if s.process != nil {
		_ = s.process.Process.Signal(s.ending)
		_ = s.process.Wait()
		s.process = nil
	}
}

func freePort(w *world) int {
	w.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
