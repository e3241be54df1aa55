package registry

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// referrers finds what refers to a digest: entries of the layout's index whose
// manifest has it as subject, and the list under the referrers tag. Entries
// for something else are passed over; the collector judges the rest.
func (l *layout) referrers(ctx context.Context, digest string) ([]descriptor, []error) {
	var all []descriptor
	var errs []error
	lists := map[string]bool{}
	for _, d := range l.all {
		switch {
		case ctx.Err() != nil:
			return all, append(errs, context.Cause(ctx))
		case len(all) > maxListed:
			return all, append(errs, l.fault(Unreachable, fmt.Sprintf("more than %d things refer to it", maxListed), ""))
		case d.Digest == digest:
		case d.Annotations[refName] == strings.Replace(digest, ":", "-", 1):
			if lists[d.Digest] {
				continue
			}
			lists[d.Digest] = true
			more, err := l.list(ctx, d)
			if err != nil {
				errs = append(errs, err)
			}
			all = append(all, more...)
		case d.Size > l.limits.Manifest && manifests(d.MediaType):
			errs = append(errs, fetchable(visible(l.path)+"@"+visible(d.Digest), d, l.limits.Manifest))
		case l.subject(ctx, d) == digest:
			all = append(all, d)
		}
	}
	return all, errs
}

// manifests reports whether a media type is one of what may refer to something.
func manifests(mediaType string) bool {
	t := types.MediaType(mediaType)
	return mediaType == "" || t == types.OCIManifestSchema1 || t == types.OCIImageIndex
}

func (l *layout) list(ctx context.Context, d descriptor) ([]descriptor, error) {
	raw, err := l.within(ctx, d, l.limits.Manifest)
	if err != nil {
		return nil, err
	}
	all, err := listed(raw)
	if err != nil {
		return nil, l.fault(kindOr(err, Wrong), "its list of referrers: "+err.Error(), "")
	}
	return kept(all), nil
}

// older finds signatures by their tag, and those that cosign save marks.
func (l *layout) older(_ context.Context, digest, kind string) ([]descriptor, error) {
	saved := map[string]string{olderSignatures: savedSigs, olderStatements: savedAtts}[kind]
	var all []descriptor
	for _, d := range l.all {
		if d.Annotations[refName] == olderTag(digest, kind) || d.Annotations[savedKind] == saved {
			all = append(all, d)
		}
	}
	return all, nil
}
