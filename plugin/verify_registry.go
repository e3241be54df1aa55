package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/registry"
	"github.com/runkora/kora/verify/release"
	"github.com/runkora/kora/verify/report"
)

// registryFlags are those of the commands that ask registries.
type registryFlags struct {
	trustFlags
	plainHTTP bool
	workers   int
	conns     int
	timeout   time.Duration
	lock      string
	vsa       string
}

func (f *registryFlags) bind(flags *pflag.FlagSet) {
	f.trustFlags.bind(flags)
	flags.BoolVar(&f.plainHTTP, "allow-http-registry", false, "read registries without TLS too (one on this machine always may be)")
	flags.IntVar(&f.workers, "max-workers", release.DefaultParallel, "verify `N` artifacts at once")
	flags.IntVar(&f.conns, "max-connections", registry.DefaultLimits().Connections, "open at most `N` connections to one registry")
	flags.DurationVar(&f.timeout, "timeout", release.DefaultTimeout, "give up on one artifact after this `TIME`")
	flags.StringVar(&f.vsa, "vsa", "", "write a `FILE` with a verification summary, which is not signed")
}

// bindLock is for the commands that write a lock.
func (f *registryFlags) bindLock(flags *pflag.FlagSet) {
	flags.StringVar(&f.lock, "lock", "", "write a lock `FILE` with what was verified, once all of it is")
}

func (f *registryFlags) check() error {
	switch {
	case f.workers < 1 || f.conns < 1 || f.workers > 1000 || f.conns > 1000:
		return usageError{errors.New("--max-workers and --max-connections are numbers from 1 to 1000")}
	case f.timeout <= 0:
		return usageError{errors.New("--timeout is a time such as 90s")}
	}
	return f.checkOutput()
}

// client is the way to the registries, with the credentials of the docker
// config and no others.
func (f *registryFlags) client() *registry.Client {
	l := registry.DefaultLimits()
	l.Connections = f.conns
	return registry.New(registry.Options{
		Limits: l, Offline: f.roots.Offline, PlainHTTP: f.plainHTTP,
		Keychain: authn.DefaultKeychain, UserAgent: "kora/" + kora.Version(),
	})
}

// verifyAll is a whole run: everything that is wrong with what was given is
// told at once, then all items are verified, then all of it is told.
func (f *registryFlags) verifyAll(ctx context.Context, c *console, what string, items []release.Item) error {
	client := f.client()
	defer client.Close()
	found := release.Check(client, items)
	found = append(found, f.lockable(items)...)
	v, bad := f.verifier(ctx)
	if found = append(found, bad...); found.Refused() {
		return c.report(withFixes(found))
	}
	run := f.run(c, client, v)
	verdicts := run.All(ctx, items)
	return f.finish(c, found, what, items, verdicts)
}

func (f *registryFlags) run(c *console, client *registry.Client, v *verify.Verifier) release.Run {
	return release.Run{Client: client, Verifier: v, Builds: v, Parallel: f.workers, Timeout: f.timeout, Progress: c.progress()}
}

// finish prints the report, writes what was asked for beside it, and gives the
// exit status: 1 when something was refused, else 3 when something could not
// be checked.
func (f *registryFlags) finish(c *console, found faults.List, what string, items []release.Item, verdicts []verify.Verdict) error {
	r := verify.NewReport(verdicts...)
	found = append(found, release.Faults(items, verdicts)...)
	if !found.Refused() || c.diagnostics == string(faults.FormatText) {
		if err := f.printAll(c, r); err != nil {
			return err
		}
	}
	if err := cmp.Or(f.writeVSA(c, what, r), f.writeLock(c, r)); err != nil {
		return err
	}
	return c.report(withFixes(found))
}

func (f *registryFlags) printAll(c *console, r verify.Report) error {
	if f.output == "json" {
		return f.print(c, r)
	}
	_, err := fmt.Fprint(c.out, report.Text(r))
	return err
}

func (f *registryFlags) writeVSA(c *console, what string, r verify.Report) error {
	if f.vsa == "" {
		return nil
	}
	text, err := report.VSA(r, report.Summarized{Version: kora.Version(), Time: time.Now(), Resource: what, Policy: f.policy})
	if err != nil {
		c.say("note: " + err.Error())
		return nil
	}
	if err := os.WriteFile(f.vsa, text, 0o644); err != nil {
		return fmt.Errorf("write the verification summary: %w", err)
	}
	c.say("note: the verification summary is not signed: sign it before you hand it on")
	return nil
}

// writeLock writes nothing unless everything is verified.
func (f *registryFlags) writeLock(c *console, r verify.Report) error {
	if f.lock == "" {
		return nil
	}
	if r.Verified != len(r.Artifacts) {
		c.say("note: " + f.lock + " is not written: only what is verified stands in a lock")
		return nil
	}
	if err := release.Pin(r.Artifacts).Write(f.lock); err != nil {
		return fmt.Errorf("write the lock: %w", err)
	}
	return nil
}

// lockable refuses to lock what has no name in a registry.
func (f *registryFlags) lockable(items []release.Item) faults.List {
	var found faults.List
	for _, i := range items {
		if f.lock != "" && (i.What == release.Chart || i.What == release.Image) && !release.Lockable(i.Ref) {
			fault := faults.New(faults.BadRef, "a lock names artifacts of a registry, and this one is on disk")
			fault.File, fault.Fix = i.Ref, "leave out --lock, or verify the artifact in its registry"
			found = append(found, fault)
		}
	}
	return found
}

// progress counts on a terminal, and is silent everywhere else.
func (c *console) progress() func(done, all int) {
	file, ok := c.err.(*os.File)
	if !ok || c.getenv("CI") != "" || c.getenv("TERM") == "dumb" || c.diagnostics != string(faults.FormatText) || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func(done, all int) {
		end := ""
		if done == all {
			end = "\r\033[K"
		}
		fmt.Fprintf(c.err, "\r\033[K%d of %d looked at%s", done, all, end)
	}
}
