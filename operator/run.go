package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/go-logr/logr"
	kora "github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/operator/lines"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/settings"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
)

// The exit statuses, as everywhere in kora.
const (
	done = iota
	refused
	usage
	unchecked
)

// run is the command: it ends with the context, or when the manager fails.
func run(ctx context.Context, args []string, out, words io.Writer) int {
	flags := flag.NewFlagSet("kora-operator", flag.ContinueOnError)
	flags.SetOutput(words)
	folder := flags.String("config", settings.Folder, "folder of the config modules, as the chart mounts it")
	host := flags.String("bind", "", "address to listen on; empty: every one")
	version := flags.Bool("version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return done
	case err != nil:
		return usage
	case flags.NArg() > 0:
		fmt.Fprintf(words, "kora-operator takes no arguments, found %q\n", flags.Args())
		return usage
	}
	if *version {
		fmt.Fprintln(out, kora.Version())
		return done
	}
	if *folder == "" {
		fmt.Fprintf(words, "kora-operator: -config is empty: give the folder of the config modules, or leave the flag out for %s\n", settings.Folder)
		return usage
	}
	s, found := settings.Load(regular.Folder(*folder), *folder)
	if len(found) > 0 {
		return told(found, words)
	}
	return serve(ctx, s, *host, words)
}

// told prints faults of the settings, and gives the status: refused when any of
// them was checked.
func told(found faults.List, words io.Writer) int {
	printer, err := faults.NewPrinter(faults.FormatText, words, faults.Options{})
	status := unchecked
	for _, f := range found {
		err = errors.Join(err, printer.Write(f))
		if !f.Code.Unchecked() {
			status = refused
		}
	}
	if err := errors.Join(err, printer.Flush()); err != nil {
		return unchecked
	}
	return status
}

// serve runs the manager with every part.
func serve(ctx context.Context, s settings.Settings, host string, words io.Writer) int {
	log := logger(s.Observability, words)
	ctrl.SetLogger(log)
	klog.SetLogger(log)
	slog.SetDefault(slog.New(logr.ToSlogHandler(lines.New().Of(log)))) // what net/http says of its own, of whoever connects
	access, err := ctrl.GetConfig()
	if err != nil {
		log.Error(err, "no access to the Kubernetes API")
		return unchecked
	}
	if bytes := limitMemory(os.Getenv); bytes > 0 {
		log.Info("the memory that the collector keeps to", "bytes", bytes)
	}
	now := clock.RealClock{}
	all, server := parts(s, now, host)
	mgr, err := manager.New(manager.Options{Settings: s, Access: access, Log: log, Host: host, Parts: all, Webhooks: server})
	if err != nil {
		log.Error(err, "the manager could not be made")
		return unchecked
	}
	if err := mgr.Start(ctx); err != nil {
		log.Error(err, "the manager ended")
		return unchecked
	}
	return done
}
