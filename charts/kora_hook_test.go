package charts

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// R55: the hook Job checks the namespace that the release is in, whichever that is, and its
// checks end, and are told, before the Job is ended.
func TestThePreflightJobChecksItsOwnRelease(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	for namespace, more := range map[string][]string{
		"kora-system":   nil,
		"platform-kora": nil,
		"elsewhere":     {"--set", "operator.preflight.timeoutSeconds=10"},
		"far":           {"--set", "operator.preflight.timeoutSeconds=3600,global.systemNamespace=far"},
	} {
		jobs := 0
		for _, o := range manifests(t, template(t, run, namespace, append(valuesOf("kora"), more...)...)) {
			if title(o) == "Job "+namespace+"/kora-preflight" {
				jobs++
				checksItsOwn(t, o, namespace)
			}
		}
		if jobs != 1 {
			t.Errorf("%s: %d Jobs", namespace, jobs)
		}
	}
}

func checksItsOwn(t *testing.T, job map[string]any, namespace string) {
	t.Helper()
	var words []string
	for _, word := range containers(job)[0]["command"].([]any) {
		words = append(words, word.(string)) // Kubernetes takes nothing else
	}
	line, timeout, _ := strings.Cut(strings.Join(words, " "), " --timeout ")
	if want := "kora preflight -f /etc/kora/preflight/kora.yaml --skip admission --namespace " + namespace; line != want {
		t.Errorf("%s: %s, want %s", namespace, line, want)
	}
	checks, err := time.ParseDuration(timeout)
	ends, bad := time.ParseDuration(fmt.Sprint(job["spec"].(map[string]any)["activeDeadlineSeconds"]) + "s")
	if err != nil || bad != nil || checks >= ends || checks < ends/2 {
		t.Errorf("%s: checks of %s in a Job of %s: %v, %v", namespace, checks, ends, err, bad)
	}
}
