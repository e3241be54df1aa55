package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/generator/argocd"
	"github.com/runkora/kora/generator/argocd/lint"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/internal/faults"
)

func newGenerateArgoCD(c *console) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "argocd [-e FILE] [--lock FILE] -o DIR",
		Short: "write the app-of-apps, or check one that somebody else wrote",
		Long: "argocd writes app-of-apps.yaml, one Application for each release below apps/, and\n" +
			"argocd-cm-patch.yaml, without which the waves of the children do not wait.\n\n" +
			"Where your values of kora, which -f names, say otherwise than the environment, both places\n" +
			"are told, and nothing is written; nor where its theme is not beside them. Without -f they\n" +
			"are looked for where the environment has them in this checkout, and at\n" +
			"DIR/values/kora.yaml.\n\n" +
			"Without -e the facts are the example's, and a folder that has others is not written over.\n" +
			"The trust domain of a folder never changes.\n\n" +
			"--lint reads Applications from a file or a folder and tells every known trap to the\n" +
			"line: what Argo CD would pass over, delete or fight about.",
		Example: "  kora generate argocd -e environments/example.yaml -o argocd\n" +
			"  kora generate argocd --lint argocd",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return generateArgoCD(c, f) },
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&f.lint, "lint", "", "write nothing: check the app-of-apps in a file or folder `PATH`")
	cmd.Flags().BoolVar(&c.strict, "strict", false, "take warnings for errors")
	return cmd
}

func generateArgoCD(c *console, f *generateFlags) error {
	if f.lint != "" {
		return lintArgoCD(c, f)
	}
	if err := f.complete(); err != nil {
		return err
	}
	in, graph, found := f.read(c.in, example(), f.argocdValues)
	themes := f.argocdThemes(in.env)
	found = append(found, unthemed(in.env, themes)...)
	if f.plan != "" {
		return printPlan(c, f.plan, graph, found)
	}
	if !in.compared {
		c.say("your values of kora are not here, and were not compared with the environment: name them with -f")
	}
	if in.env.Environment != nil && in.env.Theme != "" && themes == nil {
		c.say("the theme " + in.env.Theme + " was not looked for: it lies beside your values of kora")
	}
	var set output.Set
	if graph != nil {
		var more faults.List
		set, more = argocd.Generate(argocd.Input{Graph: graph, Environment: in.env.Environment, File: in.file})
		found = append(found, more...)
		found = append(found, argocd.Moved(set, f.output, in.env, f.environment != "")...)
	}
	return f.deliver(c, set, found)
}

func lintArgoCD(c *console, f *generateFlags) error {
	if f.output != "" || f.check || f.force || f.plan != "" || f.environment != "" || f.lock != "" || f.values != nil {
		return usageError{errors.New("--lint only reads: leave the other flags out")}
	}
	c.judges = true
	seen, found := lint.Lint(f.lint)
	if err := c.report(linted(found)); err != nil || c.machine() {
		return err
	}
	_, err := fmt.Fprintln(c.out, seen)
	return err
}
