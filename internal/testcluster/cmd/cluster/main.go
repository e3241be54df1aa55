// Command cluster runs the tests' control plane for a person:
//
//	cluster up      starts it in the background and prints what a shell needs:
//	                eval "$(cluster up)"
//	cluster down    stops it
//
// There is one for each cache folder. It holds a kubeconfig and, in bin, the
// kubectl of its version, helm (version 3) and helm4.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/runkora/kora/internal/testcluster"
)

// Exit statuses, the same as kora's own.
const (
	exitDone  = 0
	exitUsage = 2
	exitUnmet = 3 // could not be done here
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are the flags of all three commands.
type settings struct {
	state string
	port  int
	helm  bool
	bin   string // only for hold: the folder of the programs
}

// run is main with its streams given.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		args = []string{""}
	}
	commands := map[string]func(context.Context, settings, io.Writer, io.Writer) error{"up": up, "down": down, "hold": hold}
	command, ok := commands[args[0]]
	if !ok {
		fmt.Fprintln(errs, "cluster: usage: cluster up|down [-port N]")
		return exitUsage
	}
	given, err := parse(args, errs)
	if err != nil {
		return exitUsage
	}
	if err := given.check(args[0]); err != nil {
		fmt.Fprintln(errs, "cluster:", err)
		return exitUsage
	}
	if err := given.locate(); err != nil {
		fmt.Fprintln(errs, "cluster:", err)
		return exitUnmet
	}
	if err := command(ctx, given, out, errs); err != nil {
		fmt.Fprintln(errs, "cluster:", err)
		return exitUnmet
	}
	return exitDone
}

func parse(args []string, errs io.Writer) (settings, error) {
	var given settings
	flags := flag.NewFlagSet("cluster "+args[0], flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&given.state, "state", "", "folder of the kubeconfig (default: in the cache, which KORA_CACHE moves)")
	flags.IntVar(&given.port, "port", 0, "the API server's port on 127.0.0.1 (default: any free one)")
	flags.BoolVar(&given.helm, "helm", true, "build Helm too")
	flags.StringVar(&given.bin, "binaries", "", "for hold: folder of the programs")
	if err := flags.Parse(args[1:]); err != nil {
		return given, err
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "cluster: usage: cluster up|down [-port N]: not %q\n", flags.Arg(0))
		return given, errors.New("an argument too many")
	}
	return given, nil
}

// check refuses what can be right nowhere.
func (s settings) check(command string) error {
	if s.port < 0 || s.port > 65535 {
		return fmt.Errorf("-port %d: a port is at most 65535", s.port)
	}
	if command == "down" { // it stops whatever runs
		return nil
	}
	_, err := testcluster.Version()
	return err
}

// locate makes the folder's path absolute: hold runs elsewhere.
func (s *settings) locate() (err error) {
	if s.state == "" {
		cache, err := testcluster.CacheFolder()
		if err != nil {
			return err
		}
		s.state = filepath.Join(cache, "cluster")
	}
	s.state, err = filepath.Abs(s.state)
	return err
}
