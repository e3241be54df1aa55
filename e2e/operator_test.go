//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"
)

// process is kora-operator while it runs.
type process struct {
	cmd   *exec.Cmd
	mu    sync.Mutex
	said  bytes.Buffer
	ended chan struct{} // closed when it has
	err   error
}

// gone reports whether it ran and does no more.
func (p *process) gone() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

func (p *process) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(text)
}

// tail is the end of what it said.
func (p *process) tail() string {
	if p == nil {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.said.String()
	return text[max(0, len(text)-4000):]
}

// operator runs the program as its pod would: with the chart's settings, its
// account's token, and at the address of its Service.
func operator(w *world) {
	address := w.path("{.spec.clusterIP}", "service", "kora-operator", "-n", system)
	forward(w, net.JoinHostPort(address, "443"), net.JoinHostPort(address, "9443"))
	w.startOperator(address)
	for _, kind := range []string{"validatingwebhookconfiguration", "mutatingwebhookconfiguration"} {
		w.becomes("Fail", "{.webhooks[0].failurePolicy}", kind, "kora-operator")
		w.eventually(func() error {
			if w.path("{.webhooks[0].clientConfig.caBundle}", kind, "kora-operator") == "" {
				return fmt.Errorf("%s has no caBundle", kind)
			}
			return nil
		})
	}
	w.say("both webhooks trust its certificate, and fail closed")
	w.checkedUp()
	w.services.cache.stop()
	w.checkedUp("redis")
	w.services.startRedis(w)
	w.checkedUp()
}

// startOperator reads the settings of the cluster's ConfigMap, so after an upgrade
// those of the new release.
func (w *world) startOperator(address string) {
	w.Helper()
	data, _ := w.get("configmap", "kora-operator", "-n", system)["data"].(map[string]any)
	for key, text := range data {
		w.write(filepath.Join("config", strings.ReplaceAll(strings.TrimSuffix(key, ".yaml"), ".", "/")+".yaml"), fmt.Sprint(text))
		w.pushOwn(key, fmt.Sprint(text))
	}
	p := &process{cmd: exec.Command(filepath.Join(w.bin, "kora-operator"), "-config", filepath.Join(w.dir, "config"), "-bind", address), ended: make(chan struct{})}
	p.cmd.Stderr, p.cmd.Env = p, w.environment("KUBECONFIG="+w.kubeconfig("kora-operator"))
	if err := p.cmd.Start(); err != nil {
		w.Fatal(err)
	}
	w.process = p
	go func() { p.err = p.cmd.Wait(); close(p.ended) }()
	w.Cleanup(func() { _ = p.cmd.Process.Kill() })
	w.eventually(func() error { return answers("http://" + address + ":8081/readyz") })
	w.say("kora-operator runs at %s and is ready", address)
}

// pushOwn fills the registry with kora's own sandbox images, as the settings name them.
func (w *world) pushOwn(key, text string) {
	if !strings.HasSuffix(strings.TrimSuffix(key, ".yaml"), "internal.operator") {
		return
	}
	var s struct {
		SandboxImages struct {
			Base    struct{ Image string }
			Bundled map[string]struct{ Image string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &s); err != nil || s.SandboxImages.Base.Image == "" {
		w.Fatalf("%s: %v", key, err)
	}
	w.push(s.SandboxImages.Base.Image)
	for _, image := range s.SandboxImages.Bundled {
		w.push(image.Image)
	}
}

// stopOperator ends it as the kubelet would, and holds it to its status.
func (w *world) stopOperator() {
	w.Helper()
	if err := w.process.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		w.Fatal(err)
	}
	select {
	case <-w.process.ended:
		if w.process.err != nil {
			w.Fatalf("kora-operator ended with %v\n%s", w.process.err, w.process.tail())
		}
	case <-time.After(time.Minute):
		w.Fatalf("kora-operator does not end\n%s", w.process.tail())
	}
	said := w.process.said.String()
	w.process = nil
	if strings.Contains(said, "is forbidden") {
		w.Errorf("a right is missing:\n%s", said)
	}
}

// checkedUp holds what the operator's own preflight found to what is there: all but
// what is gone, which it has to have noticed (R55).
func (w *world) checkedUp(gone ...string) {
	w.Helper()
	w.eventually(func() error {
		got := w.path(`{.data.outcomes}`, "configmap", "kora-preflight-status", "-n", system, "--ignore-not-found")
		var outcomes []struct{ ID, Category, State, Reason string }
		if err := yaml.Unmarshal([]byte(got), &outcomes); err != nil || len(outcomes) == 0 {
			return fmt.Errorf("kora-preflight-status: %q %v", got, err)
		}
		for _, o := range outcomes {
			holds := o.State == "passed" || o.State == "skipped" && o.Reason != "" && o.Category != "services"
			if holds == slices.Contains(gone, o.ID) {
				return fmt.Errorf("%s is %s %s, and these are gone: %v", o.ID, o.State, o.Reason, gone)
			}
		}
		return nil
	})
	if len(gone) > 0 {
		w.say("its own preflight notices that %s is gone", strings.Join(gone, " "))
		return
	}
	w.say("its own preflight passes, PostgreSQL and Redis included")
}

func answers(url string) error {
	response, err := http.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}

// forward is what kube-proxy would do with the Service's port.
func forward(w *world, from, to string) {
	w.Helper()
	listener, err := net.Listen("tcp", from)
	if err != nil {
		w.Fatalf("the API server calls webhooks on port 443: %v: run as root, or set net.ipv4.ip_unprivileged_port_start=443", err)
	}
	w.Cleanup(func() { listener.Close() })
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				out, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer out.Close()
				go io.Copy(out, in) //nolint:errcheck // it ends with either side
				_, _ = io.Copy(in, out)
			}()
		}
	}()
}
