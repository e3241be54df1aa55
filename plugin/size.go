package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/sizing"
	"github.com/runkora/kora/plugin/preflight"
	"github.com/runkora/kora/plugin/render"
	"github.com/runkora/kora/plugin/schema/rules"
)

// sizeFlags are those of kora size.
type sizeFlags struct {
	place    kube.Place
	request  render.Request
	selector string
	output   string
	timeout  time.Duration
}

func newSize(c *console) *cobra.Command {
	f := &sizeFlags{}
	cmd := &cobra.Command{
		Use:   "size [-f FILE]… [--nodes SELECTOR]",
		Short: "tell the largest sandbox that fits the cluster's nodes",
		Long: "size reads the nodes of a cluster and tells, for each node and each pool, the largest\n" +
			"sandbox that fits beside the pods of DaemonSets, static pods, the sidecars and the\n" +
			"scratch disk, and the values to set. The placement of sandboxes, the sidecars and the\n" +
			"DaemonSets that are still to come are those of the values and patches given, and a\n" +
			"RuntimeClass of theirs is read from the cluster. Patches that are for other agent types\n" +
			"than --agent-slug change none of it. It changes nothing.",
		Example: "  kora size -f kora.yaml\n  kora size --nodes workload-tier=kora-sandbox -o json",
		Args:    noArguments,
		RunE:    ending(func(cmd *cobra.Command, _ []string) error { return size(cmd.Context(), c, f) }),
	}
	flags := cmd.Flags()
	bindCluster(flags, c, &f.place)
	bindValues(flags, &f.request.Values)
	flags.StringVar(&f.request.Agent.Slug, "agent-slug", "sample", "size the sandbox of the agent type with this `SLUG`, which patches may name")
	flags.StringVar(&f.selector, "nodes", "", "only nodes with these labels, a label `SELECTOR`")
	flags.StringVarP(&f.output, "output", "o", "text", "print `FORMAT`: text or json")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long to wait for the cluster")
	flags.BoolVar(&c.strict, "strict", false, "take warnings for errors: a size of the values that fits no node")
	return cmd
}

func (f *sizeFlags) check() error {
	if f.output != "text" && f.output != "json" {
		return usageError{fmt.Errorf("no output format %q: use text or json", f.output)}
	}
	if _, err := labels.Parse(f.selector); err != nil {
		return usageError{fmt.Errorf("--nodes %q is no label selector, such as workload-tier=kora-sandbox", f.selector)}
	}
	if f.timeout <= 0 {
		return usageError{errors.New("--timeout is how long to wait, such as 30s")}
	}
	return nil
}

// size judges the values first: a cluster is asked only about what holds.
func size(ctx context.Context, c *console, f *sizeFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	preview, sets, found := f.preview(ctx, c)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	ctx, cancel := context.WithTimeout(kube.Quiet(ctx), f.timeout)
	defer cancel()
	config, asked, err := connect(ctx, c, f.place, f.timeout)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfigAndClient(config, asked)
	if err != nil {
		return err
	}
	pod, refused := sizing.Admitted(ctx, client.NodeV1().RuntimeClasses(), preview.Sandbox())
	if refused.Refused() {
		return c.report(withFixes(append(refused, found...)))
	}
	nodes, pods, err := sizing.Read(ctx, client.CoreV1(), f.selector)
	if err != nil {
		return c.report(withFixes(list(kube.Fault(err))))
	}
	wanted := sizing.Wanted(preview.Settings(), preview.MaxSize(), pod)
	r := sizing.Judge(sizing.Request{Nodes: nodes, Pods: pods, Wanted: wanted, DaemonSets: sets})
	return f.print(c, r, wanted, found)
}

// preview is what the values and patches make of an agent type, and the DaemonSets
// that they bring, with all that is found of either.
func (f *sizeFlags) preview(ctx context.Context, c *console) (*render.Preview, []appsv1.DaemonSet, faults.List) {
	f.request.Agent.Namespace = "kora-tenant-sample"
	f.request.Values.Stdin, f.request.Version = c.in, kora.Version()
	f.request.Check = rules.CheckAgent
	in := preflight.Replayed(f.request.Values)
	f.request.Values = in()
	out := render.Agent(f.request)
	if out.Found.Refused() {
		return nil, nil, out.Found
	}
	sets, found := daemonSets(ctx, in)
	of := slices.DeleteFunc(out.Found, func(w faults.Fault) bool {
		return w.Code == faults.MatchesNothing && !out.Nowhere(w) // it may be for another agent type
	})
	return out, sets, append(found, of...)
}

func (f *sizeFlags) print(c *console, r *sizing.Report, wanted sizing.Sandbox, found faults.List) error {
	found = append(found, r.Faults(wanted)...)
	if err := c.report(withFixes(found)); err != nil {
		return err
	}
	if f.output == "json" {
		return json.NewEncoder(c.out).Encode(r)
	}
	_, err := c.out.Write(r.Table())
	return err
}

func list(f ...faults.Fault) faults.List { return f }
