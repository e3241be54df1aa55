package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	verified "github.com/runkora/kora/verify/release"
	"github.com/runkora/kora/verify/report"
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
	f.bindFiles(cmd.Flags())
	cmd.Flags().StringVar(&f.bundle, "bundle", "", "a `FILE` with the bundle (default PATH.sigstore.json)")
	return cmd
}

// evidenceFlags are those of the commands about one file.
type evidenceFlags struct {
	registryFlags
	bundle string
}

// run reads trust, and then each artifact with its evidence, and asks. What is wrong with one
// artifact stands in its place of the report, and the others are judged; what is
// wrong with the run as a whole leaves nothing to judge by. All of it is told.
func (f *evidenceFlags) run(ctx context.Context, c *console, paths []string, format evidence.Format, ask verified.Question) error {
	items, twice := named(paths)
	inputs, err := f.inputs(items)
	if err != nil {
		return err
	}
	if err := f.check(reads(inputs)...); err != nil {
		return err
	}
	if err := f.clear(); err != nil {
		return err
	}
	v, found := f.verifierWithin(ctx)
	if found = append(twice, found...); found.Refused() {
		each(inputs, nil, func(in *input) { in.read(ctx, format); in.given = nil })
		return f.unread(c, found, inputs)
	}
	v = v.Within(ctx)
	each(inputs, c.progress(), func(in *input) { in.read(ctx, format); in.judge(ctx, v, ask) })
	verdicts := make([]verify.Verdict, len(inputs))
	for i, in := range inputs {
		items[i].Found, verdicts[i] = in.found, in.verdict
	}
	return f.finish(c, f.registryFlags.run(c, nil, v), found, items, verdicts)
}

// named are the artifacts of a command line, each once.
func named(paths []string) ([]verified.Item, faults.List) {
	var all []verified.Item
	for _, path := range paths {
		all = append(all, verified.Item{What: verified.File, Ref: path})
	}
	return verified.Once(all)
}

// inputs are artifacts with the place of their evidence.
func (f *evidenceFlags) inputs(items []verified.Item) ([]input, error) {
	out := make([]input, len(items))
	for i, item := range items {
		bundle, err := f.bundleOf(item.Ref, len(items))
		if err != nil {
			return nil, err
		}
		out[i] = input{path: item.Ref, bundle: bundle, beside: f.bundle == ""}
	}
	return out, nil
}

// reads are the files that a run reads of its artifacts.
func reads(inputs []input) []string {
	var out []string
	for _, in := range inputs {
		out = append(out, in.path, in.bundle)
	}
	return out
}

// each goes through the inputs on every processor, and tells how far it is.
func each(inputs []input, progress func(done, all int), do func(*input)) {
	var all errgroup.Group
	var mu sync.Mutex
	done := 0
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range inputs {
		all.Go(func() error {
			do(&inputs[i])
			mu.Lock()
			defer mu.Unlock()
			if done++; progress != nil {
				progress(done, len(inputs))
			}
			return nil
		})
	}
	_ = all.Wait() // there are no errors
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

// ended is how a run ends whose faults were reported: what was refused counts
// for more than that a result could not be written, which is told too.
func (c *console) ended(reported, unwritten error) error {
	switch {
	case unwritten == nil:
		return reported
	case exitStatus(reported) != exitRefused:
		return unwritten
	}
	fmt.Fprintf(c.err, "error: %s\n", unwritten)
	return reported
}

// unread ends a run that has nothing to judge by. A program gets its report
// all the same: every artifact, as one that was not looked at.
func (f *evidenceFlags) unread(c *console, found faults.List, inputs []input) error {
	verdicts := make([]verify.Verdict, len(inputs))
	for i, in := range inputs {
		if !in.found.Refused() {
			in.verdict = verify.Unreached(in.path, in.digest(), found)
		}
		verdicts[i] = in.verdict
	}
	var unwritten error
	if f.output == "json" && c.diagnostics == string(faults.FormatText) {
		unwritten = f.print(c, verify.NewReport(verdicts...))
	}
	for _, in := range inputs {
		found = append(found, in.found...)
	}
	return c.ended(c.report(withFixes(found)), unwritten)
}

func (f *trustFlags) print(c *console, r verify.Report) error {
	out := []byte(report.Text(r))
	if f.output == "json" {
		var err error
		if out, err = r.JSON(); err != nil {
			return err
		}
	}
	_, err := c.out.Write(out)
	return err
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
