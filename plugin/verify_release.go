package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/registry"
	verified "github.com/runkora/kora/verify/release"
)

// releaseVerifyFlags say which release, and where its parts are.
type releaseVerifyFlags struct {
	imagesFlags
	version string
	dir     string
	mirror  string
}

func newVerifyRelease(c *console) *cobra.Command {
	f := &releaseVerifyFlags{}
	cmd := &cobra.Command{
		Use:   "release VERSION [--dir DOWNLOADS] [--registry MIRROR]",
		Short: "check all of a release: charts, images, files and provenance",
		Long: "release checks everything of one release of kora. The charts come from its registry, the\n" +
			"images from images.txt, and with --dir every file of the release has to be signed and to\n" +
			"stand in the provenance kora-VERSION.intoto.jsonl. Without --dir there are no files, and the\n" +
			"images are those that the chart of the release names, once it is verified itself.\n\n" +
			"Without an identity, kora's release workflow has to have signed at exactly this version's\n" +
			"tag: what another release signed is good evidence of another release.",
		Example: "  kora verify release 1.4.0 --lock kora.lock\n" +
			"  gh release download v1.4.0 --repo runkora/kora --dir downloads\n" +
			"  kora verify release 1.4.0 --dir downloads --registry registry.example.com/mirror",
		Args: oneVersion,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.version = strings.TrimPrefix(args[0], "v")
			return f.run(cmd.Context(), c)
		},
	}
	f.bind(cmd.Flags())
	f.bindLock(cmd.Flags())
	flags, p := cmd.Flags(), &f.policy
	flags.StringVar(&f.dir, "dir", "", "a directory `DOWNLOADS` with the files of the release and nothing else")
	flags.StringVar(&f.mirror, "registry", verified.DefaultRegistry, "the `MIRROR` that holds charts and images")
	flags.StringVar(&p.SourceRepository, "source-repo", "", "the `OWNER/REPO` that was built, for the provenance")
	flags.StringVar(&p.SignerWorkflow, "signer-workflow", "", "the `OWNER/REPO/PATH` of the workflow that signed, for the provenance")
	return cmd
}

// versioned is a semantic version, as tags have it behind their v.
var versioned = regexp.MustCompile(`^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

func oneVersion(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return usageError{fmt.Errorf("%q takes one VERSION, such as 1.4.0", cmd.CommandPath())}
	case !versioned.MatchString(args[0]):
		return usageError{fmt.Errorf("%q is no version of a release: write it as in 1.4.0", args[0])}
	}
	return nil
}

// run verifies in two steps: the list of images is only followed once what it
// stands in is verified.
func (f *releaseVerifyFlags) run(ctx context.Context, c *console) error {
	if err := cmp.Or(f.check(), f.checkMirror()); err != nil {
		return err
	}
	first := verified.Charts(f.mirror, f.version)
	var found faults.List
	if f.dir != "" {
		var files []verified.Item
		files, found = verified.Directory(f.dir, f.version)
		first = append(first, files...)
	}
	client := f.client()
	defer client.Close()
	run, bad := f.prepare(ctx, c, client)
	found = append(append(found, bad...), verified.Check(client, first)...)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	verdicts := run.All(ctx, first)
	second, bad := f.images(ctx, verdicts)
	found = append(append(found, bad...), verified.Check(client, second)...)
	verdicts = append(verdicts, run.All(ctx, second)...)
	return f.finish(c, found, "kora "+f.version, slices.Concat(first, second), verdicts)
}

func (f *releaseVerifyFlags) checkMirror() error {
	f.mirror = strings.TrimSuffix(strings.TrimPrefix(f.mirror, "oci://"), "/")
	if !verified.Reference(f.mirror + "/charts/kora:1") {
		return usageError{errors.New("--registry is REGISTRY/PATH, such as registry.example.com/mirror")}
	}
	return nil
}

// prepare makes the verifiers: one for signatures, and one for provenance,
// which also asks for repository and workflow.
func (f *releaseVerifyFlags) prepare(ctx context.Context, c *console, client *registry.Client) (verified.Run, faults.List) {
	builds := *f
	if p := &f.policy; f.keyFile == "" && p.Identity == "" && p.IdentityRegexp == "" && p.SourceRepository == "" && p.SignerWorkflow == "" {
		p.Identity = "https://github.com/" + policy.DefaultWorkflow + "@refs/tags/v" + f.version
		builds.policy.Identity = p.Identity
		builds.policy.SourceRepository, builds.policy.SignerWorkflow = policy.DefaultRepository, policy.DefaultWorkflow
	}
	v, found := f.verifier(ctx)
	if found.Refused() {
		return verified.Run{}, found
	}
	run := f.imagesFlags.registryFlags.run(c, client, v)
	var bad faults.List
	if run.Builds, bad = builds.verifier(ctx); bad.Refused() {
		return run, bad
	}
	return run, found
}

// images are those of images.txt, or of the chart; an item that could not be
// checked where the one or the other is not verified.
func (f *releaseVerifyFlags) images(ctx context.Context, verdicts []verify.Verdict) ([]verified.Item, faults.List) {
	source := f.mirror + "/charts/kora:" + strings.ReplaceAll(f.version, "+", "_")
	if f.dir != "" {
		source = filepath.Join(f.dir, verified.ImagesFile)
	}
	i := slices.IndexFunc(verdicts, func(v verify.Verdict) bool { return v.Artifact == source && v.Verified() })
	if i < 0 {
		return []verified.Item{{What: verified.Image, Ref: "the images of kora " + f.version, Missing: "they are named by " + source + ", which is not verified"}}, nil
	}
	if f.dir != "" {
		items, found := verified.SameImages(source, verdicts[i].Digest)
		return verified.Mirrored(items, f.mirror), found
	}
	return f.ofChart(ctx, verdicts[i].Digest)
}

// ofChart renders the verified chart for its images. What a person has to set
// gets an example's value: no image depends on it.
func (f *releaseVerifyFlags) ofChart(ctx context.Context, digest string) ([]verified.Item, faults.List) {
	r := f.release.request
	r.Chart = "oci://" + f.mirror + "/charts/kora@" + digest
	for _, set := range []string{"global.trustDomain=example.org", "frontendHost=example.com", "global.imageRegistry=" + f.mirror} {
		r.Values.Flags = append(r.Values.Flags, values.Flag{Kind: values.SetString, Text: set})
	}
	return f.rendered(ctx, r)
}
