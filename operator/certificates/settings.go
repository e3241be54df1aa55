package certificates

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// Settings say where the webhooks are. Namespace is required; every other zero
// value stands for what the chart and the doc comment say.
type Settings struct {
	// Namespace is kora's own: of the Service, the Secret and the endpoints.
	Namespace string
	// Service in front of the webhooks, and Configuration of both kinds: kora-operator.
	Service, Configuration string
	// Secret of the authority: kora-operator-webhook-ca.
	Secret string

	// Clock is the machine's.
	Clock clock.PassiveClock
	// AuthorityLife is 365 days, and LeafLife 7. Each is renewed at two thirds.
	AuthorityLife, LeafLife time.Duration
	// Settle is how long a new authority is in every caBundle before it signs: one
	// minute, in which every API server has seen it.
	Settle time.Duration
	// Absent is how long the Service has no endpoint before the webhooks may be
	// passed by: two minutes.
	Absent time.Duration
	// Period between two steps: five seconds.
	Period time.Duration
	// Reread is how often the Secret is read when nothing calls for it, one minute. That
	// it has changed is seen at once.
	Reread time.Duration

	// Metrics is where the gauges are registered. Nil: nowhere.
	Metrics prometheus.Registerer
}

func (s Settings) defaulted() Settings {
	set(&s.Service, v1alpha1.Operator)
	set(&s.Configuration, v1alpha1.Operator)
	set(&s.Secret, rules.WebhookCASecret)
	set[clock.PassiveClock](&s.Clock, clock.RealClock{})
	set(&s.AuthorityLife, 365*24*time.Hour)
	set(&s.LeafLife, 7*24*time.Hour)
	set(&s.Settle, time.Minute)
	set(&s.Absent, 2*time.Minute)
	set(&s.Period, 5*time.Second)
	set(&s.Reread, time.Minute)
	return s
}

func set[T comparable](to *T, value T) {
	var zero T
	if *to == zero {
		*to = value
	}
}

// host is the name by which the API server calls the webhooks.
func (s Settings) host() string { return s.Service + "." + s.Namespace + ".svc" }
