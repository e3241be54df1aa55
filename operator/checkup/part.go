package checkup

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/gather"
	"github.com/runkora/kora/operator/settings"
)

const (
	patience = time.Minute // that one look may take
	again    = 30 * time.Second
)

// Checkup is a part of the operator's manager.
type Checkup struct {
	enabled bool
	period  time.Duration
	engine  preflight.Settings
	checks  []preflight.Check
	clock   clock.PassiveClock
	gauges  *gauges

	config   *rest.Config
	client   client.Client
	live     client.Reader
	recorder events.EventRecorder
	log      logr.Logger
}

// New makes the part; it registers its metrics, where metrics is not nil, and
// reads nothing before it leads.
func New(s settings.Settings, now clock.PassiveClock, metrics prometheus.Registerer) *Checkup {
	return &Checkup{enabled: s.Preflight, period: s.Sync(), engine: engine(s, now), clock: now, gauges: newGauges(metrics)}
}

// SetupWithManager adds what runs on the leader.
func (c *Checkup) SetupWithManager(mgr ctrl.Manager) (err error) {
	if c.checks, err = checks(); err != nil {
		return err
	}
	c.config = rest.CopyConfig(mgr.GetConfig())
	c.config.QPS, c.config.Burst, c.config.Timeout = 20, 40, patience
	c.client, c.live = mgr.GetClient(), mgr.GetAPIReader()
	c.recorder, c.log = mgr.GetEventRecorder("kora-operator"), mgr.GetLogger().WithName("preflight")
	return mgr.Add(c)
}

// NeedLeaderElection is of manager.LeaderElectionRunnable.
func (c *Checkup) NeedLeaderElection() bool { return true }

// Start is of manager.Runnable: it looks at once, and then each period. A look
// that came to nothing, as where the API server does not answer, is tried again
// sooner.
func (c *Checkup) Start(ctx context.Context) error {
	if !c.enabled {
		return c.forget(ctx)
	}
	for ctx.Err() == nil {
		wait := c.period
		if err := c.once(ctx); err != nil && ctx.Err() == nil {
			c.log.Info("preflight came to nothing", "why", err.Error())
			wait = min(again, c.period)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}

// once looks, judges, and tells what differs from the last time.
func (c *Checkup) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	before, err := c.last(ctx)
	if err != nil {
		return fmt.Errorf("the outcomes of the last look: %w", err)
	}
	seen, err := c.look(ctx)
	if err != nil {
		return err
	}
	outcomes := c.judge(ctx, seen)
	c.gauges.set(outcomes)
	about, err := c.deployment(ctx)
	if err != nil {
		return err
	}
	c.tell(about, before.seen(), outcomes)
	return c.keep(ctx, about, before, outcomes)
}

func (c *Checkup) look(ctx context.Context) (*facts.Facts, error) {
	return gather.Cluster(ctx, c.config, gather.Request{Settings: c.engine, Checks: preflight.Judged(c.checks), Services: true})
}
