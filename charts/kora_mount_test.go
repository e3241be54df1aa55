package charts

import (
	"strings"
	"testing"
)

// R31: the mount's namespace stays, with all that runs in it, when the chart is told
// to make it no longer, through the rollback before that, when the mount is turned
// off, and when kora is removed; and the release takes it up again.
func TestKoraMountNamespaceStays(t *testing.T) {
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			r := koraCluster(t, version)
			// While the test's context lives, which a cleanup's does not.
			defer r.kube("", "delete", "namespace", "kora-sandbox-mount", "--ignore-not-found", "--timeout=60s")
			defer func() {
				_, _ = r.run("uninstall", "kora", "--namespace", r.namespace, "--ignore-not-found", "--no-hooks")
			}()
			flags := append([]string{"kora", "kora", "--no-hooks", "--set", "ingressGateway.service.type=ClusterIP"}, valuesOf("scale-out")...)
			step := func(what string, agent bool, args ...string) string {
				said := r.helm(args...)
				if got := r.kube("", "get", "namespace", "kora-sandbox-mount", "-o", "jsonpath={.status.phase} {.metadata.uid}"); !strings.HasPrefix(got, "Active ") {
					t.Fatalf("%s: the namespace is %q", what, got)
				}
				if got := r.kube("", "get", "daemonset", "-n", "kora-sandbox-mount", "-o", "name"); strings.Contains(got, "kora-sandbox-mount") != agent {
					t.Errorf("%s: the DaemonSets are %q", what, got)
				}
				return said
			}
			notes := step("installed", true, append([]string{"install"}, flags...)...)
			if !strings.Contains(notes, "kubectl delete namespace kora-sandbox-mount") {
				t.Errorf("the notes do not tell that it stays:\n%s", notes)
			}
			uid := r.kube("", "get", "namespace", "kora-sandbox-mount", "-o", "jsonpath={.metadata.uid}")
			notes = step("made no longer", true, append(append([]string{"upgrade"}, flags...), "--set", "sandboxMount.createNamespace=false")...)
			if !strings.Contains(notes, "is yours: keep it") {
				t.Errorf("the notes do not tell whose it is:\n%s", notes)
			}
			step("rolled back", true, "rollback", "kora", "1", "--no-hooks")
			step("and forward", true, "rollback", "kora", "2", "--no-hooks")
			step("turned off", false, append(append([]string{"upgrade"}, flags...), "--set", "sandboxMount.enabled=false")...)
			step("made again", true, append([]string{"upgrade"}, flags...)...)
			step("removed", false, "uninstall", "kora", "--no-hooks")
			if now := r.kube("", "get", "namespace", "kora-sandbox-mount", "-o", "jsonpath={.metadata.uid}"); now != uid {
				t.Errorf("it is another namespace: %s, %s", uid, now)
			}
		})
	}
}
