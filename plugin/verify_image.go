package main

import (
	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify/release"
)

func newVerifyImage(c *console) *cobra.Command {
	return newVerifyRefs(c, &cobra.Command{
		Use:   "image REF…",
		Short: "check who signed images",
		Long:  "image checks the signature of images, as cosign 3 and older ones put it beside them.\n" + refHelp,
		Example: "  kora verify image ghcr.io/runkora/kora-session-manager:1.4.0\n" +
			"  kora verify image registry.example.com/fork/kora-session-manager@sha256:… \\\n" +
			"    --certificate-identity https://github.com/me/fork/.github/workflows/release.yml@refs/tags/v1.4.0",
	}, release.Image)
}
