package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster"
)

// childVariable makes this test binary be the command itself: up starts it
// anew. Its value is the number of the process that runs the tests.
const childVariable = "KORA_CLUSTER_CHILD"

func TestMain(m *testing.M) {
	if tests, err := strconv.Atoi(os.Getenv(childVariable)); err == nil {
		go endWith(tests)
		main()
	}
	os.Exit(m.Run())
}

// endWith stops this process when the tests do not run any more: what up starts
// is meant to stay, but a killed test is to leave nothing.
func endWith(tests int) {
	for syscall.Kill(tests, 0) == nil {
		time.Sleep(100 * time.Millisecond)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
}

// place is a state folder and a folder for temporary files, both empty.
func place(t *testing.T) (folder state, temp string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a control plane (etcd, kube-apiserver): left out by -short")
	}
	folder, temp = state(t.TempDir()), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv(childVariable, strconv.Itoa(os.Getpid()))
	t.Cleanup(func() { call(t, "down", folder) }) // also when the test has failed
	return folder, temp
}

// call runs the command as a person does.
func call(t *testing.T, command string, folder state, args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute) // with a build
	defer cancel()
	cmd := called(ctx, t, command, folder, args...)
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

func called(ctx context.Context, t *testing.T, command string, folder state, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(ctx, self, append([]string{command, "-state", string(folder), "-helm=false"}, args...)...)
}

func TestUpGivesAClusterThatDownTakesAway(t *testing.T) {
	folder, temp := place(t)
	code, exports, errs := call(t, "up", folder)
	if code != exitDone || exports != folder.exports() {
		t.Fatalf("up: exit %d, out %q, words %q", code, exports, errs)
	}
	shell := exec.Command("/bin/sh", "-c", exports+"kubectl get nodes -o name")
	if got, err := shell.CombinedOutput(); err != nil || !strings.Contains(string(got), "node/general-a\n") {
		t.Errorf("kubectl: %v\n%s", err, got)
	}
	if code, again, _ := call(t, "up", folder); code != exitDone || again != exports {
		t.Errorf("up again: exit %d, out %q", code, again)
	}
	otherClustersAreRefused(t, folder)
	pid, err := folder.holder()
	if err != nil || pid == 0 {
		t.Fatalf("held by %d: %v", pid, err)
	}
	if code, _, errs := call(t, "down", folder); code != exitDone {
		t.Errorf("down: exit %d, words %q", code, errs)
	}
	if pid, _ := folder.holder(); pid != 0 || len(names(t, temp)) > 0 {
		t.Errorf("after down: held by %d, temporary files %v", pid, names(t, temp))
	}
	if left := names(t, string(folder)); !slices.Equal(left, []string{marker}) {
		t.Errorf("after down the folder holds %v", left)
	}
}

// names are what a folder holds.
func names(t *testing.T, folder string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	return found
}

// otherClustersAreRefused asks for another version and port than runs.
func otherClustersAreRefused(t *testing.T, folder state) {
	t.Helper()
	was := os.Getenv("K8S")
	other := "1.34"
	if was == other {
		other = "1.35"
	}
	t.Setenv("K8S", other)
	code, out, errs := call(t, "up", folder)
	if code != exitUnmet || out != "" || !strings.Contains(errs, "runs already, not K8S="+other) || strings.Count(errs, "\n") != 1 {
		t.Errorf("K8S=%s: exit %d, out %q, words %q", other, code, out, errs)
	}
	t.Setenv("K8S", was)
	code, out, errs = call(t, "up", folder, "-port", "1")
	if code != exitUnmet || out != "" || !strings.Contains(errs, "a cluster runs already on port ") {
		t.Errorf("-port 1: exit %d, out %q, words %q", code, out, errs)
	}
}

func TestUpOnAPortInUseIsOneLine(t *testing.T) {
	folder, temp := place(t)
	if _, err := testcluster.Binaries(t.Context()); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	code, out, errs := call(t, "up", folder, "-port", port)
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	if code != exitUnmet || out != "" || len(lines) != 2 || !strings.Contains(lines[1], "port "+port+" on 127.0.0.1: the port is in use") {
		t.Errorf("exit %d, out %q, words %q", code, out, errs)
	}
	if left := names(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if left := names(t, string(folder)); !slices.Contains(left, "log") || slices.Contains(left, "bin") {
		t.Errorf("a failed start leaves %v, want its log", left)
	}
}

func TestDownWithoutAClusterIsFine(t *testing.T) {
	folder, _ := place(t)
	if code, _, errs := call(t, "down", folder); code != exitDone || errs != "cluster: none runs\n" {
		t.Errorf("exit %d, words %q", code, errs)
	}
}

func TestProcessThatOnlyBearsTheNumberIsLeftAlone(t *testing.T) {
	folder := state(t.TempDir())
	if err := os.WriteFile(folder.file("pid"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if pid, err := folder.holder(); pid != 0 || err != nil {
		t.Errorf("held by %d: %v", pid, err)
	}
}

func TestUnknownCommandIsUsage(t *testing.T) {
	var errs strings.Builder
	if code := run(t.Context(), []string{"sideways"}, nil, &errs); code != exitUsage || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("exit %d, words %q", code, errs.String())
	}
}

func TestPathsAreQuotedForTheShell(t *testing.T) {
	want := `'/a b/it'\''s'`
	if got := quote("/a b/it's"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
