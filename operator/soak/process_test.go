package soak_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/operatortest"
)

// program is kora-operator, built and configured, and the thread that starts it.
type program struct {
	binary, log string
	starts      chan func()
}

func newProgram(t *testing.T) *program {
	t.Helper()
	dir := t.TempDir()
	p := &program{binary: filepath.Join(dir, "kora-operator"), log: filepath.Join(dir, "log"), starts: make(chan func())}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.binary, "./operator")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	go func() { // the kernel ends the processes with this thread, and so with the test
		runtime.LockOSThread()
		for start := range p.starts {
			start()
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(p.log)
			t.Logf("the end of the operator's log:\n%s", text[max(0, len(text)-6000):])
		}
	})
	return p
}

// configure writes the config modules of the chart's values.
func configure(t *testing.T, values map[string]any) string {
	t.Helper()
	at := t.TempDir()
	for name, text := range operatortest.Modules(t, values) {
		path := filepath.Join(at, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// running is one process of the operator.
type running struct {
	address string
	cmd     *exec.Cmd
	ended   chan struct{}
}

// start runs the operator on an address of this machine.
func (p *program) start(t *testing.T, config, kubeconfig, address string) *running {
	t.Helper()
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	r := &running{address: address, ended: make(chan struct{}), cmd: exec.Command(p.binary, "-config", config, "-bind", address)}
	r.cmd.Env = []string{"KUBECONFIG=" + kubeconfig, "HOME=" + filepath.Dir(p.log)}
	r.cmd.Stdout, r.cmd.Stderr, r.cmd.SysProcAttr = log, log, mortal()
	started := make(chan error)
	p.starts <- func() { started <- r.cmd.Start() }
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	go func() { _ = r.cmd.Wait(); close(r.ended) }()
	t.Cleanup(r.kill)
	return r
}

// kill is kill -9, and returns when the process has ended.
func (r *running) kill() {
	_ = r.cmd.Process.Kill()
	<-r.ended
}

// ready asks the probe: 200 with all parts ready.
func (r *running) ready(ctx context.Context) error {
	select {
	case <-r.ended:
		return fmt.Errorf("the operator ended by itself: %s", r.cmd.ProcessState)
	default:
	}
	response, err := get(ctx, "http://"+r.address+":8081/readyz")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", response.Status)
	}
	return nil
}

// get asks a process; its answers are small.
func get(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return (&http.Client{Timeout: 10 * time.Second}).Do(request)
}

// usage is what a process has used since it began.
type usage struct {
	cpu                  time.Duration
	resident, peak, heap int // MiB
}

// usage reads the operator's own metrics, and the kernel's peak where there is one.
func (r *running) usage(t *testing.T) usage {
	t.Helper()
	response, err := get(t.Context(), "http://"+r.address+":8082/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var u usage
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		number, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "process_cpu_seconds_total":
			u.cpu = time.Duration(number * float64(time.Second))
		case "process_resident_memory_bytes":
			u.resident = int(number) >> 20
		case "go_memstats_heap_inuse_bytes":
			u.heap = int(number) >> 20
		}
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, "VmHWM:"); is {
			kib, _ := strconv.Atoi(strings.Fields(value)[0])
			u.peak = kib >> 10
		}
	}
	return u
}
