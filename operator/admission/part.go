package admission

import (
	"context"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/admission/held"
	"github.com/runkora/kora/operator/lines"
	"github.com/runkora/kora/operator/rules"
)

// Path is where the chart's ValidatingWebhookConfiguration calls.
const Path = "/validate"

// Validator answers for all kinds.
type Validator struct {
	platform rules.Platform
	gate     *gate.Gate
	held     *held.Held
	cached   client.Reader // what the operator watches anyway
	direct   client.Reader // for what the cache may not have seen yet
}

// New makes the validator of an installation.
func New(p rules.Platform) *Validator {
	return &Validator{platform: p, gate: gate.New(gate.Default()), held: held.New(clock.RealClock{})}
}

// SetupWithManager registers the webhook with the manager's server.
func (v *Validator) SetupWithManager(mgr ctrl.Manager) error {
	v.cached, v.direct = mgr.GetClient(), mgr.GetAPIReader()
	mgr.GetWebhookServer().Register(Path, gate.Reading(&webhook.Admission{Handler: v, LogConstructor: lines.New().Webhook}, gate.DefaultRoom()))
	return v.held.Watch(context.Background(), mgr.GetCache())
}
