package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/generator/environment"
)

// R38: a pipe that nobody writes to holds neither the environment nor the lock, nor
// a folder of values up.
func TestGenerateDoesNotWaitForPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*generateFlags{"-e": {environment: pipe}, "--lock": {lock: pipe}, "-f": {values: []string{pipe}}} {
		_, _, found := f.read(strings.NewReader(""), example(), func(*environment.Environment) []place { return nil })
		if !found.Refused() || found[0].File != pipe || !strings.Contains(found[0].Message+found[0].Found, "named pipe") {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if _, _, found := (place{pipe, "values/kora.yaml"}).read(1); !found.Refused() || !strings.Contains(found[0].Message, "named pipe") {
		t.Errorf("%+v", found)
	}
}
