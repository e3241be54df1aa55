package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// generateFlags are those of kora generate helmfile and argocd.
type generateFlags struct {
	environment string
	lock        string
	values      []string
	output      string
	check       bool
	force       bool
	plan        string
	lint        string // of argocd alone
}

// newGenerate is the group of what kora generates (R38 to R42).
func newGenerate(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "write the reference install as a Helmfile or as an Argo CD app-of-apps",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newGenerateHelmfile(c), newGenerateArgoCD(c), newGenerateSchema(c))
	return cmd
}

func newGenerateSchema(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of an environment file, for editors",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := c.out.Write(environment.Schema())
			return err
		},
	}
}

func (f *generateFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.VarP(&once{text: &f.environment}, "environment", "e", "the facts of the cluster: a `FILE` such as environments/example.yaml (default that of DIR for helmfile, else the example's)")
	flags.Var(&once{text: &f.lock}, "lock", "pin kora's charts by the digests of a lock `FILE`, as kora verify release writes it")
	flags.StringArrayVarP(&f.values, "values", "f", nil, "compare your values of kora with the facts: a `FILE`, - for standard input (may be repeated; default DIR/values/kora.yaml, where there is one)")
	flags.VarP(&once{text: &f.output}, "output", "o", "write into the folder `DIR`")
	flags.BoolVar(&f.check, "check", false, "write nothing: print the differences to DIR, and exit 1 when there are any")
	flags.BoolVar(&f.force, "force", false, "write over files that were changed by hand")
	flags.StringVar(&f.plan, "plan", "", "write nothing: print the waves as a `FORMAT`, table or mermaid")
	flags.Lookup("plan").NoOptDefVal = "table"
}

func (f *generateFlags) complete() error {
	switch {
	case f.plan != "" && f.plan != "table" && f.plan != "mermaid":
		return usageError{fmt.Errorf("no form of plan %q: use --plan=table or --plan=mermaid", f.plan)}
	case f.plan != "" && (f.check || f.force):
		return usageError{errors.New("--plan prints the waves and writes nothing: leave --check and --force out")}
	case f.check && f.force:
		return usageError{errors.New("--check writes nothing, so there is nothing to --force")}
	case f.environment == "-" && slices.Contains(f.values, "-"):
		return usageError{errors.New("standard input can be read once, and both -e and -f name it: put one of the two into a file")}
	case f.output == "-":
		return usageError{errors.New("-o names a folder, and - is none: what is generated is several files; a folder of that name is ./-")}
	case strings.Contains(f.output, "://"):
		return usageError{errors.New("-o names a folder, and this is a URL: name a folder of a checkout, and push it")}
	case f.plan == "" && f.output == "":
		return usageError{errors.New("-o, --output, is required: the folder to write into")}
	}
	return nil
}

// deliver writes a set, unless something was refused, or says how the folder
// differs from it, beside all else that was found.
func (f *generateFlags) deliver(c *console, set output.Set, found faults.List) error {
	if f.lock == "" {
		found = append(found, set.Unpinned(f.output)...)
	}
	if f.check && set.Files != nil {
		difference, more := set.Check(f.output)
		if _, err := io.WriteString(c.out, plain(difference)); err != nil {
			return err
		}
		return c.report(values.Unjudged(append(found, more...)))
	}
	if err := c.report(values.Unjudged(found)); err != nil {
		return err
	}
	changes, found := set.Write(f.output, f.force)
	if err := c.report(withFixes(found)); err != nil {
		return err
	}
	for _, each := range changes {
		if _, err := fmt.Fprintf(c.out, "%-9s %s\n", each.What, plain(filepath.Join(f.output, filepath.FromSlash(each.Path)))); err != nil {
			return err
		}
	}
	return nil
}

func printPlan(c *console, form string, g *releases.Graph, found faults.List) error {
	if err := c.report(values.Unjudged(found)); err != nil {
		return err
	}
	text := g.Table()
	if form == "mermaid" {
		text = g.Mermaid()
	}
	_, err := io.WriteString(c.out, text)
	return err
}
