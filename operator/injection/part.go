package injection

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/lines"
)

// Path is where the chart's MutatingWebhookConfiguration calls.
const Path = "/inject"

// Settings are what is injected.
type Settings struct {
	// Image of the enforcer: a full reference.
	Image string
	// Sidecars is what the enforcer and the mesh's proxy request in all, for one pod
	// (operator.injection.sandboxSidecars).
	Sidecars agents.Sidecars
}

// Injector answers for pods.
type Injector struct {
	settings Settings
	gate     *gate.Gate
	cached   client.Reader // what the operator watches anyway
	direct   client.Reader // for what the cache may not have seen yet
}

// New makes the injector.
func New(s Settings) *Injector { return &Injector{settings: s, gate: gate.New(gate.Default())} }

// SetupWithManager registers the webhook with the manager's server.
func (i *Injector) SetupWithManager(mgr ctrl.Manager) error {
	i.cached, i.direct = mgr.GetClient(), mgr.GetAPIReader()
	mgr.GetWebhookServer().Register(Path, gate.Reading(&webhook.Admission{Handler: i, LogConstructor: lines.New().Webhook}, gate.DefaultRoom()))
	return nil
}

// shares halves what the sidecars request: the proxy's part, rounded down, and the
// enforcer's, so that both are the whole to the last byte.
func (s Settings) shares() (proxy, enforcer agents.Sidecars) {
	proxy = agents.Sidecars{CPU: half(s.Sidecars.CPU), Memory: *resource.NewQuantity(s.Sidecars.Memory.Value()/2, resource.BinarySI)}
	enforcer = agents.Sidecars{CPU: s.Sidecars.CPU.DeepCopy(), Memory: s.Sidecars.Memory.DeepCopy()}
	enforcer.CPU.Sub(proxy.CPU)
	enforcer.Memory.Sub(proxy.Memory)
	return proxy, enforcer
}

// half is half of a CPU, to the thousandth; of more than can be counted so, to the whole.
func half(cpu resource.Quantity) resource.Quantity {
	if cpu.CmpInt64(math.MaxInt64/1000) > 0 {
		return *resource.NewQuantity(cpu.Value()/2, resource.DecimalSI)
	}
	return *resource.NewMilliQuantity(cpu.MilliValue()/2, resource.DecimalSI)
}
