package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify/release"
)

const refHelp = "REF is REGISTRY/REPOSITORY:TAG or REGISTRY/REPOSITORY@sha256:HEX, or an OCI layout on disk:\n" +
	"a directory, a tarball, or oci-layout:PATH[:TAG]. The tag is resolved once, and everything is\n" +
	"checked and reported by digest. Of an index the signature of the index is meant.\n"

func newVerifyChart(c *console) *cobra.Command {
	return newVerifyRefs(c, &cobra.Command{
		Use:   "chart oci://REF…",
		Short: "check who signed charts in a registry",
		Long:  "chart checks the signature of charts, as cosign 3 and older ones put it beside them.\n" + refHelp,
		Example: "  kora verify chart oci://ghcr.io/runkora/charts/kora:1.4.0\n" +
			"  kora verify chart ./kora-chart --trusted-root trusted_root.json --offline",
	}, release.Chart)
}

// newVerifyRefs is a command about the references of its line.
func newVerifyRefs(c *console, cmd *cobra.Command, what string) *cobra.Command {
	f := &registryFlags{}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("%q needs at least one REF", cmd.CommandPath())}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(args...); err != nil {
			return err
		}
		var items []release.Item
		for _, ref := range args {
			items = append(items, release.Item{What: what, Ref: ref, Tagged: f.lock != ""}) // a tag in a lock is looked at
		}
		return f.verifyAll(cmd.Context(), c, nil, items, f.lock != "") // a lock holds one release
	}
	f.bind(cmd.Flags())
	f.bindLock(cmd.Flags())
	return cmd
}
