package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/generator/upgrade/live"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
)

// upgradeFlags are those of kora upgrade plan.
type upgradeFlags struct {
	from, to    string
	current     []string
	values      []string
	kubeconfig  string
	kubecontext string
	live        bool
	namespace   string
	charts      string
	output      string
	unchecked   bool
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
		Use:   "plan --to VERSION [--from VERSION] [--kubeconfig FILE | --current FILE] [-f FILE]…",
		Short: "print the steps from one release to another, and refuse what breaks them",
		Long: "plan compares what runs with what shall run, and prints the exact steps with helm, with\n" +
			"helmfile and with Argo CD: kora-crds before kora, always. It refuses a change of the trust\n" +
			"domain or of agents' claims by the way, and every way back but that to the revision before.\n\n" +
			"A rule that could not be judged, since values are missing, is said beside the plan, with exit\n" +
			"status 3; --allow-unchecked takes it.\n\n" +
			"It changes nothing. What runs is read from the cluster (--kubeconfig, or --live for the\n" +
			"current one), or from a file (--current, such as of helm get values).",
		Example: "  kora upgrade plan --from 1.3.2 --to 1.4.0 --current current.yaml -f kora.yaml\n" +
			"  kora upgrade plan --to 1.4.0 --live -f kora.yaml",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return planUpgrade(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "the `VERSION` that runs (default what the cluster has)")
	flags.StringVar(&f.to, "to", "", "the `VERSION` that shall run (required)")
	flags.StringArrayVar(&f.current, "current", nil, "a values `FILE` of what runs (may be repeated)")
	flags.StringArrayVarP(&f.values, "values", "f", nil, "a values `FILE` of what shall run (may be repeated)")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "read what runs from the cluster of a kubeconfig `FILE`")
	flags.StringVar(&f.kubecontext, "kube-context", "", "the `CONTEXT` of the kubeconfig")
	flags.BoolVar(&f.live, "live", false, "read what runs from the cluster that kubectl would take")
	flags.StringVar(&f.namespace, "namespace", "", "the `NAMESPACE` of the releases (default kora-system)")
	flags.StringVar(&f.charts, "charts", "oci://ghcr.io/runkora/charts", "the `URL` that the charts are below")
	flags.StringVarP(&f.output, "output", "o", "text", "print `FORMAT`: text or json")
	flags.BoolVar(&f.unchecked, "allow-unchecked", false, "take it that rules could not be judged: exit 0 and not 3")
	return cmd
}

func (f *upgradeFlags) complete(c *console) error {
	f.live = f.live || f.kubeconfig != ""
	switch {
	case f.to == "":
		return usageError{errors.New("--to is required: the version that shall run")}
	case f.from == "" && !f.live:
		return usageError{errors.New("--from is required: the version that runs, unless --kubeconfig or --live reads it")}
	case f.live && len(f.current) > 0:
		return usageError{errors.New("--current is for values of what runs when no cluster is read: leave it or --kubeconfig out")}
	case f.output != "text" && f.output != "json":
		return usageError{fmt.Errorf("no output format %q: use text or json", f.output)}
	}
	if c.getenv("HELM_PLUGIN_DIR") != "" { // Helm keeps these flags to itself
		f.kubecontext = cmp.Or(f.kubecontext, c.getenv("HELM_KUBECONTEXT"))
		if n := c.getenv("HELM_NAMESPACE"); n != "default" {
			f.namespace = cmp.Or(f.namespace, n)
		}
	}
	f.namespace = cmp.Or(f.namespace, "kora-system")
	return nil
}

func planUpgrade(ctx context.Context, c *console, f *upgradeFlags) error {
	if err := f.complete(c); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	r, found := f.request(ctx, c)
	if err := c.report(placed(found)); err != nil {
		return err
	}
	plan, found := upgrade.Make(r)
	if err := c.report(placed(found)); err != nil {
		return err
	}
	if err := f.print(c, plan); err != nil || f.unchecked {
		return err
	}
	beside := *c // the plan is on stdout, also where faults are for programs
	beside.out = c.err
	return beside.report(withFixes(plan.Open()))
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

// request reads everything that the plan looks at.
func (f *upgradeFlags) request(ctx context.Context, c *console) (upgrade.Request, faults.List) {
	r := upgrade.Request{From: f.from, To: f.to, Kora: kora.Version(), Files: f.values, Namespace: f.namespace, Charts: f.charts}
	var found, more faults.List
	r.Current, found = layers(c.in, f.current, withoutTitle)
	r.Target, more = layers(c.in, f.values, asItIs)
	found = append(found, more...)
	if !f.live {
		return r, found
	}
	ctx = kube.Quiet(ctx)
	client, err := live.Connect(ctx, f.kubeconfig, f.kubecontext)
	if err == nil {
		r.Live, err = live.Read(ctx, client, f.namespace)
	}
	if err != nil {
		fault := faults.New(faults.ClusterReach, "the releases cannot be read: "+kube.Fault(err).Message)
		fault.File = f.kubeconfig
		found = append(found, fault)
	}
	return r, found
}
