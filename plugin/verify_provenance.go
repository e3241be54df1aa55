package main

import (
	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
)

func newVerifyProvenance(c *console) *cobra.Command {
	f := &evidenceFlags{}
	cmd := &cobra.Command{
		Use:   "provenance PATH --bundle FILE | provenance oci://REF",
		Short: "check where and how a file, an image or a chart was built",
		Long: "provenance checks an SLSA provenance v0.2 or v1 about an artifact. Source repository, workflow and\n" +
			"runner are those of the signer's certificate, with which the provenance has to agree.\n" +
			"With --source-repo or --signer-workflow, and no identity, any branch or tag of that workflow\n" +
			"may have signed, as with gh attestation verify, unless --source-ref says which; what was\n" +
			"built from no tag then is warned about. Without any of them kora's own release workflow at a\n" +
			"version tag has to have.\n\n" + besideHelp,
		Example: "  kora verify provenance kora-1.4.0.tgz --bundle kora-1.4.0.intoto.jsonl \\\n" +
			"    --source-repo runkora/kora --signer-workflow runkora/kora/.github/workflows/release.yml\n" +
			"  kora verify provenance oci://ghcr.io/runkora/kora-session-manager:1.4.0",
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.koraUnlessSaid()
			f.policy.ByBuild = true
			return f.about(cmd.Context(), c, args[0], verify.Provenance, (*verify.Verifier).Provenance)
		},
	}
	f.bind(cmd.Flags())
	flags, p := cmd.Flags(), &f.policy
	flags.StringVar(&f.bundle, "bundle", "", "a `FILE` with the provenance, one bundle or one a line (required for a file)")
	flags.StringVar(&p.SignerWorkflow, "signer-workflow", "", "the `OWNER/REPO/PATH` of the workflow that signed, with or without @REF")
	flags.StringVar(&p.SourceRef, "source-ref", "", "the whole `REF` that was built, such as refs/tags/v1.4.0")
	flags.StringVar(&p.Builder, "builder-id", "", "the builder.id that the provenance has to name, exactly")
	flags.BoolVar(&p.HostedRunner, "deny-self-hosted-runners", false, "refuse what was built on a self-hosted runner")
	return cmd
}

// koraUnlessSaid asks for kora's repository and workflow, besides its identity,
// when nothing is said about the signer.
func (f *evidenceFlags) koraUnlessSaid() {
	p := &f.policy
	if f.keyFile != "" || p.Identity != "" || p.IdentityRegexp != "" || p.SourceRepository != "" || p.SignerWorkflow != "" {
		return
	}
	p.IdentityRegexp = policy.DefaultIdentityRegexp
	p.SourceRepository, p.SignerWorkflow = policy.DefaultRepository, policy.DefaultWorkflow
}
