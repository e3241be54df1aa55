package services

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/loopback"
)

// R55: what a Redis that lets kora in refuses of a write is told, each by its own
// code and in kora's words, and what is so at present only is no answer.
func TestRedisTellsWhyItTakesNoWrite(t *testing.T) {
	for said, want := range map[string]string{
		"OOM command not allowed when used memory > 'maxmemory'.":         "maxmemory-policy drops nothing for a write (OOM)",
		"NOREPLICAS Not enough good replicas to write.":                   "min-replicas-to-write (NOREPLICAS)",
		"MISCONF Redis is configured to save RDB snapshots, planted":      "it cannot save its data, and takes no writes for that (MISCONF)",
		"READONLY You can't write against a read only replica.":           "a replica, read-only (READONLY)",
		"CLUSTERDOWN Hash slot not served":                                "does not serve every key (CLUSTERDOWN)",
		"NOPERM User default has no permissions to run the 'set' command": "its rules lack the command (NOPERM)",
		"NOPERM No permissions to access a key":                           "its rules lack the key (NOPERM)",
		"ERR unknown command 'SET', with args beginning with: planted":    "does not know a command",
	} {
		got := redisAt(t, loopback.Serve(t, cache{password: planted, written: "-" + said}.handle), "disable", planted, "")
		if got.Missing != "" || got.Value.Refused != "" || !strings.Contains(got.Value.NoWrite, want) || strings.Contains(got.Value.NoWrite, "planted") {
			t.Errorf("%s: %+v", said, got)
		}
	}
	for _, said := range []string{"BUSY Redis is busy running a script.", "LOADING Redis is loading", "TRYAGAIN Multiple keys"} {
		if got := redisAt(t, loopback.Serve(t, cache{password: planted, written: "-" + said}.handle), "disable", planted, ""); got.Missing == "" || got.Value.NoWrite != "" {
			t.Errorf("%s: %+v", said, got)
		}
	}
}

// R55: channels are told apart from keys, and a node of a cluster that sends on
// every name is no Redis that takes no writes.
func TestRedisTellsOfChannelsAndClusters(t *testing.T) {
	got := redisAt(t, loopback.Serve(t, cache{password: planted, published: "-NOPERM No permissions to access a channel"}.handle), "disable", planted, "")
	if want := (facts.Redis{Version: "7.0.15", NoChannel: "the user may not do this: its rules lack the channel (NOPERM)"}); got.Missing != "" || got.Value != want {
		t.Errorf("%+v", got)
	}
	got = redisAt(t, loopback.Serve(t, cache{password: planted, mode: "cluster", written: "-MOVED 1 127.0.0.1:1"}.handle), "disable", planted, "")
	if want := (facts.Redis{Version: "7.0.15", Cluster: true}); got.Missing != "" || got.Value != want {
		t.Errorf("%+v", got)
	}
}
