package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kora "github.com/runkora/kora"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/settings"
	"k8s.io/client-go/tools/clientcmd"
)

// folder holds the config modules of the rendered chart, without ports. Of the
// operator's own, texts are replaced by others, in pairs.
func folder(t *testing.T, replace ...string) string {
	t.Helper()
	none := []string{"metrics: 8082", "metrics: 0", "probes: 8081", "probes: 0", "webhooks: 9443", "webhooks: 0"}
	return configured(t, nil, append(none, replace...)...)
}

// configured is folder with the chart's ports, and values.
func configured(t *testing.T, values map[string]any, replace ...string) string {
	t.Helper()
	at := t.TempDir()
	for name, text := range operatortest.Modules(t, values) {
		if name == "internal/operator.yaml" {
			text = strings.NewReplacer(replace...).Replace(text)
		}
		path := filepath.Join(at, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// R50: the statuses are those of all of kora, words go where words go, and
// nothing is on stdout but what was asked for.
func TestStatuses(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	for name, c := range map[string]struct {
		args   []string
		status int
		out    string
		words  string
	}{
		"version":         {[]string{"-version"}, done, kora.Version() + "\n", ""},
		"help":            {[]string{"-h"}, done, "", "-config"},
		"unknown flag":    {[]string{"-nothing"}, usage, "", "-nothing"},
		"an argument":     {[]string{"serve"}, usage, "", `takes no arguments, found ["serve"]`},
		"no settings":     {[]string{"-config", "nowhere"}, unchecked, "", "error: nowhere/internal/operator.yaml: the config module internal/operator cannot be read [KORA-Y005]"},
		"no fix of it":    {[]string{"-config", "nowhere"}, unchecked, "", "  fix:      give with -config the folder in which"},
		"an empty folder": {[]string{"-config", ""}, usage, "", "-config is empty: give the folder of the config modules, or leave the flag out for /etc/kora/config"},
		"a typo":          {[]string{"-config", folder(t, "syncPeriod:", "syncPeriode:")}, refused, "", `did you mean "syncPeriod"?`},
		"no cluster":      {[]string{"-config", folder(t)}, unchecked, "", "no access to the Kubernetes API"},
		"several dashes":  {[]string{"--version"}, done, kora.Version() + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, words bytes.Buffer
			if got := run(t.Context(), c.args, &out, &words); got != c.status || out.String() != c.out || !strings.Contains(words.String(), c.words) {
				t.Errorf("status %d, want %d\nstdout %q\nstderr %q", got, c.status, out.String(), words.String())
			}
		})
	}
}

// R50: logs are one JSON object a line, or text for people, from the level on.
func TestLogsAreAsConfigured(t *testing.T) {
	var out bytes.Buffer
	log := logger(settings.Observability{LogFormat: "json", LogLevel: "warn"}, &out)
	log.Info("not this")
	log.Error(context.Canceled, "this", "tenant", "data")
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line["msg"] != "this" || line["tenant"] != "data" || line["err"] != "context canceled" {
		t.Errorf("%v: %s", err, out.String())
	}
	out.Reset()
	logger(settings.Observability{LogFormat: "console", LogLevel: "odd"}, &out).Info("that")
	if !strings.Contains(out.String(), "msg=that") {
		t.Error(out.String())
	}
}

// R50: the whole operator, with every part, the chart's settings and exactly the
// chart's rights, starts where the chart is installed, and ends with status 0 when
// it is told to.
func TestOperatorStartsAndEnds(t *testing.T) {
	w := operatortest.New(t, nil)
	t.Setenv("KUBECONFIG", impersonating(t, w.Cluster.Kubeconfig()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var words syncBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"-config", folder(t), "-bind", "127.0.0.1"}, &bytes.Buffer{}, &words)
	}()
	operatortest.Eventually(t, func() error {
		if strings.Count(words.String(), `"Starting workers"`) < 4 {
			return errString(words.String())
		}
		return nil
	})
	cancel()
	if status := <-ended; status != done {
		t.Errorf("status %d", status)
	}
	for line := range strings.Lines(words.String()) {
		if complains(line) {
			t.Errorf("it complained: %s", line)
		}
	}
}

// complains leaves out what controller-runtime may say once it stops: that the
// lease, which it then gives back, is not held any more.
func complains(line string) bool {
	if strings.Contains(line, "error received after stop sequence was engaged") && strings.Contains(line, "leader election lost") {
		return false
	}
	return strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "forbidden")
}

// impersonating is a kubeconfig with the rights of the chart's ServiceAccount.
func impersonating(t *testing.T, kubeconfig string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		user.Impersonate = "system:serviceaccount:" + operatortest.System + ":kora-operator"
	}
	path := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}
