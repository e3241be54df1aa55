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
	flags.StringVar(&p.SignerWorkflow, "signer-workflow", "", "the `OWNER/REPO/PATH` of the workflow that signed, at this version's tag unless @REF says otherwise")
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
	if err := cmp.Or(f.check(f.dir), f.checkMirror()); err != nil {
		return err
	}
	judged := *f // what holds the release to its tag is set once
	if judged.keyFile == "" {
		judged.ofVersion()
	}
	if err := judged.clear(); err != nil {
		return err
	}
	first, found := f.parts()
	client := f.client()
	defer client.Close()
	first = verified.Checked(client, first)
	run, bad := f.prepare(ctx, c, client)
	if found = append(found, bad...); found.Refused() {
		return f.stopped(c, found, first)
	}
	verdicts := run.All(ctx, first)
	second, more := f.images(ctx, verdicts)
	second = verified.Checked(client, second)
	verdicts = append(verdicts, run.All(ctx, second)...)
	items := slices.Concat(first, second)
	verified.Apart(items, verdicts)
	return f.finish(c, run, append(found, more...), items, verdicts)
}

// parts are the charts, and the files where there is a directory of them.
func (f *releaseVerifyFlags) parts() ([]verified.Item, faults.List) {
	first := verified.Charts(f.mirror, f.version)
	if f.dir == "" {
		return first, nil
	}
	files, found := verified.Directory(f.dir, f.version)
	if found.Refused() {
		files = []verified.Item{{What: verified.File, Ref: f.dir, Found: found}}
	}
	return append(first, files...), nil
}

func (f *releaseVerifyFlags) checkMirror() error {
	f.mirror = strings.TrimSuffix(strings.TrimPrefix(f.mirror, "oci://"), "/")
	if !verified.Reference(f.mirror + "/charts/kora:1") {
		return usageError{errors.New("--registry is REGISTRY/PATH, such as registry.example.com/mirror")}
	}
	return nil
}

// prepare makes the verifiers: one for signatures, and one for provenance,
// which also asks for the workflow. Both hold what was built to the version's
// tag: good evidence of another release is not this one's (R49).
func (f *releaseVerifyFlags) prepare(ctx context.Context, c *console, client *registry.Client) (verified.Run, faults.List) {
	own := f.keyFile == "" && f.ofVersion()
	builds := *f
	if own {
		builds.policy.SignerWorkflow = policy.DefaultWorkflow
	}
	v, found := f.verifierWithin(ctx)
	if found.Refused() {
		return verified.Run{}, found
	}
	run := f.imagesFlags.registryFlags.run(c, client, v)
	var bad faults.List
	if run.Builds, bad = builds.verifierWithin(ctx); bad.Refused() {
		return run, bad
	}
	return run, found
}

// ofVersion holds who has to have signed to the version's tag, and reports
// whether nobody else than kora's workflow was asked for. What comes on top of
// it, such as --source-repo, leaves it in its place.
func (f *releaseVerifyFlags) ofVersion() (own bool) {
	p, tag := &f.policy, "refs/tags/v"+f.version
	switch {
	case p.Identity != "":
		// A whole identity of somebody else's says itself which reference it is of.
		if strings.HasSuffix(p.Identity, "@"+tag) || strings.HasPrefix(strings.ToLower(p.Identity), "https://github.com/"+policy.DefaultRepository+"/") {
			p.SourceRef = tag
		}
		return false
	case p.IdentityRegexp != "" || p.SignerWorkflow != "":
		p.SourceRef, p.ByBuild = tag, true
		return false
	}
	p.Identity = "https://github.com/" + policy.DefaultWorkflow + "@" + tag
	p.SourceRepository, p.SourceRef = cmp.Or(p.SourceRepository, policy.DefaultRepository), tag
	return true
}

// images are those of images.txt, or of the chart. Where neither could be
// read, which images there are is the question that was not answered: it is an
// artifact of the report, and none of them was looked at.
func (f *releaseVerifyFlags) images(ctx context.Context, verdicts []verify.Verdict) ([]verified.Item, faults.List) {
	all := verified.Item{What: verified.Image, Ref: "the images of kora " + f.version}
	source := f.mirror + "/charts/kora:" + strings.ReplaceAll(f.version, "+", "_")
	if f.dir != "" {
		source = filepath.Join(f.dir, verified.ImagesFile)
	}
	of := func(v verify.Verdict) bool { return v.Artifact == source }
	if !slices.ContainsFunc(verdicts, of) || slices.ContainsFunc(verdicts, func(v verify.Verdict) bool { return of(v) && !v.Verified() }) {
		all.Missing = "they are named by " + source + ", which is not verified"
		return []verified.Item{all}, nil
	}
	digest := verdicts[slices.IndexFunc(verdicts, of)].Digest
	var items []verified.Item
	if f.dir != "" {
		items, all.Found = verified.SameImages(source, digest)
		items = verified.Mirrored(items, f.mirror)
	} else {
		items, all.Found = f.ofChart(ctx, digest)
	}
	if all.Found.Refused() {
		return []verified.Item{all}, nil
	}
	return items, all.Found
}

// ofChart renders the verified chart for its images. What a person has to set
// gets an example's value: no image depends on it.
func (f *releaseVerifyFlags) ofChart(ctx context.Context, digest string) ([]verified.Item, faults.List) {
	r := f.release.request
	r.Chart = "oci://" + f.mirror + "/charts/kora@" + digest
	for _, set := range []string{"global.trustDomain=example.org", "frontendHost=example.com", "global.imageRegistry=" + f.mirror} {
		r.Values.Flags = append(r.Values.Flags, values.Flag{Kind: values.SetString, Text: set})
	}
	return f.rendered(ctx, r, "kora "+f.version)
}
