package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/runkora/kora/internal/fields"
)

// exits ends every help text: scripts decide by these, whatever -o says.
const exits = `
Exit Status:
  0  done
  1  refused: invalid input, a check that failed, or a warning under --strict
  2  the command line was not understood
  3  could not be checked: a file, registry, cluster or trust root is out of reach
`

// newHelp is cobra's help command, but for a command that is not there: that
// is a command line that was not understood, and no success.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "print what a command does",
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.Root()
			for _, word := range args {
				below := child(at, word)
				if below == nil {
					return unknownCommand(at, word)
				}
				at = below
			}
			at.InitDefaultHelpFlag()
			at.InitDefaultVersionFlag()
			return at.Help()
		},
	}
}

func child(cmd *cobra.Command, word string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return c
		}
	}
	return nil
}

// needsCommand answers a group of commands that was called without one.
func needsCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return cmd.Help()
}

func unknownCommand(cmd *cobra.Command, word string) error {
	message := fmt.Sprintf("unknown command %q for %q", sparing(word), cmd.CommandPath())
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		message += fmt.Sprintf(", did you mean %q?", near[0])
	}
	return usageError{errors.New(message)}
}

// noArguments is cobra.NoArgs as a usage error.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%q takes no argument, and got %q", cmd.CommandPath(), sparing(args[0]))}
}

// sparing leaves out what an assignment assigns, which may be a secret (R17).
func sparing(arg string) string {
	if name, _, assigned := strings.Cut(arg, "="); assigned {
		return name + "=…"
	}
	return arg
}

// badFlag is the usage error of a flag that cannot be read. One that does not
// exist is most often misspelt.
func badFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return usageError{err}
	}
	if near := fields.Nearest(unknown.GetSpecifiedName(), flagNames(cmd)); near != "" {
		err = fmt.Errorf("%w, did you mean %q?", err, "--"+near)
	}
	return usageError{err}
}

func flagNames(cmd *cobra.Command) []string {
	var out []string
	for _, set := range flagSets(cmd) {
		set.VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	}
	return out
}

// noEmptyFlags refuses a text flag that was given an empty value: it comes
// from a variable that is not set, and the run would quietly do without it.
// Only --set and its like take one, as Helm's do.
func noEmptyFlags(cmd *cobra.Command) error {
	var found error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch list, ok := f.Value.(pflag.SliceValue); {
		case ok:
			values = list.GetSlice()
		case f.Value.Type() != "string":
			return
		}
		for _, v := range values {
			if strings.TrimSpace(v) == "" && found == nil {
				found = usageError{fmt.Errorf("%s is given an empty value: leave it out, or say what it shall be", spelt(f))}
			}
		}
	})
	return found
}

// spelt is a flag in each of its forms.
func spelt(f *pflag.Flag) string {
	if f.Shorthand == "" {
		return "--" + f.Name
	}
	return "-" + f.Shorthand + ", --" + f.Name + ","
}
