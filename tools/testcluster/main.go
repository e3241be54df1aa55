// Command testcluster builds the programs that kora's tests need beside kora
// itself, into a cache outside the repository, and prints their folder:
//
//	testcluster            etcd, kube-apiserver, kube-controller-manager,
//	                       kube-scheduler, kubectl and kwok of K8S (default 1.36)
//	testcluster helm-3     helm; helm-4 likewise
//
// What is built already is only printed. Every failure is one line on standard
// error and exit status 3, and leaves nothing behind.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit statuses, the same as kora's own.
const (
	exitDone  = 0
	exitUsage = 2
	exitUnmet = 3 // no compiler, no download, no room: could not be done here
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its surroundings given.
func run(ctx context.Context, args []string, getenv func(string) string, in io.Reader, out, errs io.Writer) int {
	flags := flag.NewFlagSet("testcluster", flag.ContinueOnError)
	flags.SetOutput(errs)
	source := flags.String("source", "", "folder that holds k8s-*/go.mod (default: found from the working folder)")
	verbose := flags.Bool("v", false, "show what the compiler says")
	tied := flags.Bool("tied", false, "stop when standard input ends: for a caller that may be killed")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	if *tied {
		ctx = untilEnd(ctx, in)
	}
	wanted, err := pick(flags.Arg(0), getenv("K8S"))
	if err != nil || flags.NArg() > 1 {
		fmt.Fprintln(errs, "testcluster: usage: testcluster [-v] [helm-3|helm-4]:", err)
		return exitUsage
	}
	folder, err := provide(ctx, wanted, *source, *verbose, getenv, errs)
	if err != nil {
		fmt.Fprintln(errs, "testcluster:", err)
		return exitUnmet
	}
	fmt.Fprintln(out, folder)
	return exitDone
}

// untilEnd is ctx until in ends.
func untilEnd(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	return ctx
}

// provide gives the folder that holds the wanted programs.
func provide(ctx context.Context, wanted target, source string, verbose bool, getenv func(string) string, errs io.Writer) (string, error) {
	source, err := findSource(source)
	if err != nil {
		return "", err
	}
	root, err := cacheRoot(getenv)
	if err != nil {
		return "", err
	}
	b := builder{source: source, cache: root, words: errs, verbose: verbose}
	assets, err := readymade(wanted, getenv, errs)
	if err != nil {
		return "", err
	}
	if assets != "" {
		return b.combine(ctx, wanted, assets)
	}
	return b.ensure(ctx, wanted)
}
