package testcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tool runs tools/testcluster with args ("helm-3" builds Helm) and gives the
// folder it prints.
func Tool(ctx context.Context, args ...string) (string, error) {
	if _, err := CacheFolder(); err != nil {
		return "", err
	}
	root, err := repository()
	if err != nil {
		return "", err
	}
	source := filepath.Join(root, "tools", "testcluster")
	if err := look(source); err != nil {
		return "", err
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New("the control plane is built by the Go compiler, and there is no go on PATH")
	}
	assets, err := absoluteAssets()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", ".", "-tied"}, args...)...)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "KUBEBUILDER_ASSETS="+assets)
	return answer(cmd)
}

// answer is the folder that the command prints, or the one line it says.
func answer(cmd *exec.Cmd) (string, error) {
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
	for line := range strings.Lines(said.String()) {
		if strings.HasPrefix(line, "testcluster: KUBEBUILDER_ASSETS") { // it is passed over, or not enough
			fmt.Fprint(os.Stderr, line)
		}
	}
	return strings.TrimSpace(string(out)), nil
}

// look reads all that decides what is built. The command reads it again: this
// is for `go test`, which sees only what the test itself reads, and else would
// give its result of a control plane that has changed since.
func look(source string) error {
	return filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		_, err = os.ReadFile(path)
		return err
	})
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
