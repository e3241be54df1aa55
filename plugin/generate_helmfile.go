package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/generator/agreement"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/helmfile"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
)

func newGenerateHelmfile(c *console) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "helmfile [-e FILE] [--lock FILE] -o DIR",
		Short: "write the Helmfile that installs SPIRE, Istio and kora on a blank cluster",
		Long: "helmfile writes helmfile.yaml.gotmpl, the values of every release, and, once, the two files\n" +
			"that are yours: environments/NAME.yaml and values/kora.yaml. The Helmfile reads whatever\n" +
			"environment is named after -e, so a change of facts needs no new generation.\n\n" +
			"The environment is the only place of a cluster's facts: where DIR/values/kora.yaml says\n" +
			"otherwise, both places are told, and nothing is written; nor where its theme is not beside\n" +
			"that file. The same with --check and --plan.\n\n" +
			"A file that was changed by hand is not written over, unless with --force.",
		Example: "  kora generate helmfile -o helmfile\n" +
			"  kora generate helmfile --plan",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return generateHelmfile(c, f) },
	}
	f.bind(cmd)
	return cmd
}

func generateHelmfile(c *console, f *generateFlags) error {
	if err := f.complete(); err != nil {
		return err
	}
	in, graph, found, err := f.readHelmfile(c.in)
	if err != nil {
		return err
	}
	if f.plan != "" {
		return printPlan(c, f.plan, graph, found)
	}
	var set output.Set
	if graph != nil {
		if set, err = helmfile.Generate(helmfile.Input{Graph: graph, Environment: in.name(), Text: in.text}); err != nil {
			return err
		}
	}
	return f.deliver(c, set, found)
}

// readHelmfile reads what there is to read. Helmfile reads the environment that
// the folder keeps: without -e it is that of the name example, and one that is
// named with -e may not differ from it.
func (f *generateFlags) readHelmfile(stdin io.Reader) (facts, *releases.Graph, faults.List, error) {
	in := example()
	if f.environment != "" {
		in.file = f.environment
	}
	if err := environmentName(in.name()); err != nil {
		return in, nil, nil, err
	}
	kept, there, found := f.kept(in.name())
	if found.Refused() {
		return in, nil, found, nil
	}
	if there && f.environment == "" {
		in = facts{file: kept.Name, text: kept.Text()}
	}
	in, graph, found := f.read(stdin, in, func(*environment.Environment) []place { return f.helmfileValues() })
	found = append(found, unthemed(in.env, f.helmfileThemes(in.env))...)
	if there && kept.Text() != in.text {
		other, more := readFacts(&kept)
		if found = append(found, more...); in.env.Environment != nil && other.Environment != nil {
			found = append(found, agreement.Kept(in.env, other)...)
		}
	}
	return in, graph, found, nil
}
