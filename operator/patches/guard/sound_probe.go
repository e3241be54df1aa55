package guard

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

// handler is what probes and hooks have in common: they ask, or act, in one way.
type handler struct {
	exec  *corev1.ExecAction
	get   *corev1.HTTPGetAction
	tcp   *corev1.TCPSocketAction
	grpc  *corev1.GRPCAction
	sleep *corev1.SleepAction
}

// probe: kora's ask by httpGet; a patch that adds another way must take that out.
func (c *checker) probe(at fields.Path, p *corev1.Probe, successes int32) {
	if p == nil {
		return
	}
	c.handler(at, handler{exec: p.Exec, get: p.HTTPGet, tcp: p.TCPSocket, grpc: p.GRPC})
	for name, n := range map[string]*int32{"initialDelaySeconds": &p.InitialDelaySeconds, "timeoutSeconds": &p.TimeoutSeconds, "periodSeconds": &p.PeriodSeconds, "failureThreshold": &p.FailureThreshold} {
		atLeast(c, at.Child(name), n, 0)
	}
	between(c, at.Child("successThreshold"), &p.SuccessThreshold, 0, successes)
	between(c, at.Child("terminationGracePeriodSeconds"), p.TerminationGracePeriodSeconds, 1, math.MaxInt64)
	if p.TerminationGracePeriodSeconds != nil && successes > 1 {
		c.unsound(at.Child("terminationGracePeriodSeconds"), "a readiness probe ends nothing", fmt.Sprint(*p.TerminationGracePeriodSeconds), "(none)", "leave it out")
	}
}

func (c *checker) lifecycle(at fields.Path, l *corev1.Lifecycle) {
	if l == nil {
		return
	}
	c.hook(at.Child("postStart"), l.PostStart)
	c.hook(at.Child("preStop"), l.PreStop)
}

func (c *checker) hook(at fields.Path, h *corev1.LifecycleHandler) {
	if h != nil {
		c.handler(at, handler{exec: h.Exec, get: h.HTTPGet, tcp: h.TCPSocket, sleep: h.Sleep})
	}
}

func (c *checker) handler(at fields.Path, h handler) {
	if n := set(h.exec != nil, h.get != nil, h.tcp != nil, h.grpc != nil, h.sleep != nil); n != 1 {
		c.unsound(at, "it asks in one way", fmt.Sprint(n), "one of exec, httpGet, tcpSocket and their like", "set the others to null, such as httpGet: null")
	}
	if h.exec != nil && len(h.exec.Command) == 0 {
		c.unsound(at.Child("exec").Child("command"), "there is no command", "(none)", "a command", "add it")
	}
	if h.get != nil {
		c.httpGet(at.Child("httpGet"), h.get)
	}
	if h.tcp != nil {
		c.port(at.Child("tcpSocket").Child("port"), h.tcp.Port)
	}
	if h.grpc != nil {
		c.port(at.Child("grpc").Child("port"), intstr.FromInt32(h.grpc.Port))
	}
	if h.sleep != nil {
		between(c, at.Child("sleep").Child("seconds"), &h.sleep.Seconds, 0, c.grace())
	}
}

func (c *checker) httpGet(at fields.Path, get *corev1.HTTPGetAction) {
	c.port(at.Child("port"), get.Port)
	for i, h := range get.HTTPHeaders {
		c.must(at.Child("httpHeaders").Index(i).Child("name"), h.Name, validation.IsHTTPHeaderName)
	}
}

// grace is how long a pod may take to end, in seconds.
func (c *checker) grace() int64 {
	switch s := c.spec.TerminationGracePeriodSeconds; {
	case s == nil:
		return corev1.DefaultTerminationGracePeriodSeconds
	case *s < 0: // the API server makes it 1
		return 1
	default:
		return *s
	}
}
