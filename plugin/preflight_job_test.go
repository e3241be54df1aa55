package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	api "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"
)

// hookJob is the chart's Job for preflight as it is rendered, and the values that it reads.
func hookJob(t *testing.T, flags ...string) (job batchv1.Job, file string) {
	t.Helper()
	status, out, words := ran(nil, slices.Concat([]string{"render"}, flags, installed)...)
	if status != 0 {
		t.Fatal(words)
	}
	for _, text := range strings.Split(out, "\n---\n") {
		var config corev1.ConfigMap
		switch {
		case !strings.Contains(text, "\n  name: \"kora-preflight\"\n"):
		case strings.Contains(text, "\nkind: Job\n"):
			if err := yaml.UnmarshalStrict([]byte(text), &job); err != nil {
				t.Fatal(err)
			}
		case strings.Contains(text, "\nkind: ConfigMap\n"):
			if err := yaml.UnmarshalStrict([]byte(text), &config); err != nil {
				t.Fatal(err)
			}
			file = filepath.Join(t.TempDir(), "kora.yaml")
			if err := os.WriteFile(file, []byte(config.Data["kora.yaml"]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if job.Name == "" || file == "" {
		t.Fatal("the release has no Job kora-preflight")
	}
	return job, file
}

// R55: the hook Job's own command, in its own environment, looks at the namespace that
// the release goes to, whichever that is and wherever it is said.
func TestTheHookJobLooksAtItsRelease(t *testing.T) {
	server := apiServer(t, forbidden)
	for want, flags := range map[string][]string{
		"kora-system": nil, "other": {"--namespace", "other"}, "default": {"--namespace", "default"}, "said": {"--namespace", "other", "--set", "global.systemNamespace=said"},
	} {
		job, file := hookJob(t, flags...)
		c := job.Spec.Template.Spec.Containers[0]
		var environ []string
		for _, e := range c.Env {
			environ = append(environ, e.Name+"="+e.Value)
		}
		args := []string{}
		for _, word := range c.Command[1:] {
			args = append(args, strings.Replace(word, "/etc/kora/preflight/kora.yaml", file, 1))
		}
		_, out, words := ran(environ, append(args, "--kubeconfig", pointed(t, server, &api.AuthInfo{}))...)
		if line := "namespace: " + want; job.Namespace != want || !strings.Contains("\n"+out+words, "\n"+line+"\n") {
			t.Errorf("a release in %s: not %q in\n%s%s", job.Namespace, line, out, words)
		}
	}
}

// R55: operator.preflight.timeoutSeconds is how long the hook Job may take, and its checks
// end before that, in time to say what they found.
func TestTheHookJobHasItsTime(t *testing.T) {
	for seconds, want := range map[int]time.Duration{10: 5 * time.Second, 60: 30 * time.Second, 119: 59 * time.Second, 120: time.Minute, 300: 4 * time.Minute, 3600: 59 * time.Minute} {
		job, _ := hookJob(t, "--set", fmt.Sprintf("operator.preflight.timeoutSeconds=%d", seconds))
		command := job.Spec.Template.Spec.Containers[0].Command
		at := slices.Index(command, "--timeout")
		if at < 0 || *job.Spec.ActiveDeadlineSeconds != int64(seconds) {
			t.Errorf("%d: %d, %q", seconds, *job.Spec.ActiveDeadlineSeconds, command)
			continue
		}
		if got, err := time.ParseDuration(command[at+1]); err != nil || got != want {
			t.Errorf("%d: %q, %v", seconds, command[at+1], err)
		}
	}
}
