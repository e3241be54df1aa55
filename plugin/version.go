package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
)

func newVersion(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.out, kora.Version())
			return err
		},
	}
}
