package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
	verified "github.com/runkora/kora/verify/release"
)

// imagesFlags say where a list of images comes from.
type imagesFlags struct {
	registryFlags
	release releaseFlags
	file    string
}

func newVerifyImages(c *console) *cobra.Command {
	f := &imagesFlags{}
	cmd := &cobra.Command{
		Use:   "images --file images.txt | -f kora.yaml [--chart CHART]",
		Short: "check who signed every image of a list, or of a release",
		Long: "images checks every image of a list, one reference a line, or every image that a release of\n" +
			"kora's chart brings into the cluster with the given values: those of each pod, and those\n" +
			"that the operator and kora-agents use for the pods that they make.",
		Example: "  kora verify images --file images.txt\n" +
			"  kora verify images -f kora.yaml --lock kora.lock\n" +
			"  kora verify images -f kora.yaml --chart kora-1.4.0.tgz",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), c) },
	}
	f.bind(cmd.Flags())
	f.bindLock(cmd.Flags())
	cmd.Flags().StringVar(&f.file, "file", "", "a `FILE` with one image a line, such as the release's images.txt")
	r := &f.release.request
	bindValues(cmd.Flags(), &r.Values)
	cmd.Flags().StringVar(&r.Chart, "chart", "", "another `CHART` than the one in this binary: a folder, an archive, or oci://REGISTRY/REPOSITORY:TAG")
	return cmd
}

func (f *imagesFlags) run(ctx context.Context, c *console) error {
	if err := f.check(); err != nil {
		return err
	}
	r := &f.release.request
	rendered := len(r.Values.Files)+len(r.Values.Flags) > 0 || r.Chart != ""
	switch {
	case f.file == "" && !rendered:
		return usageError{errors.New("say which images: --file for a list, or -f and --chart for those of a release")}
	case f.file != "" && rendered:
		return usageError{errors.New("--file is a list of images, and -f, --set and --chart make one: leave one of the two out")}
	case f.file != "":
		items, found := verified.ReadImages(f.file)
		if found.Refused() {
			return c.report(withFixes(found))
		}
		return f.verifyAll(ctx, c, f.file, items)
	}
	f.release.complete(c, r.Values, "")
	items, found := f.rendered(ctx, *r)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	return f.verifyAll(ctx, c, "release "+release.DefaultName, items)
}

// rendered are the images of a release. A chart that is rendered for its list
// alone is no reason to reach the network under --offline.
func (f *imagesFlags) rendered(ctx context.Context, r release.Request) ([]verified.Item, faults.List) {
	if f.roots.Offline && strings.HasPrefix(r.Chart, "oci://") {
		fault := faults.New(faults.CouldNotCheck, "--offline allows no connection, and the chart is in a registry")
		fault.File, fault.Fix = r.Chart, "give the chart as an archive or a folder"
		return nil, faults.List{fault}
	}
	out := release.Render(ctx, r)
	if out.Found.Refused() {
		return nil, out.Found
	}
	var items []verified.Item
	for _, ref := range out.Images() {
		items = append(items, verified.Item{What: verified.Image, Ref: ref})
	}
	if len(items) == 0 {
		fault := faults.New(faults.ImagesList, "the release has no image, so that nothing would be verified")
		fault.File = out.Chart
		return nil, faults.List{fault}
	}
	return items, nil
}
