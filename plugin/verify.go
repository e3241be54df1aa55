package main

import (
	"github.com/spf13/cobra"
)

// newVerify is the group of signatures and provenance (R45 to R49).
func newVerify(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "check who made charts, images and files, and how, online and offline",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newVerifyFile(c), newVerifyAttestation(c), newVerifyProvenance(c),
		newVerifyChart(c), newVerifyImage(c), newVerifyImages(c), newVerifyRelease(c))
	lockCheck(c, cmd)
	return cmd
}
