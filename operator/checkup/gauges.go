package checkup

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/runkora/kora/operator/preflight"
)

// gauges tell the state of each check, on the leader.
type gauges struct{ states *prometheus.GaugeVec }

func newGauges(at prometheus.Registerer) *gauges {
	g := &gauges{prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "kora_operator_preflight_check",
		Help: "1 for the state that a check of preflight had at the last look, on the leader."}, []string{"check", "state"})}
	if at == nil {
		return g
	}
	// In the place of the one that a manager before it in this process left behind.
	var before prometheus.AlreadyRegisteredError
	if errors.As(at.Register(g.states), &before) {
		at.Unregister(before.ExistingCollector)
		at.MustRegister(g.states)
	}
	return g
}

func (g *gauges) set(outcomes []preflight.Outcome) {
	g.states.Reset()
	for _, o := range outcomes {
		g.states.WithLabelValues(o.ID, string(o.State)).Set(1)
	}
}
