package main

import (
	"github.com/spf13/cobra"

	"github.com/runkora/kora/generator/helmfile"
)

func newGenerateHelmfile(c *console) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "helmfile [-e FILE] [--lock FILE] -o DIR",
		Short: "write the Helmfile that installs SPIRE, Istio and kora on a blank cluster",
		Long: "helmfile writes helmfile.yaml.gotmpl, the values of every release, and, once, the two files\n" +
			"that are yours: environments/NAME.yaml and values/kora.yaml. The Helmfile reads whatever\n" +
			"environment is named after -e, so a change of facts needs no new generation.\n\n" +
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
	in, graph, found := f.read(c.in)
	if err := c.report(withFixes(found)); err != nil {
		return err
	}
	if f.plan != "" {
		return printPlan(c, f.plan, graph)
	}
	set, err := helmfile.Generate(helmfile.Input{Graph: graph, Environment: in.name(), Text: in.text})
	if err != nil {
		return err
	}
	return f.deliver(c, set)
}
