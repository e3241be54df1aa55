package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/verify"
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
	cmd.Flags().StringVar(&f.file, "file", "", "a `FILE` with one image a line, such as the release's images.txt; - is standard input")
	r := &f.release.request
	bindValues(cmd.Flags(), &r.Values)
	cmd.Flags().StringVar(&r.Chart, "chart", "", "another `CHART` than the one in this binary: a folder, an archive, or oci://REGISTRY/REPOSITORY:TAG")
	return cmd
}

func (f *imagesFlags) run(ctx context.Context, c *console) error {
	r := &f.release.request
	if err := f.check(append([]string{f.file, r.Chart}, r.Values.Files...)...); err != nil {
		return err
	}
	rendered := len(r.Values.Files)+len(r.Values.Flags)+len(r.Values.More) > 0 || r.Chart != ""
	switch {
	case f.file == "" && !rendered:
		return usageError{errors.New("say which images: --file for a list, or -f and --chart for those of a release")}
	case f.file != "" && rendered:
		return usageError{errors.New("--file is a list of images, and -f, --set and --chart make one: leave one of the two out")}
	}
	if err := f.clear(); err != nil {
		return err
	}
	if f.file != "" {
		items, found := f.listed(ctx, c)
		name := f.file
		if name == "-" {
			name = standardInput
		}
		for i := range items {
			items[i].Tagged = true // the list says that the tag is that digest
		}
		return f.verifyFound(ctx, c, "the images of "+name, items, found, true)
	}
	f.release.complete(c, r.Values, "")
	items, found := f.rendered(ctx, *r, "")
	return f.verifyFound(ctx, c, "the images of the release", items, found, true)
}

// standardInput is what a list is called that has no file.
const standardInput = "standard input"

// listed reads the list, from standard input where its name is -.
func (f *imagesFlags) listed(ctx context.Context, c *console) ([]verified.Item, faults.List) {
	if f.file != "-" {
		return verified.ReadImages(f.file)
	}
	type list struct {
		items []verified.Item
		found faults.List
	}
	read := make(chan list, 1)
	go func() {
		items, found := verified.ParseImages(standardInput, c.in)
		read <- list{items, found}
	}()
	select {
	case l := <-read:
		return l.items, l.found
	case <-ctx.Done():
		fault := faults.New(faults.CouldNotCheck, verify.Stopped(ctx))
		fault.File, fault.Fix = standardInput, "run again"
		return nil, faults.List{fault}
	}
}

// verifyFound goes on with a list, or, where there is none, with the question
// itself as the one artifact of the run, which its faults answer.
func (f *imagesFlags) verifyFound(ctx context.Context, c *console, what string, items []verified.Item, found faults.List, apart bool) error {
	if found.Refused() {
		items, found = []verified.Item{{What: verified.Image, Ref: what, Found: found}}, nil
	}
	return f.verifyAll(ctx, c, found, items, apart)
}

// rendered are the images of a release; its chart has to be want, "NAME
// VERSION", if that is not empty. A chart that is rendered for its list
// alone is no reason to reach the network under --offline.
func (f *imagesFlags) rendered(ctx context.Context, r release.Request, want string) ([]verified.Item, faults.List) {
	if f.roots.Offline && strings.HasPrefix(r.Chart, "oci://") {
		fault := faults.New(faults.CouldNotCheck, "--offline allows no connection, and the chart is in a registry")
		fault.File, fault.Fix = r.Chart, "give the chart as an archive or a folder"
		return nil, faults.List{fault}
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	r.Limits.Pull = f.timeout
	out := release.Render(ctx, r)
	if out.Found.Refused() {
		return nil, out.Found
	}
	if want != "" && out.Chart != want {
		fault := faults.New(faults.ChartShape, "the chart is another one than was asked for")
		fault.File, fault.Found, fault.Expected = r.Chart, out.Chart, want
		return nil, faults.List{fault}
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
