package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
)

func newVerifyAttestation(c *console) *cobra.Command {
	f := &evidenceFlags{}
	var kind string
	cmd := &cobra.Command{
		Use:   "attestation PATH --bundle FILE --type TYPE | attestation oci://REF --type TYPE",
		Short: "check what was said about a file, an image or a chart, and by whom",
		Long: "attestation checks an in-toto attestation about a file: that it is of the type asked for,\n" +
			"that it is about these bytes, and who signed it. FILE holds one bundle, or one a line.\n" +
			"One line that proves it is enough; the others are told in the report.\n\n" + besideHelp,
		Example: "  kora verify attestation kora-1.4.0.tgz --bundle kora-1.4.0.intoto.jsonl --type slsaprovenance\n" +
			"  kora verify attestation kora-1.4.0.tgz --bundle sbom.sigstore.json --type https://spdx.dev/Document\n" +
			"  kora verify attestation oci://ghcr.io/runkora/kora-session-manager:1.4.0 --type https://spdx.dev/Document",
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case kind == "":
				return usageError{errors.New("--type is required: any, slsaprovenance, or the URI of a predicate type")}
			case kind != verify.AnyPredicate && kind != verify.Provenance && !uri(kind):
				return usageError{fmt.Errorf("--type %q is none of any, slsaprovenance and the URI of a predicate type", kind)}
			}
			return f.about(cmd.Context(), c, args[0], kind, func(v *verify.Verifier, a verify.Artifact, e []evidence.Raw) verify.Verdict {
				return v.Attestation(a, e, kind)
			})
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&f.bundle, "bundle", "", "a `FILE` with the attestation, one bundle or one a line (required for a file)")
	cmd.Flags().StringVar(&kind, "type", "", "the predicate `TYPE`: any, slsaprovenance, or a URI (required)")
	cmd.Flags().BoolVar(&f.policy.HostedRunner, "deny-self-hosted-runners", false, "refuse what was built on a self-hosted runner")
	return cmd
}

// uri reports whether a text names a predicate type as in-toto does, by a URI, or as
// the first cosign did: HOST/PATH without a scheme.
func uri(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	host, _, path := strings.Cut(text, "/")
	return u.Scheme != "" && (u.Host != "" || u.Opaque != "") || u.Scheme == "" && path && strings.Contains(strings.Trim(host, "."), ".")
}
