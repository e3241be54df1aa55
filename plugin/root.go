package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
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
		Version:                    kora.Version(),
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
	root.SetFlagErrorFunc(badFlag)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageTemplate(root.UsageTemplate() + exits)
	root.SetHelpCommand(newHelp())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		return cmp.Or(noEmptyFlags(cmd), c.checkDiagnostics(), c.takeFacts(cmd))
	}
	root.AddCommand(
		newRender(c),
		newValidate(c),
		newPatches(c),
		newTheme(c),
		newValidateTheme(c),
		newVerify(c),
		newGenerate(c),
		newUpgrade(c),
		newCMP(c),
		newPreflight(c),
		newSize(c),
		newVersion(c),
	)
	root.InitDefaultHelpCmd() // cobra's own time for it is after the flags are looked at
	ownCompletion(root)
	complete(root)
	hosted(root, c)
	return root
}

// run is the whole program less the process around it.
func run(args []string, s streams, environ []string) int {
	out := &written{to: s.out}
	s.out = out
	c := &console{streams: s, environ: environ}
	root := newRoot(c)
	root.SetArgs(doubleDashes(root, args))
	cmd, err := root.ExecuteC()
	if err != nil && !errors.As(err, new(status)) {
		fmt.Fprintf(s.err, "error: %s\n", plain(strings.TrimSuffix(err.Error(), ".")))
		if errors.As(err, new(usageError)) {
			fmt.Fprintf(s.err, "see %q\n", strings.TrimSuffix(cmd.CommandPath(), " help")+" --help")
		}
	}
	if out.err != nil && exitStatus(err) == exitDone {
		fmt.Fprintf(s.err, "error: %s\n", out.err)
		return exitUnchecked
	}
	return exitStatus(err)
}
