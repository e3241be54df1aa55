package main

import (
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// A result that cannot be written is no success, of any command that prints one;
// what was refused stays refused.
func TestResultsThatCannotBeWrittenAreNoSuccess(t *testing.T) {
	values := goodValues
	for _, line := range []string{
		"version", "--version", "--help", "help render", "theme schema", "cmp parameters",
		"render -f " + values, "validate --diagnostics json -f " + values, "generate argocd --plan", "generate helmfile --plan=mermaid", "generate schema", "theme --help",
		"upgrade plan --from 1.3.2 --to 1.4.0 --allow-unchecked", "upgrade plan --from 1.3.2 --to 1.4.0 --allow-unchecked -o json",
	} {
		args := strings.Fields(line)
		if line, status := line, run(args, streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, nil); status != exitDone {
			t.Errorf("%s: status %d with a stdout that takes it", line, status)
		}
		for _, err := range []error{syscall.EPIPE, syscall.EBADF, syscall.ENOSPC, errors.New("gone")} {
			var words strings.Builder
			status := run(args, streams{in: strings.NewReader(""), out: broken{err}, err: &words}, nil)
			if status != exitUnchecked || strings.Count(words.String(), "error: the result cannot be written: "+err.Error()) != 1 {
				t.Errorf("%s, %v: status %d, %s", line, err, status, words.String())
			}
		}
	}
	if status := run([]string{"validate", "--diagnostics", "json", "-f", "nothing/../root.go"}, streams{out: broken{syscall.EPIPE}, err: io.Discard}, nil); status == exitDone {
		t.Error("refused values are taken where nothing can be written")
	}
}
