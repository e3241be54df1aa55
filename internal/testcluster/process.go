package testcluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A program is one of the control plane's, with its flags.
type program struct {
	name string
	args []string
}

// processes are the programs of one cluster that run.
type processes struct {
	bin, dir string
	starts   chan func()     // run on one thread: see newProcesses
	whole    context.Context // until the first of them ends, which is its cause
	broken   context.CancelCauseFunc
	guard    sync.Mutex // of running
	running  []*process
}

type process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended

	taken bool // its end is meant: see take; under the guard
}

// newProcesses keeps one operating system thread for all starts. The kernel
// kills a child when the thread that started it ends, so that thread has to
// live as long as the cluster, which the Go runtime promises of no other.
func newProcesses(bin, dir string) (*processes, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	p := &processes{bin: bin, dir: dir, starts: make(chan func())}
	p.whole, p.broken = context.WithCancelCause(context.Background())
	go func() {
		runtime.LockOSThread()
		for start := range p.starts {
			start()
		}
	}()
	return p, nil
}

// start runs a program with its output in NAME.log. It sees nothing of the
// surroundings: no proxy, no kubeconfig, and its home is the cluster's folder.
func (p *processes) start(what program) error {
	logName := filepath.Join(p.dir, what.name+".log")
	log, err := os.Create(logName)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(p.bin, what.name), what.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, log, log
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + p.dir, "TMPDIR=" + p.dir}
	cmd.SysProcAttr = mortal()
	started := make(chan error)
	p.starts <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return fmt.Errorf("%s: %w", what.name, err)
	}
	one := &process{cmd: cmd, log: logName, done: make(chan struct{})}
	p.guard.Lock()
	p.running = append(p.running, one)
	p.guard.Unlock()
	go p.await(one)
	return nil
}

// await ends all with the first that ends: without one of them the others
// only make their callers wait.
func (p *processes) await(one *process) {
	_ = one.cmd.Wait() // how it ended is in its ProcessState
	close(one.done)
	if p.isTaken(one) {
		return
	}
	if p.whole.Err() == nil {
		p.broken(one.failure())
	}
	p.kill()
}

// kill gives what it has killed: what they would save on a gentle end is
// thrown away anyway.
func (p *processes) kill() []*process {
	p.guard.Lock()
	defer p.guard.Unlock()
	for _, one := range p.running {
		_ = one.cmd.Process.Kill() // an error means that it has ended already
	}
	return slices.Clone(p.running)
}

func (p *processes) stop() {
	p.broken(errStopped)
	for _, one := range p.kill() {
		<-one.done
	}
	close(p.starts)
}

// ended is the error of the first program that does not run any more.
func (p *processes) ended() error { return context.Cause(p.whole) }

// poll asks until ready says nothing, a program ends or ctx does.
func (p *processes) poll(ctx context.Context, what string, ready func(context.Context) error) error {
	for {
		if err := p.ended(); err != nil {
			return err
		}
		err := p.ask(ctx, ready)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			oneLine := strings.Join(strings.Fields(err.Error()), " ") // readyz answers with a list
			return fmt.Errorf("waiting for %s: %w (last: %s)", what, ctx.Err(), oneLine)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// patience is for one question. Whoever else sits on a port that one of the
// programs could not have may take a connection and never answer.
const patience = 10 * time.Second

// ask puts one question, and drops it when a program ends meanwhile.
func (p *processes) ask(ctx context.Context, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer context.AfterFunc(p.whole, cancel)()
	return ready(ctx)
}
