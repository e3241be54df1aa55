package door

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// Options of the webhooks' server.
type Options struct {
	Host string // address to listen on; empty: every one
	Port int
	TLS  []func(*tls.Config) // one of them gives the certificate
}

// Webhooks is the server of the operator's webhooks, in the place of
// controller-runtime's, which takes any number of connections.
type Webhooks struct {
	webhook.Server // what is registered
	options        Options
	mux            *http.ServeMux
	serves         atomic.Bool
}

// New makes the server; nothing listens before its Start.
func New(o Options) *Webhooks {
	mux := http.NewServeMux()
	return &Webhooks{Server: webhook.NewServer(webhook.Options{WebhookMux: mux}), options: o, mux: mux}
}

// Start serves until the context ends, and then for what is under way.
func (w *Webhooks) Start(ctx context.Context) error {
	config := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}}
	for _, set := range w.options.TLS {
		set(config)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(w.options.Host, strconv.Itoa(w.options.Port)))
	if err != nil {
		return err
	}
	w.serves.Store(true)
	defer w.serves.Store(false)
	s := &manager.Server{Name: "webhooks", Server: server(w.mux), Listener: tls.NewListener(newBound(l, most), config), ShutdownTimeout: &ends}
	return s.Start(ctx)
}

// StartedChecker says whether the port is listened on.
func (w *Webhooks) StartedChecker() healthz.Checker {
	return func(*http.Request) error {
		if !w.serves.Load() {
			return errors.New("the server of the webhooks has not been started yet")
		}
		return nil
	}
}
