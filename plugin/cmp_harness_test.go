package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"sigs.k8s.io/yaml"
)

// cmpServer keeps the contract of Argo CD's cmp-server with a plugin (R43): each
// call has a fresh copy of the repository, the environment of the sidecar with
// what Argo CD and the Application give behind it, the application's folder to
// work in, a process group and a deadline that kills it; stdout counts only where
// the status is 0, and stderr is shown behind the whole line.
type cmpServer struct {
	program  string   // in kora's place: one that was built for the test
	sidecar  []string // the sidecar's own variables
	deadline time.Duration
	kills    bool                // at the deadline, with no signal before
	prepare  func(folder string) // what no repository can bring, such as a pipe
}

// application is what Argo CD knows of one.
type application struct {
	files  map[string]string // of its folder; "-> TARGET" is a link
	plugin argo.ApplicationSourcePlugin
	more   []string // in place of what Argo CD says itself
}

// answer is what a call comes to.
type answer struct {
	out, words string
	shown      string // in Argo CD's UI, of a call that failed
	status     int
	memory     int64 // the most that it held, in bytes
}

// pluginFile is the plugin's own file, in the form that Argo CD reads.
type pluginFile struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version  string     `json:"version"`
		Init     pluginLine `json:"init"`
		Generate pluginLine `json:"generate"`
		Discover struct {
			FileName string `json:"fileName"`
			Find     struct {
				pluginLine
				Glob string `json:"glob"`
			} `json:"find"`
		} `json:"discover"`
		Parameters struct {
			Static  []any      `json:"static"`
			Dynamic pluginLine `json:"dynamic"`
		} `json:"parameters"`
		PreserveFileMode bool `json:"preserveFileMode"`
		ProvideGitCreds  bool `json:"provideGitCreds"`
	} `json:"spec"`
}

type pluginLine struct {
	Command []string `json:"command"`
	Args    []string `json:"args"`
}

func ownPlugin(t testing.TB) pluginFile {
	t.Helper()
	text, err := os.ReadFile("../argocd/plugin/plugin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var p pluginFile
	if err := yaml.UnmarshalStrict(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (s cmpServer) generate(t testing.TB, a application) answer {
	t.Helper()
	c := ownPlugin(t).Spec.Generate
	return s.call(t, a, append(c.Command, c.Args...)...)
}

func (s cmpServer) call(t testing.TB, a application, line ...string) answer {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "repository", "apps", "kora")
	checkOut(t, folder, a.files)
	if s.prepare != nil {
		s.prepare(folder)
	}
	if s.deadline == 0 {
		s.deadline = time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), s.deadline)
	defer cancel()
	program := line[0]
	if s.program != "" {
		program = s.program
	}
	cmd := exec.CommandContext(ctx, program, line[1:]...)
	cmd.Dir, cmd.Env = folder, append(s.environ(), a.environ(t)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	cmd.Cancel = func() error {
		if !s.kills {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		}
		return cmd.Process.Kill() // the server's context does it in the same moment
	}
	memory, err := runMeasured(cmd)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	got := answer{out: out.String(), words: words.String(), status: cmd.ProcessState.ExitCode(), memory: memory}
	if err != nil {
		got.shown = fmt.Sprintf("`%s` failed %v: %s", strings.Join(line, " "), err, strings.TrimSpace(got.words))
	}
	if got.status == 0 && len(got.out) == 0 && strings.Join(line, " ") == "kora cmp generate" {
		t.Error("an empty answer with status 0: Argo CD would delete everything")
	}
	if flag := regexp.MustCompile(`--[a-z][a-z-]+|standard input`).FindString(got.words); flag != "" {
		t.Errorf("Argo CD gives no %s:\n%.3000s", flag, got.words)
	}
	if got.status != 0 && got.out != "" {
		t.Errorf("a refused call prints on stdout:\n%s", got.out)
	}
	return got
}

func (s cmpServer) environ() []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.TempDir(), "NO_PROXY=*", "GORACE=" + os.Getenv("GORACE")}, s.sidecar...)
}

// environ is what Argo CD sends, by its own code where that is a part of its types.
func (a application) environ(t testing.TB) []string {
	t.Helper()
	env := []string{
		"ARGOCD_APP_NAME=shop", "ARGOCD_APP_NAMESPACE=kora-system", "ARGOCD_APP_PROJECT_NAME=default", "ARGOCD_APP_REVISION=0123456789",
		"ARGOCD_APP_SOURCE_PATH=apps/kora", "ARGOCD_APP_SOURCE_REPO_URL=https://git.example.com/gitops.git", "ARGOCD_APP_SOURCE_TARGET_REVISION=main",
		"KUBE_VERSION=1.36.0", "KUBE_API_VERSIONS=v1,apps/v1,apps/v1/Deployment",
	}
	for _, e := range a.plugin.Env {
		env = append(env, "ARGOCD_ENV_"+e.Name+"="+e.Value)
	}
	more, err := a.plugin.Parameters.Environ()
	if err != nil {
		t.Fatal(err)
	}
	return append(append(env, more...), a.more...)
}

func checkOut(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		at := filepath.Join(folder, name)
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if target, link := strings.CutPrefix(text, "-> "); link && err == nil {
			err = os.Symlink(target, at)
		} else if err == nil {
			err = os.WriteFile(at, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func text(t testing.TB, path string) string {
	t.Helper()
	out, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// parameter is one in the form that Argo CD has for it.
func parameter(name, value string) argo.ApplicationSourcePluginParameter {
	return argo.ApplicationSourcePluginParameter{Name: name, String_: &value}
}

func parameters(name string, values ...string) argo.ApplicationSourcePluginParameter {
	return argo.ApplicationSourcePluginParameter{Name: name, OptionalArray: &argo.OptionalArray{Array: values}}
}

func given(all ...argo.ApplicationSourcePluginParameter) argo.ApplicationSourcePlugin {
	return argo.ApplicationSourcePlugin{Name: "kora", Parameters: all}
}

const goodValues = "../testdata/releases/kora/values.yaml"
