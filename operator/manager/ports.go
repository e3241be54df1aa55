package manager

import (
	"errors"
	"net"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/runkora/kora/operator/door"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// scrapes is how many answers of all metrics are made at once: each takes memory.
const scrapes = 4

// checked keeps what its parts ask before they count as ready, or alive.
type checked struct {
	ctrl.Manager
	alive, ready healthz.Handler
}

func (c *checked) AddHealthzCheck(name string, check healthz.Checker) error {
	return add(&c.alive, name, check)
}

func (c *checked) AddReadyzCheck(name string, check healthz.Checker) error {
	return add(&c.ready, name, check)
}

func add(to *healthz.Handler, name string, check healthz.Checker) error {
	if to.Checks == nil {
		to.Checks = map[string]healthz.Checker{}
	}
	to.Checks[name] = check
	return nil
}

// serve adds what the kubelet asks, alive while the process answers, and the metrics
// (R50).
func (o Options) serve(mgr ctrl.Manager, c *checked) error {
	if err := errors.Join(c.AddHealthzCheck("ping", healthz.Ping), c.AddReadyzCheck("ping", healthz.Ping)); err != nil {
		return err
	}
	probes, measured := http.NewServeMux(), http.NewServeMux()
	for path, h := range map[string]http.Handler{"/healthz": &c.alive, "/readyz": &c.ready} {
		probes.Handle(path, http.StripPrefix(path, h))
		probes.Handle(path+"/", http.StripPrefix(path, h)) // one check by its name
	}
	measured.Handle("/metrics", promhttp.HandlerFor(metrics.Registry, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError, MaxRequestsInFlight: scrapes}))
	return errors.Join(o.listen(mgr, "probes", o.Settings.Ports.Probes, probes), o.listen(mgr, "metrics", o.Settings.Ports.Metrics, measured))
}

// listen serves on a port; 0 turns it off.
func (o Options) listen(mgr ctrl.Manager, name string, port int, h http.Handler) error {
	if port == 0 {
		return nil
	}
	s, err := door.Serve(name, net.JoinHostPort(o.Host, strconv.Itoa(port)), h)
	if err != nil {
		return err
	}
	return mgr.Add(s)
}
