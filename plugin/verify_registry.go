package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/login"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/lock"
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
	// ask and predicate are what attestations are asked for, nil and "" where
	// signatures are.
	ask       release.Question
	predicate string
}

func (f *registryFlags) bind(flags *pflag.FlagSet) {
	f.trustFlags.bind(flags)
	flags.BoolVar(&f.plainHTTP, "allow-http-registry", false, "read registries without TLS too (one on this machine always may be)")
	flags.IntVar(&f.workers, "max-workers", release.DefaultParallel, "verify `N` artifacts at once")
	flags.IntVar(&f.conns, "max-connections", registry.DefaultLimits().Connections, "open at most `N` connections to one registry")
	flags.DurationVar(&f.timeout, "timeout", release.DefaultTimeout, "give up on one artifact, or the chart or trust root of a run, after this `TIME`")
	f.bindVSA(flags)
}

// bindFiles is for a command that asks no registry.
func (f *registryFlags) bindFiles(flags *pflag.FlagSet) {
	f.trustFlags.bind(flags)
	f.bindVSA(flags)
	f.workers, f.conns, f.timeout = release.DefaultParallel, registry.DefaultLimits().Connections, release.DefaultTimeout
}

func (f *registryFlags) bindVSA(flags *pflag.FlagSet) {
	flags.StringVar(&f.vsa, "vsa", "", "write a `FILE` with verification summaries, one a line, which are not signed")
}

// bindLock is for the commands that write a lock.
func (f *registryFlags) bindLock(flags *pflag.FlagSet) {
	flags.StringVar(&f.lock, "lock", "", "write a lock `FILE` with what was verified, once all of it is")
}

// check looks at the flags; read are the files besides those of the trust that
// the command reads.
func (f *registryFlags) check(read ...string) error {
	switch {
	case f.workers < 1 || f.conns < 1 || f.workers > 1000 || f.conns > 1000:
		return usageError{errors.New("--max-workers and --max-connections are numbers from 1 to 1000")}
	case f.timeout <= 0:
		return usageError{errors.New("--timeout is a time such as 90s")}
	}
	return cmp.Or(f.checkOutput(), f.checkWritten(read))
}

// client is the way to the registries, with the credentials of the docker
// config and no others.
func (f *registryFlags) client() *registry.Client {
	l := registry.DefaultLimits()
	l.Connections = f.conns
	return registry.New(registry.Options{
		Limits: l, Offline: f.roots.Offline, PlainHTTP: f.plainHTTP,
		Keychain: login.Keychain(), UserAgent: "kora/" + kora.Version(),
	})
}

// verifyAll is a whole run: all items are verified, those that were wrong from
// the beginning stand among them, and then all of it is told. Items of one
// release are apart: two of their names are two artifacts.
func (f *registryFlags) verifyAll(ctx context.Context, c *console, found faults.List, items []release.Item, apart bool) error {
	if err := f.clear(); err != nil {
		return err
	}
	client := f.client()
	defer client.Close()
	items, twice := release.Once(items)
	items = f.lockable(release.Checked(client, items))
	v, bad := f.verifierWithin(ctx)
	if found = append(append(found, twice...), bad...); found.Refused() {
		return f.stopped(c, found, items)
	}
	run := f.run(c, client, v)
	verdicts := run.All(ctx, items)
	if apart {
		release.Apart(items, verdicts)
	}
	return f.finish(c, run, found, items, verdicts)
}

// verifierWithin is the verifier, whose trust root may come from a network.
func (f *registryFlags) verifierWithin(ctx context.Context) (*verify.Verifier, faults.List) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	return f.verifier(ctx)
}

// stopped ends a run that had nothing to verify with: the report names every
// artifact as one that was not looked at, and the faults say why.
func (f *registryFlags) stopped(c *console, found faults.List, items []release.Item) error {
	var unwritten error
	if f.output == "json" && c.diagnostics == string(faults.FormatText) {
		unwritten = f.print(c, verify.NewReport(release.Stopped(items, found)...))
	}
	for _, i := range items {
		found = append(found, i.Found...)
	}
	return c.ended(c.report(withFixes(found)), unwritten)
}

func (f *registryFlags) run(c *console, client *registry.Client, v *verify.Verifier) release.Run {
	return release.Run{
		Client: client, Verifier: v, Builds: v, Key: release.Fingerprint(f.policy.Key), Ask: f.ask,
		Parallel: f.workers, Timeout: f.timeout, Progress: c.progress(),
	}
}

// finish prints the report, writes what was asked for beside it, and gives the
// exit status: 1 when something was refused, else 3 when something could not
// be checked.
func (f *registryFlags) finish(c *console, run release.Run, found faults.List, items []release.Item, verdicts []verify.Verdict) error {
	r := verify.NewReport(verdicts...)
	found = append(append(found, release.Faults(items, verdicts)...), release.Untagged(f.policy, verdicts)...)
	var unwritten error
	if !found.Refused() || c.diagnostics == string(faults.FormatText) {
		unwritten = f.print(c, r)
	}
	if unwritten == nil {
		unwritten = cmp.Or(f.writeVSA(c, run, found, r), f.writeLock(c, run, found, r))
	}
	if unwritten == nil && !found.Refused() && !report.Whole(found, r) { // a fault of kora's own: say so, and never pass
		return errors.New("not everything is verified, and nothing says why")
	}
	return c.ended(c.report(withFixes(found)), unwritten)
}

func (f *registryFlags) writeVSA(c *console, run release.Run, found faults.List, r verify.Report) error {
	if f.vsa == "" {
		return nil
	}
	text, without, err := report.VSA(found, r, report.Summarized{Version: kora.Version(), Time: time.Now(), Policy: f.policy, Key: run.Key, Roots: f.trusted, Type: f.predicate})
	if err != nil {
		c.say("note: " + err.Error())
		return nil
	}
	for _, name := range without {
		c.say(fmt.Sprintf("note: there is no verification summary of %q: it was refused before its digest was known", name))
	}
	if err := lock.Replace(placeOf(f.vsa, maxLinks), text); err != nil {
		return fmt.Errorf("write the verification summary: %w", err)
	}
	c.say("note: the verification summaries are not signed: sign them before you hand them on")
	return nil
}

// writeLock writes nothing unless everything is verified.
func (f *registryFlags) writeLock(c *console, run release.Run, found faults.List, r verify.Report) error {
	if f.lock == "" {
		return nil
	}
	if !report.Whole(found, r) {
		c.say("note: " + f.lock + " is not written: only what is verified stands in a lock")
		return nil
	}
	if err := run.Pin(r.Artifacts).Write(f.lock); err != nil {
		return fmt.Errorf("write the lock: %w", err)
	}
	return nil
}

// lockable refuses to lock what has no name in a registry.
func (f *registryFlags) lockable(items []release.Item) []release.Item {
	for n, i := range items {
		if f.lock != "" && !i.Found.Refused() && (i.What == release.Chart || i.What == release.Image) && !release.Lockable(i.Ref) {
			fault := faults.New(faults.BadRef, "a lock names artifacts of a registry, and this one is on disk")
			fault.File, fault.Fix = i.Ref, "leave out --lock, or verify the artifact in its registry"
			items[n].Found = append(i.Found, fault)
		}
	}
	return items
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
