package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
)

func newVerifyFile(c *console) *cobra.Command {
	f := &evidenceFlags{}
	cmd := &cobra.Command{
		Use:   "file PATH… [--bundle FILE]",
		Short: "check who signed files",
		Long: "file checks files of a release, each against its Sigstore bundle. PATH is a file, or sha256:HEX\n" +
			"where only the digest is known; several files have their bundles beside them. Without other words kora's release workflow at a version\n" +
			"tag has to have signed. An attestation is no signature: see the commands beside this one.",
		Example: "  kora verify file kora-1.4.0.tgz --bundle kora-1.4.0.tgz.sigstore.json\n" +
			"  kora verify file kora-1.4.0.tgz --trusted-root trusted_root.json --offline",
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), c, args, evidence.OneBundle, func(v *verify.Verifier, a verify.Artifact, e []evidence.Raw) verify.Verdict {
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

// run reads artifacts, evidence and trust, tells all that is wrong with them at
// once, and only then asks.
func (f *evidenceFlags) run(ctx context.Context, c *console, paths []string, format evidence.Format, ask judge) error {
	if err := f.checkOutput(); err != nil {
		return err
	}
	var found faults.List
	artifacts, given := make([]verify.Artifact, len(paths)), make([]evidence.Raw, len(paths))
	for i, path := range paths {
		bundle, err := f.bundleOf(path, len(paths))
		if err != nil {
			return err
		}
		var bad, worse faults.List
		artifacts[i], bad = artifact(path)
		given[i], worse = readEvidence(bundle, format)
		found = append(append(found, bad...), worse...)
	}
	v, bad := f.verifier(ctx)
	if found = append(found, bad...); found.Refused() {
		return c.report(withFixes(found))
	}
	return f.tell(c, found, verify.NewReport(askAll(v, artifacts, given, ask)...))
}

// askAll judges on every processor; the verdicts stand in the artifacts' order.
func askAll(v *verify.Verifier, artifacts []verify.Artifact, given []evidence.Raw, ask judge) []verify.Verdict {
	out := make([]verify.Verdict, len(artifacts))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range artifacts {
		all.Go(func() error {
			out[i] = ask(v, artifacts[i], []evidence.Raw{given[i]})
			return nil
		})
	}
	_ = all.Wait() // verdicts are no errors
	return out
}

// bundleOf is the file with the evidence of one of count artifacts.
func (f *evidenceFlags) bundleOf(path string, count int) (string, error) {
	switch {
	case f.bundle != "" && count > 1:
		return "", usageError{errors.New("--bundle is of one PATH: several have their bundles beside them, PATH.sigstore.json")}
	case f.bundle != "":
		return f.bundle, nil
	case strings.HasPrefix(path, "sha256:"):
		return "", usageError{errors.New("--bundle is required: with a digest alone there is no file beside which it could lie")}
	}
	return path + ".sigstore.json", nil
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

// paths takes one artifact or more.
func paths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || slices.Contains(args, "") {
		return usageError{fmt.Errorf("%q needs a PATH: a file, or sha256: and its digest", cmd.CommandPath())}
	}
	return nil
}

// onePath takes exactly one argument, the artifact.
func onePath(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Errorf("%q takes one PATH, and got %q too", cmd.CommandPath(), args[1])}
	}
	return paths(cmd, args)
}
