package main

import (
	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/plugin/theme"
)

func newThemeSchema(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print theme.schema.json, for editors and other checks",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := c.out.Write(theme.Schema(kora.Version()))
			return err
		},
	}
}
