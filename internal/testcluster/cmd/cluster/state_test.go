package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestTwoUpsAtOnceGiveOneClusterThatIsReady(t *testing.T) {
	folder, _ := place(t)
	var both sync.WaitGroup
	var said [2]string
	for n := range said {
		both.Go(func() {
			code, out, errs := call(t, "up", folder)
			if _, err := os.Stat(folder.kubeconfig()); code != exitDone || out != folder.exports() || err != nil {
				t.Errorf("exit %d, out %q, words %q: %v", code, out, errs, err)
			}
			said[n] = errs
		})
	}
	both.Wait()
	if all := strings.Join(said[:], ""); strings.Count(all, "runs already") != 1 {
		t.Errorf("they said %q", all)
	}
	downFindsTheHolderWithoutItsFile(t, folder)
}

func downFindsTheHolderWithoutItsFile(t *testing.T, folder state) {
	t.Helper()
	pid, err := folder.holder()
	if err != nil || pid == 0 {
		t.Fatalf("held by %d: %v", pid, err)
	}
	if err := os.Remove(folder.file("pid")); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t, "down", folder); code != exitDone || !strings.Contains(errs, "the file pid is gone") {
		t.Errorf("down: exit %d, words %q", code, errs)
	}
	// Nobody may have waited for it yet: then its number is left, but no command line.
	if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && len(line) > 0 {
		t.Errorf("process %d still runs", pid)
	}
}

func TestHoldThatIsKilledWhileItStartsIsTold(t *testing.T) {
	folder, _ := place(t)
	done := make(chan string)
	go func() {
		code, out, errs := call(t, "up", folder)
		if code != exitUnmet || out != "" {
			t.Errorf("exit %d, out %q", code, out)
		}
		done <- errs
	}()
	for pid := 0; pid == 0; time.Sleep(10 * time.Millisecond) {
		if pid, _ = folder.holder(); pid != 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if errs := <-done; !strings.Contains(errs, "not started: its process ended: signal: killed (see "+folder.file("log")) {
		t.Errorf("words %q", errs)
	}
}

// As when the terminal is closed.
func TestUpThatHangsUpTakesItsClusterAlong(t *testing.T) {
	folder, temp := place(t)
	cmd := called(t.Context(), t, "up", folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for pid := 0; pid == 0; time.Sleep(10 * time.Millisecond) {
		pid, _ = folder.holder()
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	pid, _ := folder.holder()
	if left := names(t, temp); cmd.ProcessState.ExitCode() != exitUnmet || pid != 0 || len(left) > 0 {
		t.Errorf("%s, held by %d, left %v", cmd.ProcessState, pid, left)
	}
}

func TestFolderOfSomebodyIsRefusedAndLeftAsItWas(t *testing.T) {
	folder, _ := place(t)
	want := []string{"bin", "kubeconfig", "notes"}
	for _, name := range want {
		if err := os.WriteFile(folder.file(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := call(t, "up", folder); code != exitUnmet || out != "" || !strings.Contains(errs, "is not a cluster's folder: it holds bin") {
		t.Errorf("up: exit %d, out %q, words %q", code, out, errs)
	}
	if code, _, errs := call(t, "down", folder); code != exitDone {
		t.Errorf("down: exit %d, words %q", code, errs)
	}
	if left := names(t, string(folder)); !slices.Equal(left, want) {
		t.Errorf("left are %v", left)
	}
}

func TestDownWhileAnUpBuildsSaysSo(t *testing.T) {
	folder, _ := place(t)
	if err := folder.own(); err != nil {
		t.Fatal(err)
	}
	turn, err := folder.turn(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	if code, _, errs := call(t, "down", folder); code != exitUnmet || !strings.Contains(errs, errUpAtWork.Error()) {
		t.Errorf("exit %d, words %q", code, errs)
	}
}

func TestStatusesOfAWrongCall(t *testing.T) {
	for _, c := range []struct {
		name, value string
		args        []string
		want        int
		word        string
	}{
		{"K8S", "9.99", []string{"up"}, exitUsage, "K8S=9.99: there is 1.34, 1.35 and 1.36"},
		{"K8S", "", []string{"up", "-port", "70000"}, exitUsage, "-port 70000: a port is at most 65535"},
		{"K8S", "", []string{"up", "now"}, exitUsage, `not "now"`},
		{"KORA_CACHE", "cache", []string{"up"}, exitUnmet, "KORA_CACHE=cache: the path has to be absolute"},
		{"HOME", "", []string{"down"}, exitUnmet, "no cache folder"},
	} {
		t.Run(c.word, func(t *testing.T) {
			t.Setenv("XDG_CACHE_HOME", "")
			t.Setenv("KORA_CACHE", "")
			t.Setenv(c.name, c.value)
			var errs strings.Builder
			code := run(t.Context(), c.args, nil, &errs)
			if code != c.want || !strings.Contains(errs.String(), c.word) || strings.Count(errs.String(), "\n") != 1 {
				t.Errorf("exit %d, words %q", code, errs.String())
			}
		})
	}
}
