package certificates

import (
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
)

// gauges tell how long the certificates last and whether the webhooks enforce.
type gauges struct {
	clock  clock.PassiveClock
	writes *prometheus.CounterVec
	days   *prometheus.Desc
	force  *prometheus.Desc

	mu                sync.Mutex
	ends              map[string]time.Time // by what ends
	enforces, decided bool
}

func newGauges(s Settings) *gauges {
	g := &gauges{
		clock: s.Clock, ends: map[string]time.Time{},
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kora_operator_webhook_writes_total",
			Help: "Writes of a field of the webhook configurations. It stands still unless something changes or somebody else writes too."}, []string{"field"}),
		days: prometheus.NewDesc("kora_operator_webhook_certificate_days_left",
			"Days until a certificate of the webhooks ends: authority on the leader, leaf on every replica.", []string{"certificate"}, nil),
		force: prometheus.NewDesc("kora_operator_webhook_enforced", "1 while failurePolicy is Fail and the webhooks are called for all that the chart says, on the leader.", nil, nil),
	}
	if s.Metrics != nil {
		register(s.Metrics, g)
		register(s.Metrics, g.writes)
	}
	return g
}

// register puts a collector in the place of the one that a manager before it in
// this process left behind.
func register(at prometheus.Registerer, c prometheus.Collector) {
	var before prometheus.AlreadyRegisteredError
	if errors.As(at.Register(c), &before) {
		at.Unregister(before.ExistingCollector)
		at.MustRegister(c)
	}
}

func (g *gauges) authority(end time.Time) { g.end("authority", end) }
func (g *gauges) leaf(end time.Time)      { g.end("leaf", end) }
func (g *gauges) wrote(field string)      { g.writes.WithLabelValues(field).Inc() }

func (g *gauges) end(what string, when time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ends[what] = when
}

func (g *gauges) enforced(yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.enforces, g.decided = yes, true
}

// Describe is of prometheus.Collector.
func (g *gauges) Describe(out chan<- *prometheus.Desc) { out <- g.days; out <- g.force }

// Collect is of prometheus.Collector. Days are counted when they are asked for.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for what, end := range g.ends {
		out <- prometheus.MustNewConstMetric(g.days, prometheus.GaugeValue, end.Sub(g.clock.Now()).Hours()/24, what)
	}
	if g.decided {
		value := 0.0
		if g.enforces {
			value = 1
		}
		out <- prometheus.MustNewConstMetric(g.force, prometheus.GaugeValue, value)
	}
}
