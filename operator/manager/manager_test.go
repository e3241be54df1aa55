package manager_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/settings"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// leading is a part that knows whether it leads, and is ready when it is told so.
type leading struct {
	leads atomic.Bool
	ready atomic.Bool
}

func (l *leading) SetupWithManager(mgr ctrl.Manager) error {
	return mgr.Add(ctrlmanager.RunnableFunc(func(ctx context.Context) error {
		l.leads.Store(true)
		<-ctx.Done()
		l.leads.Store(false)
		return nil
	}))
}

func (l *leading) Ready(context.Context) error {
	if !l.ready.Load() {
		return errors.New("not yet")
	}
	return nil
}

// R50: of two operators one leads, and the other goes on when that one ends.
func TestOneLeadsAtATime(t *testing.T) {
	w := operatortest.New(t, nil)
	w.Settings.LeaderElection.Enabled = true
	first, second := &leading{}, &leading{}
	run := w.Start(t, first)
	operatortest.Eventually(t, holds(&first.leads))
	w.Start(t, second)
	if second.leads.Load() {
		t.Error("both lead")
	}
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, holds(&second.leads))
	if first.leads.Load() {
		t.Error("the first still leads")
	}
}

// R50: alive as soon as it answers, ready when every part is, and measured.
func TestProbesAndMetricsAnswer(t *testing.T) {
	w := operatortest.New(t, nil)
	part := &leading{}
	s := w.Settings
	s.Ports = settings.Ports{Probes: freePort(t), Metrics: freePort(t)}
	w.StartWith(t, manager.Options{Settings: s, Parts: []manager.Part{part}})
	operatortest.Eventually(t, func() error { return answers(s.Ports.Probes, "/healthz", 200, "") })
	operatortest.Eventually(t, func() error { return answers(s.Ports.Probes, "/readyz", 500, "leading") })
	part.ready.Store(true)
	operatortest.Eventually(t, func() error { return answers(s.Ports.Probes, "/readyz", 200, "") })
	operatortest.Eventually(t, func() error { return answers(s.Ports.Metrics, "/metrics", 200, "rest_client_requests_total") })
}

// A part that cannot be set up stops the operator, and is named.
func TestPartThatFailsIsNamed(t *testing.T) {
	w := operatortest.New(t, nil)
	_, err := manager.New(manager.Options{Settings: w.Settings, Access: w.Access(), Parts: []manager.Part{broken{}}})
	if err == nil || !strings.Contains(err.Error(), "broken: no good") {
		t.Errorf("got %v", err)
	}
}

type broken struct{}

func (broken) SetupWithManager(ctrl.Manager) error { return errors.New("no good") }

func holds(b *atomic.Bool) func() error {
	return func() error {
		if !b.Load() {
			return errors.New("it does not lead")
		}
		return nil
	}
}

func answers(port int, path string, status int, text string) error {
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if response.StatusCode != status || !strings.Contains(string(body), text) {
		return fmt.Errorf("%s answers %d: %s, %v", path, response.StatusCode, body, err)
	}
	return nil
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
