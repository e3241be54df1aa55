package testcluster

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestSharedClusterIsReady(t *testing.T) {
	cluster := Shared(t)
	if err := cluster.answers("/readyz")(t.Context()); err != nil {
		t.Error(err)
	}
	if err := cluster.nodesReady(t.Context()); err != nil {
		t.Error(err)
	}
}
