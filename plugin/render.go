package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/runkora/kora"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/render"
)

// renderFlags are those of kora render.
type renderFlags struct {
	request render.Request
	sandbox bool
	explain bool
	output  string
}

func newRender(c *console) *cobra.Command {
	f := &renderFlags{}
	cmd := &cobra.Command{
		Use:   "render --agent-slug SLUG [--patch-dir DIR] [-f FILE]…",
		Short: "print the manifests that kora would create for an agent type",
		Long: "render prints the exact YAML that kora-agents would create for one agent type, from\n" +
			"values, a directory of patches, or both. It needs no cluster, no database and no network.\n" +
			"Only metadata.ownerReferences are missing: they come from the live tenant.\n\n" +
			"Settings apply first, then the patches in the order of their keys. Everything that is wrong\n" +
			"is told in one run, on stderr, and then no manifest is printed. Flags take one dash or two.",
		Example: "  kora render -patch-dir patches -agent-slug coder -sandbox\n" +
			"  kora render -f kora.yaml --set agents.workspace.size=50Gi -agent-slug coder --explain",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return renderAgent(c, f) },
	}
	f.bind(cmd.Flags(), c)
	return cmd
}

func (f *renderFlags) bind(flags *pflag.FlagSet, c *console) {
	r := &f.request
	flags.StringVar(&r.Agent.Slug, "agent-slug", "", "the agent type's `SLUG` (required)")
	flags.StringVar(&r.Agent.TypeID, "agent-type-id", "", "the agent type's `ID`, for patches that select on it (default render-SLUG)")
	flags.StringVar(&r.Agent.Namespace, "namespace", "", "the tenant's `NAMESPACE` (default tenant-example)")
	flags.StringVar(&r.PatchDir, "patch-dir", "", "a directory `DIR` of patch files, KEY.yaml or KEY.yml")
	bindValues(flags, &r.Values)
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
	if r.Agent.Slug == "" {
		return usageError{errors.New("--agent-slug is required: the slug of the agent type to render")}
	}
	switch {
	case f.output == "", f.output == "yaml" && !f.explain, f.output == "json", f.output == "table" && f.explain:
	default:
		return usageError{fmt.Errorf("no output format %q: use yaml or json, of --explain table or json", f.output)}
	}
	if r.Agent.TypeID == "" {
		r.Agent.TypeID = agents.DefaultTypeID(r.Agent.Slug)
	}
	if r.Agent.Namespace == "" {
		r.Agent.Namespace = defaultNamespace(c)
	}
	r.Values.Stdin, r.Environ, r.Version = c.in, c.environ, kora.Version()
	return nil
}

// defaultNamespace is the tenant of R2. Helm takes --namespace off a plugin's
// line and hands it over in a variable, where "default" means none was given.
func defaultNamespace(c *console) string {
	if n := c.getenv("HELM_NAMESPACE"); n != "" && n != "default" && c.getenv("HELM_PLUGIN_DIR") != "" {
		return n
	}
	return "tenant-example"
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
