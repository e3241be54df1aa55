package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/runkora/kora/internal/testcluster"
)

// up starts the cluster unless it runs, and prints how to reach it. One is at
// work in a folder at a time: each would remove the other's files.
func up(ctx context.Context, given settings, out, errs io.Writer) error {
	place := state(given.state)
	if err := place.own(); err != nil {
		return err
	}
	turn, err := place.turn(ctx, errs)
	if err != nil {
		return err
	}
	defer turn.Close()
	version, port, err := place.settled(ctx, errs)
	if err != nil {
		return err
	}
	if version != "" {
		if err = fits(version, port, given); err == nil {
			fmt.Fprintf(errs, "cluster: Kubernetes %s runs already\n", version)
		}
	} else {
		err = start(ctx, given, errs)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, place.exports())
	return err
}

func start(ctx context.Context, given settings, errs io.Writer) error {
	place := state(given.state)
	fmt.Fprintln(errs, "cluster: making sure that its programs are built, which takes minutes the first time")
	folder, err := programs(ctx, place, given.helm)
	if err == nil {
		err = detach(ctx, given, folder)
	}
	if err != nil {
		return errors.Join(err, place.clear())
	}
	return nil
}

// programs gives the control plane's folder, and links what a person calls
// into the state's.
func programs(ctx context.Context, place state, helm bool) (string, error) {
	folder, err := testcluster.Binaries(ctx)
	if err != nil {
		return "", err
	}
	links := map[string]string{"kubectl": filepath.Join(folder, "kubectl")}
	if helm {
		for name, tool := range map[string]string{"helm": "helm-3", "helm4": "helm-4"} {
			built, err := testcluster.Tool(ctx, tool)
			if err != nil {
				return "", err
			}
			links[name] = filepath.Join(built, "helm")
		}
	}
	if err := errors.Join(place.clear(), os.MkdirAll(place.bin(), 0o700)); err != nil {
		return "", err
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(place.bin(), name)); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// detach runs hold in a session of its own and waits for its word on a pipe.
// Should this process be killed meanwhile, hold's word finds no reader, and it stops.
func detach(ctx context.Context, given settings, folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(state(given.state).file("log"))
	if err != nil {
		return err
	}
	defer log.Close()
	word, told, err := os.Pipe()
	if err != nil {
		return err
	}
	defer word.Close()
	cmd := exec.Command(self, "hold", "-state", given.state, "-binaries", folder, "-port", fmt.Sprint(given.port))
	cmd.Dir, cmd.Stdout, cmd.Stderr = "/", log, log
	cmd.ExtraFiles = []*os.File{told}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	told.Close()
	if err != nil {
		return err
	}
	stopping := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	defer stopping()
	said, _ := bufio.NewReader(word).ReadString('\n')
	if said != ready {
		_ = cmd.Wait()
		if said = strings.TrimSpace(said); said == "" { // killed, it could not say why
			said = fmt.Sprintf("its process ended: %s (see %s)", cmd.ProcessState, log.Name())
		}
		return errors.New("not started: " + said)
	}
	return cmd.Process.Release()
}

// ready is hold's word when all is well; any other is what went wrong.
const ready = "ready\n"
