package testcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programNames are what a cluster needs; kubectl is for people.
var programNames = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "kubectl"}

// Binaries gives the folder of the control plane's programs: KUBEBUILDER_ASSETS
// when that holds all of them and K8S asks for no version, else the cache of
// tools/testcluster, into which they are built when they are not there yet.
// That takes many minutes, once.
func Binaries(ctx context.Context) (string, error) {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets != "" && os.Getenv("K8S") == "" && complete(assets) {
		return assets, nil
	}
	return Tool(ctx)
}

func complete(folder string) bool {
	for _, name := range programNames {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}

// Tool runs tools/testcluster with args ("helm-3" builds Helm) and gives the
// folder it prints.
func Tool(ctx context.Context, args ...string) (string, error) {
	root, err := repository()
	if err != nil {
		return "", err
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New("the control plane is built by the Go compiler, and there is no go on PATH")
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", ".", "-tied"}, args...)...)
	cmd.Dir = filepath.Join(root, "tools", "testcluster")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	// The build is tied to this end of its standard input: it stops when the
	// test that waits for it is stopped, even by a kill.
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	cmd.Cancel = pipe.Close
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("tools/testcluster: %s", lastWord(said.String(), err))
	}
	return strings.TrimSpace(string(out)), nil
}

// lastWord is the line the command ended with; what `go run` says about its
// exit status comes after it.
func lastWord(said string, err error) string {
	word := err.Error()
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "exit status ") {
			word = strings.TrimPrefix(line, "testcluster: ")
		}
	}
	return word
}

// repository is the folder above the working one that holds tools/testcluster;
// `go test` runs each package's tests in its own folder.
func repository() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "tools", "testcluster", "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("not inside kora's repository: tools/testcluster is not above the working folder")
		}
		at = filepath.Dir(at)
	}
}
