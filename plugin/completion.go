package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/runkora/kora/internal/faults"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/plugin/preflight"
)

// choices are the words that a flag takes, for the shell (R2): those of one
// command under "COMMAND --FLAG", those of every other under "--FLAG".
func choices() map[string][]string {
	return map[string][]string{
		"--diagnostics":      formats(),
		"--output":           {"text", "json"},
		"render --output":    {"yaml", "json", "table"},
		"preflight --output": preflight.Formats(),
		"--plan":             {"table", "mermaid"},
	}
}

func formats() []string {
	var out []string
	for _, f := range faults.Formats() {
		out = append(out, string(f))
	}
	return out
}

// complete tells the shell what each flag of a command tree takes. A file or a
// folder it knows itself, of any other text there is nothing to propose.
func complete(cmd *cobra.Command) {
	known := choices()
	throughout(cmd, func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath()+" ", " ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			words, ok := known[path+"--"+f.Name]
			if !ok {
				words = known["--"+f.Name]
			}
			switch kind, _ := pflag.UnquoteUsage(f); {
			case c.Name() == "preflight" && (f.Name == "only" || f.Name == "skip"):
				propose(c, f, checkNames)
			case words != nil && (kind == "FORMAT" || f.Name == "diagnostics"):
				propose(c, f, oneOf(words))
			case kind == "DIR":
				propose(c, f, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
			case !namesFile(f, kind):
				propose(c, f, cobra.NoFileCompletions)
			}
		})
	})
}

// namesFile reports a flag of which the shell's own names of files are a help.
func namesFile(f *pflag.Flag, kind string) bool {
	switch kind {
	case "FILE", "PATH", "CHART", "DOWNLOADS":
		return true
	}
	return f.Name == "set-file"
}

func propose(c *cobra.Command, f *pflag.Flag, words cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(f.Name, words); err != nil && c.HasParent() == (c.InheritedFlags().Lookup(f.Name) == nil) {
		panic("completion: " + err.Error())
	}
}

func throughout(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, below := range cmd.Commands() {
		throughout(below, do)
	}
}

// oneOf proposes those of the words that begin as what is typed.
func oneOf(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return beginning(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

func beginning(words []string, typed string) []cobra.Completion {
	var out []cobra.Completion
	for _, w := range words {
		if strings.HasPrefix(w, typed) {
			out = append(out, w)
		}
	}
	return out
}

// checkNames proposes the categories and the checks of preflight, after those
// that stand before a comma.
func checkNames(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	given, seen := strings.Split(before, ","), map[string]bool{}
	for _, name := range given {
		seen[name] = true
	}
	var out []string
	for _, check := range engine.Checks() {
		for _, name := range []string{check.Category, check.ID} {
			if !seen[name] {
				seen[name] = true
				out = append(out, before+name)
			}
		}
	}
	return beginning(out, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// ownCompletion is cobra's command of the shells' scripts, but for a shell that it
// has none for: that is a line that was not understood, and no success.
func ownCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c := child(root, "completion")
	c.Short = "print what completes kora's commands and flags in a shell"
	c.Args, c.RunE = cobra.ArbitraryArgs, needsCommand
	for _, shell := range c.Commands() {
		shell.Short, shell.Args = "print that of "+shell.Name(), noArguments
	}
}
