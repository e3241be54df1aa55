package main

import "github.com/spf13/cobra"

func newPatches(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "patches",
		Short: "work with manifest patches",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newMigrateEnv(c))
	return cmd
}
