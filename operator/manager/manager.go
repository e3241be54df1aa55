package manager

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"github.com/runkora/kora/operator/settings"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// Part is a controller, or anything else that runs in the manager.
type Part interface {
	SetupWithManager(mgr ctrl.Manager) error
}

// Checker is a Part that has a say in readiness, such as the webhooks (R54).
type Checker interface {
	Part
	// Ready gives nil when the part can do its work.
	Ready(ctx context.Context) error
}

// Options are what main, or a test, gives.
type Options struct {
	Settings settings.Settings
	Access   *rest.Config
	Log      logr.Logger
	Host     string // address to listen on; empty: every one
	Parts    []Part
	// Webhooks, when set, serves admission in the place of the default server,
	// which wants its certificate in files.
	Webhooks webhook.Server
	// SeveralInProcess lets a test run more than one manager.
	SeveralInProcess bool
}

// New makes the manager with all parts set up. Nothing runs before its Start,
// which ends with its context.
func New(o Options) (ctrl.Manager, error) {
	scheme, err := Scheme()
	if err != nil {
		return nil, err
	}
	s := o.Settings
	cached, err := cacheOptions(s.SystemNamespace)
	if err != nil {
		return nil, err
	}
	access := rest.CopyConfig(o.Access)
	access.UserAgent = "kora-operator"
	mgr, err := ctrl.NewManager(access, ctrl.Options{
		Scheme: scheme, Logger: o.Log, Cache: cached, Client: clientOptions(),
		LeaderElection: s.LeaderElection.Enabled, LeaderElectionID: s.LeaderElection.Name, LeaderElectionNamespace: s.SystemNamespace,
		LeaderElectionReleaseOnCancel: true,                             // main ends as soon as the manager does
		Metrics:                       server.Options{BindAddress: "0"}, // served below, as the probes are
		HealthProbeBindAddress:        "0",
		WebhookServer:                 o.Webhooks,
		GracefulShutdownTimeout:       ptr(20 * time.Second), // below the pod's 30
		Controller:                    o.controllers(),
	})
	if err != nil {
		return nil, fmt.Errorf("make the manager: %w", err)
	}
	with := &checked{Manager: mgr}
	return mgr, errors.Join(setUp(with, o.Parts), o.serve(mgr, with))
}

// controllers is what all of them have. Their queue is client-go's: the priority
// queue of controller-runtime 0.24 may never end when it is shut down with work in
// it (its issue 3538, mended in 0.25), and then the lease is not given back.
func (o Options) controllers() config.Controller {
	return config.Controller{SkipNameValidation: &o.SeveralInProcess, RecoverPanic: ptr(true), UsePriorityQueue: ptr(false)}
}

func setUp(mgr ctrl.Manager, parts []Part) error {
	for _, part := range parts {
		if err := part.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("set up %T: %w", part, err)
		}
		if c, ok := part.(Checker); ok {
			check := func(r *http.Request) error { return c.Ready(r.Context()) }
			if err := mgr.AddReadyzCheck(fmt.Sprintf("%T", part), check); err != nil {
				return err
			}
		}
	}
	return nil
}

func ptr[T any](v T) *T { return &v }
