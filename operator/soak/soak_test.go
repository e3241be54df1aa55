package soak_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/images/registrytest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What the large run changes. The defaults are a test as any other.
var (
	steps  = flag.String("soak.tenants", "20", "how many tenants there are after each step, as in 100,300,1000")
	kills  = flag.Int("soak.kills", 5, "how often the operator is killed while things change; below 0: it only grows, and there are no faults")
	seed   = flag.Uint64("soak.seed", 1, "what is changed, and when it is killed")
	period = flag.Duration("soak.sync", 10*time.Second, "operator.syncPeriod")
	still  = flag.Duration("soak.steady", 12*time.Second, "how long nothing may be written after each step")
	wait   = flag.Duration("soak.patience", 3*time.Minute, "how long anything may take")
	outage = flag.Bool("soak.outage", false, "wait until failurePolicy is Ignore without endpoints, two minutes")
	report = flag.String("soak.report", "", "file to write the measurements to")
	shape  = flag.String("soak.machine", "", "words on what else the machine did")
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// soak is one run.
type soak struct {
	*webhooktest.Hooks
	proxy    *proxy
	program  *program
	config   string
	operator *running
	down     bool          // the operator is killed, and is not to be started
	ended    int           // how often it ended by itself
	led      int           // how many kills met an operator that led
	spent    time.Duration // CPU of those that did
	model    *model
	pattern  map[string]client.Object // what every tenant has: see remember
	measured []measure
	sayings  []string // what the faults showed, for the report
}

// R50 to R54: the real operator under load and faults. Nothing is lost, doubled
// or left open, and in a steady state nothing is written.
func TestSoak(t *testing.T) {
	s := begin(t)
	s.lead(t)
	for _, n := range counts(t) {
		s.grow(t, n)
	}
	s.remember(t)
	if *kills < 0 {
		s.write(t)
		return
	}
	s.killing(t)
	s.standby(t)
	s.restart(t)
	s.writers(t)
	s.hooksOut(t)
	s.leave(t)
	s.write(t)
}

func counts(t *testing.T) (all []int) {
	t.Helper()
	for text := range strings.SplitSeq(*steps, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 4 {
			t.Fatalf("-soak.tenants: %q is no number from 4 on", text)
		}
		all = append(all, n)
	}
	return all
}

// begin has a cluster as the chart leaves it, a registry with the images, and the
// operator's program. Nothing runs yet.
func begin(t *testing.T) *soak {
	t.Helper()
	s := &soak{Hooks: webhooktest.New(t), model: newModel(*seed)}
	mesh.Definitions(t, s.Cluster)
	registry := registrytest.Serve(t, nil)
	bundled := map[string]any{}
	for _, name := range []string{"go", "python", "node"} {
		bundled[name] = map[string]any{"enabled": true, "image": registrytest.Host + "/kora/" + name + ":1"}
	}
	for _, at := range []string{"kora/base", "kora/go", "kora/python", "kora/node", "team/team", "team/tools"} {
		registry.Push(t, at+":1", registrytest.Sandbox(t, "linux/amd64", "100"))
	}
	s.config = configure(t, map[string]any{
		"istio":    map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"},
		"operator": map[string]any{"syncPeriod": fmt.Sprintf("%ds", int(period.Seconds()))},
		"agents": map[string]any{
			"config":        map[string]any{"sandboxImage": registrytest.Host + "/kora/base:1"},
			"sandboxImages": map[string]any{"registryMirrors": map[string]any{registrytest.Host: registry.URL}, "bundled": bundled}}})
	s.proxy, s.program = newProxy(t, s.World), newProgram(t)
	return s
}

// lead starts the operator, and waits until it leads and its webhooks refuse.
func (s *soak) lead(t *testing.T) {
	t.Helper()
	s.operator = s.program.start(t, s.config, s.proxy.kubeconfig, s.Address)
	s.Endpoint(t, true)
	s.until(t, "the operator is ready", func() error { return s.operator.ready(t.Context()) })
	s.until(t, "the webhooks refuse", func() error {
		if got, _ := s.Entries(t); got != "Fail Fail" {
			return fmt.Errorf("failurePolicy is %s", got)
		}
		return s.Refused(t)
	})
}

// kill ends the operator as kill -9 does, and lets the lease go at once: what fifteen
// seconds would do.
func (s *soak) kill(t *testing.T) {
	t.Helper()
	s.down = true
	s.operator.kill()
	s.release(t)
}

// run starts the operator again.
func (s *soak) run(t *testing.T) {
	t.Helper()
	s.operator = s.program.start(t, s.config, s.proxy.kubeconfig, s.Address)
	s.down = false
}

// revive starts the operator again where it ended by itself, as a kubelet would: it
// does when it could not renew its lease, as with an API server that is too slow.
func (s *soak) revive(t *testing.T) {
	t.Helper()
	select {
	case <-s.operator.ended:
		if !s.down {
			s.ended++
			s.spent += s.operator.cmd.ProcessState.UserTime() + s.operator.cmd.ProcessState.SystemTime()
			t.Logf("the operator ended by itself and is started again: %s", s.operator.cmd.ProcessState)
			s.run(t)
		}
	default:
	}
}

// until tries until there is no error, and gives how long it took.
func (s *soak) until(t *testing.T, what string, try func() error) time.Duration {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), *wait)
	defer cancel()
	for pause := 25 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		s.revive(t)
		asked := time.Now()
		err := try()
		if err == nil {
			return time.Since(began)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not after %s: %v", what, *wait, err)
		case <-time.After(max(pause, 4*time.Since(asked))): // the asking is no load
		}
	}
}

func (s *soak) say(t *testing.T, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf(format, args...)
	t.Log(line)
	s.sayings = append(s.sayings, line)
}
