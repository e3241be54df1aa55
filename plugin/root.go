package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
)

// newRoot returns the command tree on the given streams. It keeps no state
// between two calls.
func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "kora",
		Short: "preview, check and deliver what kora installs",
		Long: "kora shows the exact manifests that kora would create, from real values and patches,\n" +
			"and tells to the line what is wrong with them before a cluster sees them.",
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs, // needsCommand says it better
		RunE:                       needsCommand,
	}
	root.PersistentFlags().StringVar(&c.diagnostics, "diagnostics", string(faults.FormatText), "how faults are printed: text, json, sarif or junit")
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return c.checkDiagnostics() }
	root.AddCommand(newRender(c), newPatches(c), newTheme(c), newValidateTheme(c), newVersion(c))
	return root
}

// needsCommand answers a group of commands that was called without one.
func needsCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			message += fmt.Sprintf(", did you mean %q?", near[0])
		}
		return usageError{errors.New(message)}
	}
	return cmd.Help()
}

// noArguments is cobra.NoArgs as a usage error.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%q takes no argument, and got %q", cmd.CommandPath(), args[0])}
}

// run is the whole program less the process around it.
func run(args []string, s streams, environ []string) int {
	c := &console{streams: s, environ: environ}
	root := newRoot(c)
	root.SetArgs(doubleDashes(root, args))
	cmd, err := root.ExecuteC()
	if err != nil && !errors.As(err, new(status)) {
		fmt.Fprintf(s.err, "error: %s\n", strings.TrimSuffix(err.Error(), "."))
		if errors.As(err, new(usageError)) {
			fmt.Fprintf(s.err, "see %q\n", cmd.CommandPath()+" --help")
		}
	}
	return exitStatus(err)
}
