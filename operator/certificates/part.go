package certificates

import (
	"context"
	"crypto/tls"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Hooks are the certificates and the failure policy of the operator's webhooks, a
// part of its manager.
type Hooks struct {
	settings  Settings
	authority *authority
	leaf      *leaf
	policy    *policy
}

// New makes the part. It reads nothing before its manager starts, and registers
// the gauges.
func New(s Settings) *Hooks {
	s = s.defaulted()
	g := newGauges(s)
	h := &Hooks{settings: s, leaf: newLeaf(s), authority: &authority{Settings: s, gauges: g, wake: newBell()}, policy: &policy{Settings: s, gauges: g}}
	h.leaf.gauges = g
	return h
}

// TLS are the options of a webhook server: TLS 1.3, and the certificate in memory.
func (h *Hooks) TLS() []func(*tls.Config) {
	return []func(*tls.Config){func(c *tls.Config) {
		c.MinVersion, c.GetCertificate = tls.VersionTLS13, h.leaf.get
	}}
}

// Ready gives nil while the certificate that is served is the one that the API
// server trusts, for every webhook (R54).
func (h *Hooks) Ready(context.Context) error { return h.leaf.ready() }

// SetupWithManager adds what runs: the leaf everywhere, the rest on the leader.
func (h *Hooks) SetupWithManager(mgr ctrl.Manager) error {
	h.use(mgr.GetClient(), mgr.GetAPIReader(), teller{recorder: mgr.GetEventRecorder("kora-operator"), about: h.settings.reference()})
	if err := mgr.AddReadyzCheck("webhook-server", mgr.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	if err := h.watch(context.Background(), mgr.GetCache()); err != nil {
		return err
	}
	log := mgr.GetLogger().WithName("webhooks")
	for _, r := range []loop{
		{"leaf", false, h.leaf.step, h.settings.Period, h.leaf.wake, log},
		{"authority", true, h.authority.step, h.settings.Period, h.authority.wake, log},
		{"policy", true, h.policy.step, h.settings.Period, nil, log},
	} {
		if err := mgr.Add(r); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hooks) use(c client.Client, direct client.Reader, tell teller) {
	h.leaf.client, h.leaf.direct = c, direct
	h.authority.client, h.authority.direct, h.authority.tell = c, direct, tell
	h.policy.client, h.policy.direct, h.policy.tell = c, direct, tell
}

// loop repeats a step for as long as the manager runs.
type loop struct {
	name   string
	leader bool
	step   func(context.Context) error
	period time.Duration
	wake   bell // before the period is over; nil: nothing does
	log    logr.Logger
}

// NeedLeaderElection is of manager.LeaderElectionRunnable.
func (l loop) NeedLeaderElection() bool { return l.leader }

// Start is of manager.Runnable. A step that fails is tried again soon at first,
// for nothing is ready without it, and told of when its error changes.
func (l loop) Start(ctx context.Context) error {
	told, soon := "", l.period/20
	for ctx.Err() == nil {
		wait := l.period
		if err := l.once(ctx); err == nil {
			told, soon = "", l.period/20
		} else if ctx.Err() == nil {
			wait, soon = soon, min(2*soon, 4*l.period)
			if err.Error() != told {
				told = err.Error()
				l.log.Info("not yet", "step", l.name, "why", told)
			}
		}
		l.rest(ctx, wait)
	}
	return nil
}

// pace is the least time between two steps that something called for: whoever changes
// something all the time sets none.
const pace = 250 * time.Millisecond

// rest waits until the next step is due, or something wakes the loop.
func (l loop) rest(ctx context.Context, wait time.Duration) {
	least := min(wait, l.period/20, pace)
	select {
	case <-ctx.Done():
	case <-time.After(least):
	}
	select {
	case <-ctx.Done():
	case <-l.wake:
	case <-time.After(wait - least):
	}
}

func (l loop) once(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return l.step(bounded)
}

// teller writes events about the webhooks' Service: the configurations are of the
// cluster, and the operator writes events in its own namespace alone.
type teller struct {
	recorder events.EventRecorder
	about    *corev1.ObjectReference
}

func (s Settings) reference() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Service", Namespace: s.Namespace, Name: s.Service}
}

func (t teller) say(reason, format string, args ...any) {
	t.recorder.Eventf(t.about, nil, corev1.EventTypeNormal, reason, "Webhooks", format, args...)
}

func (t teller) warn(reason, format string, args ...any) {
	t.recorder.Eventf(t.about, nil, corev1.EventTypeWarning, reason, "Webhooks", format, args...)
}
