package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	api "k8s.io/client-go/tools/clientcmd/api"

	group "github.com/runkora/kora/internal/program"
)

const (
	// credentialLimit is the most that a credential program may print, in bytes:
	// a token, a certificate and a key are a few KiB.
	credentialLimit = fileLimit
	// saidLimit is the most of its standard error that is passed on, in bytes.
	saidLimit = 64 << 10
	// grace is how long what a program started may hold its output open after it.
	grace = time.Second
)

// NoCredential is a kubeconfig's program that gave no credential.
type NoCredential struct {
	Program, Why string
	Hint         string // the kubeconfig's own, of how to install the program
	lasting      bool   // it could not even be run
}

// credentials is what each of its texts begins with, as the libraries' do.
const credentials = "getting credentials: "

// Error is of error.
func (n *NoCredential) Error() string {
	text := credentials + "the kubeconfig's program " + n.Program + " " + n.Why
	if n.Hint != "" {
		text += ": " + n.Hint
	}
	return text
}

// printed is what the program writes to its standard output. It is ended with
// all that it started, as a group of its own, when the context ends or it prints
// too much. One that asks a person stays in the terminal's group, where that
// person ends it; then the program itself is ended.
func printed(ctx context.Context, program *api.ExecConfig, question string, asks bool) ([]byte, error) {
	run, end := context.WithCancel(ctx)
	defer end()
	out := &limited{left: credentialLimit, beyond: end}
	cmd := exec.CommandContext(run, program.Command, program.Args...)
	cmd.Env = os.Environ()
	for _, e := range program.Env {
		cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
	}
	cmd.Env = append(cmd.Env, "KUBERNETES_EXEC_INFO="+question)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, &limited{to: os.Stderr, left: saidLimit}, grace
	if asks {
		cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	} else {
		group.Apart(cmd)
	}
	err := cmd.Run()
	if out.over {
		return nil, &NoCredential{Program: program.Command, Why: fmt.Sprintf("prints more than %d MiB, and was ended", credentialLimit>>20)}
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, &NoCredential{Program: program.Command, Why: "did not end in time, and was ended"}
	}
	return out.kept.Bytes(), unrun(program, err)
}

// unrun says why a program did not end well, nil where it did.
func unrun(program *api.ExecConfig, err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrWaitDelay):
		return &NoCredential{Program: program.Command, Why: "has ended, and what it started holds its output open"}
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return &NoCredential{Program: program.Command, Why: fmt.Sprintf("failed with status %d", exit.ExitCode())}
	case errors.As(err, &exit):
		return &NoCredential{Program: program.Command, Why: "was ended"}
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return &NoCredential{Program: program.Command, Why: "is not there", Hint: program.InstallHint, lasting: true}
	}
	return &NoCredential{Program: program.Command, Why: "cannot be run: " + reason(err), Hint: program.InstallHint, lasting: true}
}

// limited passes a text on, or keeps it, as far as it may be long.
type limited struct {
	to     io.Writer // nil: it is kept
	kept   bytes.Buffer
	left   int
	over   bool
	beyond func() // nil: what is too much is dropped
}

// Write is of io.Writer.
func (l *limited) Write(text []byte) (int, error) {
	n := min(len(text), l.left)
	l.left -= n
	var err error
	if l.to == nil {
		l.kept.Write(text[:n])
	} else if n > 0 {
		_, err = l.to.Write(text[:n])
	}
	if n < len(text) && l.beyond != nil {
		l.over = true
		l.beyond()
		return n, io.ErrShortWrite
	}
	return len(text), err
}
