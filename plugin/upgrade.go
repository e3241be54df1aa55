package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/generator/upgrade/live"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/plugin/values"
)

// upgradeFlags are those of kora upgrade plan.
type upgradeFlags struct {
	from, to  string
	current   []string
	values    values.Input
	facts     factsFlag
	place     kube.Place
	live      bool
	namespace string
	charts    string
	output    string
	unchecked bool
}

// newUpgrade is the group of upgrades (R56).
func newUpgrade(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "plan an upgrade or a rollback of kora",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newUpgradePlan(c))
	return cmd
}

func newUpgradePlan(c *console) *cobra.Command {
	f := &upgradeFlags{}
	cmd := &cobra.Command{
		Use:   "plan --to VERSION [--from VERSION] [--kubeconfig FILE | --current FILE] [-e FILE] [-f FILE]…",
		Short: "print the steps from one release to another, and refuse what breaks them",
		Long: "plan compares what runs with what shall run, and prints the exact steps with helm, with\n" +
			"helmfile and with Argo CD: kora-crds before kora, always. It refuses a change of the trust\n" +
			"domain or of agents' claims by the way, and every way back but that to the revision before.\n\n" +
			"The new values are judged as kora validate does, with the facts of -e over them, which say\n" +
			"the namespace and the charts too. Those of another version of kora are not judged.\n\n" +
			"A rule that could not be judged, since values are missing, is said beside the plan, with exit\n" +
			"status 3; --allow-unchecked takes it.\n\n" +
			"It changes nothing. What runs is read from the cluster (--kubeconfig, or --live for the\n" +
			"current one), or from a file (--current, such as of helm get values).",
		Example: "  kora upgrade plan --from 1.3.2 --to 1.4.0 --current current.yaml -f kora.yaml\n" +
			"  kora upgrade plan --to 1.4.0 --live -e environments/example.yaml -f kora.yaml",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return planUpgrade(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "the `VERSION` that runs (default what the cluster has)")
	flags.StringVar(&f.to, "to", "", "the `VERSION` that shall run (required)")
	flags.StringArrayVar(&f.current, "current", nil, "a values `FILE` of what runs (may be repeated)")
	f.facts.in = &f.values
	flags.VarP(&f.facts, "environment", "e", "the facts of the cluster, as the generated Helmfile and Argo CD have them over the values: a `FILE` such as environments/example.yaml")
	flags.StringArrayVarP(&f.values.Files, "values", "f", nil, "a values `FILE` of what shall run (may be repeated)")
	flags.StringVar(&f.place.Kubeconfig, "kubeconfig", "", "read what runs from the cluster of a kubeconfig `FILE`")
	flags.StringVar(&f.place.Context, "kube-context", "", "the `CONTEXT` of the kubeconfig")
	flags.BoolVar(&f.live, "live", false, "read what runs from the cluster that kubectl would take")
	flags.StringVar(&f.namespace, "namespace", "", "the `NAMESPACE` of the releases (default that of -e, or kora-system)")
	flags.StringVar(&f.charts, "charts", "", "the `URL` that the charts are below (default that of -e, or "+environment.Default().Charts.Kora+")")
	flags.StringVarP(&f.output, "output", "o", "text", "print `FORMAT`: text or json")
	flags.BoolVar(&f.unchecked, "allow-unchecked", false, "take it that rules could not be judged: exit 0 and not 3")
	return cmd
}

func (f *upgradeFlags) complete(c *console) error {
	f.live = f.live || f.place.Kubeconfig != ""
	inputs := slices.Concat(f.current, f.values.Files)
	switch {
	case f.to == "":
		return usageError{errors.New("--to is required: the version that shall run")}
	case f.from == "" && !f.live:
		return usageError{errors.New("--from is required: the version that runs, unless --kubeconfig or --live reads it")}
	case f.live && len(f.current) > 0:
		return usageError{errors.New("--current is for values of what runs when no cluster is read: leave it or --kubeconfig out")}
	case slices.Contains(inputs[1+slices.Index(inputs, "-"):], "-"):
		return usageError{errors.New("standard input can be read once, and several of --current and -f name it: put all but one into files")}
	case f.output != "text" && f.output != "json":
		return usageError{fmt.Errorf("no output format %q: use text or json", f.output)}
	}
	f.place.Given = kube.OfHelm(c.getenv)
	return f.where(c)
}

func planUpgrade(ctx context.Context, c *console, f *upgradeFlags) error {
	if err := f.complete(c); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	plan, found := f.plan(ctx, c)
	if err := c.report(found); err != nil {
		return err
	}
	if err := f.print(c, plan); err != nil || f.unchecked {
		return err
	}
	beside := *c // the plan is on stdout, also where faults are for programs
	beside.out = c.err
	return beside.report(withFixes(plan.Open()))
}

// plan is nil where something refuses. All that is wrong is told at once (R15): the
// new values are judged, but for a way back, which does not look at them.
func (f *upgradeFlags) plan(ctx context.Context, c *console) (*upgrade.Plan, faults.List) {
	found := f.namespaced()
	if found.Refused() {
		return nil, withFixes(found)
	}
	tree, judged := f.target(c)
	r, found := f.request(ctx, c)
	if judged.Refused() || found.Refused() {
		return nil, append(judged, placed(found)...).Sorted()
	}
	judged = append(judged, f.sound(tree)...)
	plan, more := upgrade.Make(r)
	if plan != nil && plan.Rollback {
		judged = nil
	}
	return plan, append(judged, placed(f.untold(append(found, more...), judged))...).Sorted()
}

func (f *upgradeFlags) print(c *console, plan *upgrade.Plan) error {
	text, err := []byte(plan.Text()), error(nil)
	if f.output == "json" {
		text, err = plan.JSON()
	}
	if err == nil {
		_, err = c.out.Write(text)
	}
	return err
}

// request reads everything that the plan looks at. What is wrong in the new values
// is told by target.
func (f *upgradeFlags) request(ctx context.Context, c *console) (upgrade.Request, faults.List) {
	r := upgrade.Request{From: f.from, To: f.to, Kora: kora.Version(), Files: f.values.Files, Namespace: f.namespace, Charts: f.charts, Judged: f.judges()}
	var found faults.List
	r.Current, found = layers(c.in, f.current, withoutTitle)
	r.Target, _ = layers(f.values.Stdin, f.values.Files, asItIs)
	r.Facts = f.environment()
	if !f.live {
		return r, found
	}
	ctx = kube.Quiet(ctx)
	client, err := live.Connect(ctx, f.place)
	if err == nil {
		r.Live, err = live.Read(ctx, client, f.namespace)
	}
	if err != nil {
		fault := faults.New(faults.ClusterReach, "the releases cannot be read: "+kube.Fault(err).Message)
		fault.File = f.place.Kubeconfig
		found = append(found, fault)
	}
	return r, found
}
