package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

// asOperator makes this test's binary the operator itself: a process with main,
// signals and exit status, and no second build.
const asOperator = "KORA_TEST_IS_THE_OPERATOR"

func TestMain(m *testing.M) {
	if os.Getenv(asOperator) != "" {
		go func() { // the test has ended, however it did
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(unchecked)
		}()
		main()
	}
	os.Exit(testcluster.Main(m))
}

// process is one running operator.
type process struct {
	address string
	cmd     *exec.Cmd
	words   syncBuffer
	out     syncBuffer
	ended   chan struct{}
}

// start runs the operator on an address of this machine, with the chart's ports.
func start(t *testing.T, config, kubeconfig, address string) *process {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{address: address, cmd: exec.Command(binary, "-config", config, "-bind", address), ended: make(chan struct{})}
	p.cmd.Env = []string{asOperator + "=yes", "KUBECONFIG=" + kubeconfig, "HOME=" + t.TempDir()}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.words
	alive, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.cmd.Wait(); close(p.ended) }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
		_ = alive.Close()
		if text := p.words.String(); t.Failed() {
			t.Logf("the end of what %s said:\n%s", address, text[max(0, len(text)-4000):])
		}
	})
	return p
}

// ready asks the probe: nil with all parts ready.
func (p *process) ready() error {
	select {
	case <-p.ended:
		return fmt.Errorf("it ended by itself: %s", p.cmd.ProcessState)
	default:
	}
	response, err := http.Get("http://" + p.address + ":8081/readyz")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", text)
	}
	return nil
}

// end sends a signal, and gives the exit status when it has ended.
func (p *process) end(signal syscall.Signal) int {
	_ = p.cmd.Process.Signal(signal)
	<-p.ended
	return p.cmd.ProcessState.ExitCode()
}

// service leads from a Service's address to the operators behind it, which no
// proxy does in this cluster.
type service struct {
	mu       sync.Mutex
	backends []string
}

func behind(t *testing.T, address string) *service {
	t.Helper()
	s := &service{}
	l, err := net.Listen("tcp", net.JoinHostPort(address, "9443"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go s.lead(from)
		}
	}()
	return s
}

// to adds an operator that is ready, at the end.
func (s *service) to(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backends = append(s.backends, net.JoinHostPort(p.address, "9443"))
}

// lead goes to the first that answers.
func (s *service) lead(from net.Conn) {
	defer from.Close()
	s.mu.Lock()
	backends := slices.Clone(s.backends)
	s.mu.Unlock()
	for _, backend := range backends {
		to, err := net.Dial("tcp", backend)
		if err != nil {
			continue
		}
		go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
		_, _ = io.Copy(from, to)
		return
	}
}
