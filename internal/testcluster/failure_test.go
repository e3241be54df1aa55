package testcluster

import (
	"context"
	"crypto/tls"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A program that is killed while tests run ends every wait at
// once, and each of them names it.
func TestKilledEtcdFailsEveryWaitAtOnceAndIsNamed(t *testing.T) {
	binaries := Shared(t).Binaries()
	t.Setenv("TMPDIR", t.TempDir())
	c, err := Start(t.Context(), Options{Binaries: binaries, Nodes: []Node{{Name: "one"}}})
	must(t, err)
	defer func() { must(t, c.Stop()) }()
	ctx, from := c.Context(t), time.Now()
	must(t, c.procs.running[0].cmd.Process.Kill())
	<-ctx.Done()
	_, called := c.Client().CoreV1().Nodes().List(context.Background(), metav1.ListOptions{})
	waited := c.procs.poll(t.Context(), "nothing", func(context.Context) error { return context.Canceled })
	for what, err := range map[string]error{"the context": context.Cause(ctx), "a call": called, "a wait": waited, "the cluster": c.Failure()} {
		if err == nil || !strings.Contains(err.Error(), "etcd ended: signal: killed: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if took := time.Since(from); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

func TestSharedClusterThatBreaksFailsTheNextTestWithOneLine(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		killEtcd(t)
		return
	}
	Shared(t)
	out, err := again(t, "Test(SharedClusterThatBreaksFailsTheNextTestWithOneLine|ServerIsTheVersionThatWasChosen|StatefulSetWithClaimsBecomesReady)", childVariable+"=1", "TMPDIR="+t.TempDir()).CombinedOutput()
	if err == nil || strings.Count(string(out), "no control plane: etcd ended: signal: killed") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// killEtcd is what the run in a process of its own does first.
func killEtcd(t *testing.T) {
	c := Shared(t)
	must(t, c.procs.running[0].cmd.Process.Signal(syscall.SIGKILL))
	<-c.Broken()
	c.Namespace(t, Restricted)
}

func TestCrashIsToldByWhatItWasFor(t *testing.T) {
	for log, want := range map[string]string{
		"I1 starting\nlast word\n\n":                                    "last word",
		"I1 starting\npanic: no disk\n\ngoroutine 1:\n\tmain.go:1 +0x1": "panic: no disk",
		"": "it said nothing",
	} {
		if got := string(lastSaid([]byte(log))); got != want {
			t.Errorf("of %q: %q", log, got)
		}
	}
}

func TestFullDiskIsNamed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "log", "panic: write wal: no space left on device\ngoroutine 1\n\tmain.go:1\n")
	cmd := exec.Command("/bin/true")
	must(t, cmd.Run())
	err := (&process{cmd: cmd, log: dir + "/log"}).failure()
	if !strings.Contains(err.Error(), "no space left on device for "+dir) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestEtcdAnswersNobodyWithoutItsCertificate(t *testing.T) {
	c := Shared(t)
	stranger := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	pair, err := tls.LoadX509KeyPair(c.path("server.crt"), c.path("server.key"))
	must(t, err)
	wrong := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}}}}
	for _, url := range []string{c.etcdURL() + "/health", "https://" + loopback(c.peerPort) + "/members"} {
		for _, client := range []*http.Client{stranger, wrong, http.DefaultClient} {
			if err := get(t.Context(), client, url); err == nil || !strings.Contains(err.Error(), "tls: ") {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
	must(t, c.etcdReady(t.Context()))
}
