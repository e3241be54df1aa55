package registry

import (
	"context"
	"strings"
)

// referrers finds what refers to a digest: entries of the layout's index whose
// manifest has it as subject, and the list under the referrers tag. Entries
// for something else are passed over; the collector judges the rest.
func (l *layout) referrers(ctx context.Context, digest string) ([]descriptor, []error) {
	var all []descriptor
	var errs []error
	for _, d := range l.all {
		if ctx.Err() != nil {
			return all, append(errs, context.Cause(ctx))
		}
		if d.Digest == digest {
			continue
		}
		if d.Annotations[refName] == strings.Replace(digest, ":", "-", 1) {
			more, err := l.list(d)
			if err != nil {
				errs = append(errs, err)
			}
			all = append(all, more...)
			continue
		}
		if m, err := l.parsed(d); err == nil && m.Subject != nil && m.Subject.Digest == digest {
			all = append(all, d)
		}
	}
	return all, errs
}

func (l *layout) list(d descriptor) ([]descriptor, error) {
	raw, err := l.stored(d, l.limits.Manifest)
	if err != nil {
		return nil, err
	}
	all, err := listed(raw)
	if err != nil {
		return nil, l.fault(Wrong, "its list of referrers: "+err.Error(), "")
	}
	return all, nil
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
