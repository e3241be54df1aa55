package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// newTheme is the group of the white-labelling theme (R32 to R37).
func newTheme(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "theme",
		Short: "check and preview a white-labelling theme",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newThemeValidate(c), newThemeSchema(c), newThemePreview(c))
	return cmd
}

// oneFile takes exactly one argument, the theme document.
func oneFile(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usageError{fmt.Errorf("%q needs a FILE: the theme document, or - for standard input", cmd.CommandPath())}
	case 1:
		if args[0] == "" {
			return usageError{errors.New("the name of the FILE is empty")}
		}
		return nil
	}
	return usageError{fmt.Errorf("%q takes one FILE, and got %q too", cmd.CommandPath(), args[1])}
}
