package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/runkora/kora/internal/kube"
	engine "github.com/runkora/kora/operator/preflight"
	state "github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/preflight"
)

// preflightFlags are those of kora preflight.
type preflightFlags struct {
	source  preflight.Source
	only    []string
	skip    []string
	wait    time.Duration
	output  string
	bundle  string
	timeout time.Duration
	checks  []engine.Check
}

func newPreflight(c *console) *cobra.Command {
	f := &preflightFlags{}
	cmd := &cobra.Command{
		Use:   "preflight -f FILE…",
		Short: "check that a cluster has what kora needs, before anything is installed",
		Long: "preflight looks at the cluster, at PostgreSQL and at Redis as the values name them, and\n" +
			"tries what would be installed by a dry run. Each check that fails says what to do. It\n" +
			"changes nothing. Warnings fail only under --strict; what could not be read is neither\n" +
			"good nor bad, and ends with status 3, as does what was asked for and left out.\n\n" +
			preflightNames(),
		Example: "  kora preflight -f kora.yaml\n" +
			"  kora preflight -f kora.yaml --only istio,spire --wait 5m -o junit\n" +
			"  kora preflight collect -f kora.yaml --to dump && kora preflight -f kora.yaml --bundle dump",
		Args: noArguments,
		RunE: ending(func(cmd *cobra.Command, _ []string) error {
			if err := f.choose(cmd.Flags()); err != nil {
				return err
			}
			return runPreflight(cmd.Context(), c, f)
		}),
	}
	flags := cmd.Flags()
	f.bind(flags, c)
	flags.StringSliceVar(&f.only, "only", nil, "only these `CHECKS` or categories, and what they need")
	flags.StringSliceVar(&f.skip, "skip", nil, "leave out these `CHECKS` or categories")
	flags.DurationVar(&f.wait, "wait", 0, "try again until nothing fails any more, for this long")
	flags.StringVarP(&f.output, "output", "o", "text", "print `FORMAT`: "+strings.Join(preflight.Formats(), ", "))
	flags.StringVar(&f.bundle, "bundle", "", "judge what kora preflight collect wrote to `DIR`, and ask no cluster: flags of the cluster are for the fixes")
	flags.BoolVar(&c.strict, "strict", false, "take warnings for failures")
	cmd.AddCommand(newPreflightCollect(c))
	return cmd
}

// bind is for what collect takes as well.
func (f *preflightFlags) bind(flags *pflag.FlagSet, c *console) {
	bindCluster(flags, c, &f.source.Place)
	bindValues(flags, &f.source.Values)
	flags.StringVar(&f.source.Namespace, "namespace", "", "the system `NAMESPACE` (default kora-system)")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "how long a look at the cluster may take, and a run without --wait")
	flags.BoolVar(&f.source.NoServices, "no-services", false, "do not connect to PostgreSQL and Redis, as from a machine that cannot reach them")
}

// ending ends what a run has started at the first ^C, such as the program of a
// kubeconfig, and leaves the second to the system.
func ending(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		cmd.SetContext(ctx)
		return run(cmd, args)
	}
}

func (f *preflightFlags) complete(c *console) error {
	if !slices.Contains(preflight.Formats(), f.output) {
		return usageError{fmt.Errorf("no output format %q: use %s", f.output, strings.Join(preflight.Formats(), ", "))}
	}
	if f.timeout <= 0 || f.wait < 0 {
		return usageError{errors.New("--timeout and --wait are how long, such as 30s")}
	}
	if f.bundle != "" && f.wait > 0 {
		return usageError{errors.New("--wait is for a live cluster, and a bundle does not change")}
	}
	if f.bundle != "" && f.source.NoServices {
		return usageError{errors.New("--no-services is for a live cluster, and a bundle holds what was asked when it was collected: --skip services leaves that out")}
	}
	f.source.Namespace = c.systemNamespace(f.source.Namespace)
	f.source.Values.Stdin = c.in
	f.source.NoTrial = slices.Contains(f.skip, "admission")
	return nil
}

func runPreflight(ctx context.Context, c *console, f *preflightFlags) error {
	if err := f.complete(c); err != nil {
		return err
	}
	c.reports = true
	f.source.Checks = engine.Judged(f.checks)
	plan, found := f.source.Plan(ctx, time.Now) // of no cluster: its bounds are the chart's own
	if c.refuses(found) {
		return f.unseen(c, "values", found)
	}
	if !c.machine() { // whose report is one document, at the end
		if err := c.report(withFixes(found)); err != nil {
			return err
		}
		found = nil
	}
	ctx, cancel := context.WithTimeout(kube.Quiet(ctx), max(f.wait, f.timeout))
	defer cancel()
	look := func(ctx context.Context) (*state.Facts, error) { return plan.Look(ctx, f.timeout) }
	if plan.Settings.Collected = f.bundle != ""; plan.Settings.Collected {
		look = func(context.Context) (*state.Facts, error) { return preflight.ReadBundle(f.bundle) }
	}
	report, err := f.until(ctx, c, func(ctx context.Context) (preflight.Report, error) {
		seen, err := look(ctx)
		if err != nil {
			return preflight.Report{}, err
		}
		return f.report(c, engine.Judge(f.checks, seen, plan.Settings), plan.Settings.Namespace, seen.Cluster), nil
	})
	if err != nil {
		return f.unseen(c, f.by(), append(f.blind(err), found...))
	}
	if len(found) > 0 { // the checks are no faults, and an empty list of those would say that all is well
		if err := c.later(found); err != nil {
			return err
		}
	}
	return f.print(c, report)
}

// until looks again while something fails that may mend by itself, and --wait has
// not passed. The run's time is the context's: a look that it cuts off tells less
// than the one before, which is then what counts.
func (f *preflightFlags) until(ctx context.Context, c *console, look func(context.Context) (preflight.Report, error)) (last preflight.Report, failed error) {
	end, failed := time.Now().Add(f.wait), errNoLook
	for {
		report, err := look(ctx)
		whole := err == nil && !passed(ctx)
		if whole || failed != nil {
			last, failed = report, err
		}
		if whole && report.Settled() || kube.Lasting(err) || !time.Now().Before(end) || passed(ctx) {
			return last, failed
		}
		c.say("waiting: " + f.waitsFor(report, err))
		select {
		case <-ctx.Done():
			return last, failed
		case <-time.After(min(5*time.Second, max(time.Until(end), 0))):
		}
	}
}

// passed reports whether a run's time has passed: what it cut off may be back before
// the context says so.
func passed(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(end)
}

// errNoLook is what until begins with.
var errNoLook = errors.New("nobody looked")

func (f *preflightFlags) waitsFor(r preflight.Report, err error) string {
	if err == nil {
		return r.Summary()
	}
	return f.blind(err)[0].Message
}

// exit is the same for every format.
func (f *preflightFlags) exit(r preflight.Report) int {
	switch {
	case r.Refused():
		return exitRefused
	case r.Undecided():
		return exitUnchecked
	}
	return exitDone
}

func (f *preflightFlags) print(c *console, r preflight.Report) error {
	if err := f.write(c, r); err != nil {
		return err
	}
	if s := f.exit(r); s != exitDone {
		return status(s)
	}
	return nil
}

func (f *preflightFlags) write(c *console, r preflight.Report) error {
	text, err := r.Print(f.output)
	if err != nil {
		return err
	}
	_, err = c.out.Write(text)
	return err
}
