package registry

import (
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/runkora/kora/operator/images/registrytest"
)

const host = registrytest.Host

// fixture is a registry and a client that reads it as a mirror.
type fixture struct {
	*registrytest.Server
	client *Client
}

func serve(t *testing.T, fault registrytest.Fault) *fixture {
	t.Helper()
	server := registrytest.Serve(t, fault)
	return &fixture{server, &Client{Mirrors: server.Mirrors()}}
}

func sandbox(t *testing.T, platform, user string) v1.Image {
	t.Helper()
	return registrytest.Sandbox(t, platform, user)
}
