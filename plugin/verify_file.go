package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
)

func newVerifyFile(c *console) *cobra.Command {
	f := &evidenceFlags{}
	cmd := &cobra.Command{
		Use:   "file PATH [--bundle FILE]",
		Short: "check who signed a file",
		Long: "file checks a file of a release against its Sigstore bundle. PATH is a file, or sha256:HEX\n" +
			"where only the digest is known. Without other words kora's release workflow at a version\n" +
			"tag has to have signed. An attestation is no signature: see the commands beside this one.",
		Example: "  kora verify file kora-1.4.0.tgz --bundle kora-1.4.0.tgz.sigstore.json\n" +
			"  kora verify file kora-1.4.0.tgz --trusted-root trusted_root.json --offline",
		Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), c, args[0], evidence.OneBundle, func(v *verify.Verifier, a verify.Artifact, e []evidence.Raw) verify.Verdict {
				return v.Signature(a, e)
			})
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&f.bundle, "bundle", "", "a `FILE` with the bundle (default PATH.sigstore.json)")
	return cmd
}

// evidenceFlags are those of the commands about one file.
type evidenceFlags struct {
	trustFlags
	bundle string
}

// judge asks a verifier one question about an artifact.
type judge func(*verify.Verifier, verify.Artifact, []evidence.Raw) verify.Verdict

// run reads artifact, evidence and trust, tells all that is wrong with them at
// once, and only then asks.
func (f *evidenceFlags) run(ctx context.Context, c *console, path string, format evidence.Format, ask judge) error {
	if err := f.checkOutput(); err != nil {
		return err
	}
	bundle := f.bundle
	switch {
	case bundle == "" && strings.HasPrefix(path, "sha256:"):
		return usageError{errors.New("--bundle is required: with a digest alone there is no file beside which it could lie")}
	case bundle == "":
		bundle = path + ".sigstore.json"
	}
	a, found := artifact(path)
	raw, bad := readEvidence(bundle, format)
	found = append(found, bad...)
	v, bad := f.verifier(ctx)
	found = append(found, bad...)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	return f.tell(c, found, verify.NewReport(ask(v, a, []evidence.Raw{raw})))
}

// tell prints the report, which is the result of a run whatever it says; under
// a machine's --diagnostics what is refused stands in the faults alone.
func (f *trustFlags) tell(c *console, found faults.List, r verify.Report) error {
	found = append(found, r.Faults()...)
	if !found.Refused() || c.diagnostics == string(faults.FormatText) {
		if err := f.print(c, r); err != nil {
			return err
		}
	}
	return c.report(withFixes(found))
}

func (f *trustFlags) print(c *console, r verify.Report) error {
	out := []byte(r.Text())
	if f.output == "json" {
		var err error
		if out, err = r.JSON(); err != nil {
			return err
		}
	}
	_, err := c.out.Write(out)
	return err
}

// artifact is the file, or what has the digest; both are called by what the
// user wrote.
func artifact(path string) (verify.Artifact, faults.List) {
	if strings.HasPrefix(path, "sha256:") {
		return verify.ByDigest(path, path)
	}
	return verify.ByFile(path)
}

func readEvidence(path string, format evidence.Format) (evidence.Raw, faults.List) {
	data, err := readBounded(path, evidence.MaxLines)
	if err != nil {
		return evidence.Raw{}, faults.List{unreadable(path, "the evidence cannot be read", err)}
	}
	return evidence.Raw{Name: path, Format: format, Bytes: data}, nil
}

// onePath takes exactly one argument, the artifact.
func onePath(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || args[0] == "":
		return usageError{fmt.Errorf("%q needs a PATH: a file, or sha256: and its digest", cmd.CommandPath())}
	case len(args) > 1:
		return usageError{fmt.Errorf("%q takes one PATH, and got %q too", cmd.CommandPath(), args[1])}
	}
	return nil
}
