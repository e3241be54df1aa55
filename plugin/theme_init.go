package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
)

// mountedTheme is where the frontend pod finds its theme (R36).
const mountedTheme = "/etc/kora/theme/theme.yaml"

// newValidateTheme is the entry of the validate-theme init container (R36).
func newValidateTheme(c *console) *cobra.Command {
	file := mountedTheme
	cmd := &cobra.Command{
		Use:   "validate-theme [--file FILE]",
		Short: "check the mounted theme, as the frontend's init container does",
		Long: "validate-theme checks the theme that is mounted into the frontend pod against this release.\n" +
			"A log is read line by line: each fault, each ignored entry and each value at kora's default\n" +
			"is one line, and a warning: line names the values that still show kora beside your own.",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return validateTheme(c, file) },
	}
	cmd.Flags().StringVar(&file, "file", mountedTheme, "the theme document, - for standard input")
	return cmd
}

func validateTheme(c *console, name string) error {
	c.judges = true
	t, found := readTheme(c, name)
	if !c.machine() {
		found = inLines(found)
	}
	if err := c.report(found); err != nil || c.machine() {
		return err
	}
	_, err := io.WriteString(c.out, t.Summary())
	return err
}

// inLines folds what a fault tells below its headline into the headline.
func inLines(found faults.List) faults.List {
	out := make(faults.List, len(found))
	for i, f := range found {
		parts := []string{f.Message}
		for _, part := range []struct{ label, text string }{
			{"field ", f.Field}, {"found ", f.Found}, {"expected ", f.Expected}, {"fix: ", f.Fix},
		} {
			if part.text != "" {
				parts = append(parts, part.label+part.text)
			}
		}
		out[i] = faults.Fault{
			Code: f.Code, Severity: f.Severity, File: f.File, Line: f.Line, Column: f.Column,
			Message: strings.Join(parts, "; "),
		}
	}
	return out
}
