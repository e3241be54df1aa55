package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/runkora/kora"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/render"
	"github.com/runkora/kora/plugin/schema/rules"
)

// renderFlags are those of kora render, of an agent type and of a release.
type renderFlags struct {
	request render.Request
	release releaseFlags
	sandbox bool
	explain bool
	output  string
}

func newRender(c *console) *cobra.Command {
	f := &renderFlags{}
	cmd := &cobra.Command{
		Use:   "render -f FILE… [--agent-slug SLUG [--patch-dir DIR]]",
		Short: "print the manifests of a release, or of an agent type",
		Long: "render prints what helm template prints for kora's chart, after checking the values to the\n" +
			"line and every object against its Kubernetes type. It needs no cluster, no database and no\n" +
			"network, but for a --chart oci://….\n\n" +
			"With --agent-slug it prints the exact YAML that kora-agents would create for one agent type,\n" +
			"from values, a directory of patches, or both. Only metadata.ownerReferences are missing: they\n" +
			"come from the live tenant. Settings apply first, then the patches in the order of their keys.\n\n" +
			"Everything that is wrong is told in one run, on stderr, and then no manifest is printed.\n" +
			"Flags take one dash or two.",
		Example: "  kora render -f kora.yaml\n" +
			"  kora render -f kora.yaml --show-only templates/gateway.yaml --kube-version 1.35.2\n" +
			"  kora render -patch-dir patches -agent-slug coder -sandbox\n" +
			"  kora render -f kora.yaml --set agents.workspace.size=50Gi -agent-slug coder --explain",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.sides(cmd.Flags()); err != nil {
				return err
			}
			if f.request.Agent.Slug == "" {
				return renderRelease(cmd.Context(), c, f)
			}
			return renderAgent(c, f)
		},
	}
	f.bind(cmd.Flags(), c)
	return cmd
}

// agentOnly and releaseOnly are the flags that mean something on one side alone.
var (
	agentOnly   = []string{"agent-type-id", "patch-dir", "sandbox", "explain"}
	releaseOnly = []string{"chart", "release-name", "kube-version", "api-versions", "include-crds", "is-upgrade", "show-only"}
)

// sides refuses a flag of the other side: it would quietly do nothing.
func (f *renderFlags) sides(flags *pflag.FlagSet) error {
	if f.request.Agent.Slug == "" {
		for _, name := range agentOnly {
			if flags.Changed(name) {
				return usageError{fmt.Errorf("--%s is for an agent type: give its slug with --agent-slug, or leave --%s out to render the release", name, name)}
			}
		}
		return nil
	}
	for _, name := range releaseOnly {
		if flags.Changed(name) {
			return usageError{fmt.Errorf("--%s is for a release, and --agent-slug renders one agent type: leave one of the two out", name)}
		}
	}
	return nil
}

func (f *renderFlags) bind(flags *pflag.FlagSet, c *console) {
	r := &f.request
	flags.StringVar(&r.Agent.Slug, "agent-slug", "", "render the agent type with this `SLUG` instead of the release")
	flags.StringVar(&r.Agent.TypeID, "agent-type-id", "", "the agent type's `ID`, for patches that select on it (default render-SLUG)")
	flags.StringVar(&r.Agent.Namespace, "namespace", "", "the `NAMESPACE` of the release (default kora-system), or of the agent type's tenant (default tenant-example)")
	flags.StringVar(&r.PatchDir, "patch-dir", "", "a directory `DIR` of patch files, KEY.yaml or KEY.yml")
	bindValues(flags, &r.Values)
	f.release.bind(flags)
	flags.StringArrayVarP(&f.release.only, "show-only", "s", nil, "print only what a `TEMPLATE` of the chart wrote, such as templates/gateway.yaml (may be repeated)")
	flags.BoolVar(&f.sandbox, "sandbox", false, "print a sample sandbox Pod as well")
	flags.BoolVar(&f.explain, "explain", false, "print instead which setting or patch set each field that differs from the default")
	flags.BoolVar(&c.strict, "strict", false, "take warnings for errors: a patch that matches or changes nothing, a field that a later one overwrites")
	flags.StringVarP(&f.output, "output", "o", "", "print `FORMAT`: yaml or json; of --explain a table or json (default yaml, or a table)")
}

// renderAgent checks everything, and prints a result only when all of it holds.
func renderAgent(c *console, f *renderFlags) error {
	if err := f.complete(c); err != nil {
		return err
	}
	f.request.Check = rules.CheckAgent
	preview := render.Agent(f.request)
	if err := c.report(withFixes(preview.Found)); err != nil {
		return err
	}
	out, err := f.print(preview)
	if err != nil {
		return err
	}
	_, err = c.out.Write(out)
	return err
}

func (f *renderFlags) complete(c *console) error {
	r := &f.request
	switch {
	case f.output == "", f.output == "yaml" && !f.explain, f.output == "json", f.output == "table" && f.explain:
	default:
		return usageError{fmt.Errorf("no output format %q: use yaml or json, of --explain table or json", f.output)}
	}
	if r.Agent.TypeID == "" {
		r.Agent.TypeID = agents.DefaultTypeID(r.Agent.Slug)
	}
	if r.Agent.Namespace == "" {
		r.Agent.Namespace = namespace(c, "tenant-example")
	}
	r.Values.Stdin, r.Environ, r.Version = c.in, c.environ, kora.Version()
	return nil
}

// namespace is the one that Helm was given, or else the default. Helm takes
// --namespace off a plugin's line and hands it over in a variable, where
// "default" means none was given.
func namespace(c *console, otherwise string) string {
	if n := c.getenv("HELM_NAMESPACE"); n != "" && n != "default" && c.getenv("HELM_PLUGIN_DIR") != "" {
		return n
	}
	return otherwise
}

func (f *renderFlags) print(p *render.Preview) ([]byte, error) {
	if f.explain {
		e, err := p.Explain()
		if err != nil {
			return nil, err
		}
		if f.output == "json" {
			return e.JSON()
		}
		return e.Table(), nil
	}
	if f.output == "json" {
		return render.JSON(f.printed(p.Objects))
	}
	return render.YAML(f.printed(p.Objects))
}

// printed leaves out the sandbox, which is always checked, unless asked for.
func (f *renderFlags) printed(all []*patches.Object) []*patches.Object {
	var out []*patches.Object
	for _, o := range all {
		if o.Kind != "Pod" || f.sandbox {
			out = append(out, o)
		}
	}
	return out
}
