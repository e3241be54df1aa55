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
)

// Exit statuses, the same as kora's own.
const (
	exitDone  = 0
	exitUsage = 2
	exitUnmet = 3 // could not be done here
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
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
	if given.state == "" {
		cache, err := cacheFolder()
		if err != nil {
			fmt.Fprintln(errs, "cluster:", err)
			return given, err
		}
		given.state = filepath.Join(cache, "cluster")
	}
	var err error
	given.state, err = filepath.Abs(given.state)
	return given, err
}

func cacheFolder() (string, error) {
	if cache := os.Getenv("KORA_CACHE"); cache != "" {
		return cache, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", errors.New("no cache folder: set KORA_CACHE")
	}
	return filepath.Join(cache, "kora"), nil
}
