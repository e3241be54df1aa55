//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
)

const (
	system  = "kora-system"
	tenant  = "acme"
	version = "1.4.0" // the VERSION file's
	next    = "1.4.1" // the same charts under a later version
)

// world is one run: a blank cluster, the programs, and the folder that a person
// works in.
type world struct {
	*testing.T
	cluster *testcluster.Cluster
	dir     string
	bin     string // a folder with helm, kubectl, kora and kora-operator
	charts  string // the URL that charts are served at
	mirror  string // of the registry for images
	process *process

	services *services
}

// say prints what was done or checked, at once: a run takes minutes.
func (w *world) say(format string, args ...any) {
	fmt.Printf("   %s\n", fmt.Sprintf(format, args...))
}

// command runs a program as a person would, in the folder.
func (w *world) command(env []string, in, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(w.Context(), program, args...)
	if !strings.Contains(program, "/") {
		cmd.Path = filepath.Join(w.bin, program)
		cmd.Err = nil
	}
	cmd.Dir, cmd.Stdin, cmd.Env = w.dir, strings.NewReader(in), w.environment(env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// environment has nothing of the person who runs this: neither a cluster nor plugins.
func (w *world) environment(more ...string) []string {
	home := filepath.Join(w.dir, "home")
	return append(append(os.Environ(), "PATH="+w.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "KUBECONFIG="+w.cluster.Kubeconfig(),
		"HOME="+home, "HELMFILE_CACHE_HOME="+home, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home,
		"HELM_PLUGINS="+home, "HELMFILE_UPGRADE_NOTICE_DISABLED=true", "HELM_NAMESPACE="), more...)
}

// do is a command that has to succeed.
func (w *world) do(program string, args ...string) string {
	w.Helper()
	out, err := w.command(nil, "", program, args...)
	if err != nil {
		w.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return out
}

// apply hands objects to the API server.
func (w *world) apply(text string) {
	w.Helper()
	if out, err := w.command(nil, text, "kubectl", "apply", "--server-side", "--force-conflicts", "-f", "-"); err != nil {
		w.Fatalf("kubectl apply: %v\n%s", err, out)
	}
}

// get is one object of the cluster.
func (w *world) get(args ...string) map[string]any {
	w.Helper()
	var o map[string]any
	text := w.do("kubectl", append([]string{"get", "-o", "yaml"}, args...)...)
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		w.Fatalf("%v: %s", err, text)
	}
	return o
}

// path is what a jsonpath gives.
func (w *world) path(expression string, args ...string) string {
	w.Helper()
	return w.do("kubectl", append([]string{"get", "-o", "jsonpath=" + expression}, args...)...)
}

// becomes waits until a jsonpath gives what is wanted.
func (w *world) becomes(want, expression string, args ...string) {
	w.Helper()
	w.eventually(func() error {
		got, err := w.command(nil, "", "kubectl", append([]string{"get", "-o", "jsonpath=" + expression}, args...)...)
		if err == nil && got != want {
			err = fmt.Errorf("%s of %s is %q and not %q", expression, strings.Join(args, " "), got, want)
		}
		if err != nil && got != "" {
			err = fmt.Errorf("%w: %s", err, got)
		}
		return err
	})
}

func (w *world) eventually(try func() error) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), 2*time.Minute)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return
		}
		if w.process.gone() {
			w.Fatalf("kora-operator has ended: %v\n%s", err, w.process.tail())
		}
		select {
		case <-ctx.Done():
			w.Fatalf("still after two minutes: %v\n%s", err, w.process.tail())
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// write makes a file of the folder.
func (w *world) write(name, text string) string {
	w.Helper()
	at := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	return at
}

// documents are the objects of a YAML stream.
func documents(t testing.TB, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for each := range strings.SplitSeq("\n"+text, "\n---\n") {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(each), &o); err != nil {
			t.Fatalf("%v in\n%s", err, each)
		}
		if o != nil {
			all = append(all, o)
		}
	}
	return all
}

// at reads a nested map, nil where there is none.
func at(o map[string]any, path ...string) any {
	var value any = o
	for _, key := range path {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}
