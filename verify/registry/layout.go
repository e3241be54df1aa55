package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Annotations by which layouts name what they hold, and the kinds that
// `cosign save` writes.
const (
	refName    = "org.opencontainers.image.ref.name"
	imageName  = "io.containerd.image.name"
	savedKind  = "kind"
	savedSigs  = "dev.cosignproject.cosign/sigs"
	savedAtts  = "dev.cosignproject.cosign/atts"
	layoutFile = "oci-layout"
)

// layout is an OCI layout on disk (R48).
type layout struct {
	path   string
	files  files
	limits Limits
	all    []descriptor
	// subjects are those of the manifests that were read already.
	subjects map[thing]string
}

// read loads index.json.
func (l *layout) read() error {
	marker, err := l.files.read(layoutFile, 4096)
	var v struct {
		Version string `json:"imageLayoutVersion"`
	}
	if w, ok := errors.AsType[wrong](err); ok {
		return l.fault(Wrong, w.Error(), "")
	}
	if err != nil || json.Unmarshal(marker, &v) != nil || v.Version != "1.0.0" {
		return l.fault(Wrong, "it is no OCI layout of version 1.0.0: its file oci-layout does not say so", "give the directory or tarball that crane pull --format=oci, skopeo or cosign save wrote")
	}
	raw, err := l.files.read("index.json", l.limits.Manifest)
	if err != nil {
		return l.fault(kindOr(err, Wrong), "its index.json cannot be read: "+plain(err), "")
	}
	if l.all, err = listed(raw); err != nil {
		return l.fault(kindOr(err, Wrong), "its index.json: "+err.Error(), "")
	}
	return nil
}

func (l *layout) fault(k Kind, why, fix string) error {
	return &Error{Kind: k, What: visible(l.path), Why: why, Fix: fix}
}

// kindOr is Limited for what was left unread, else the kind given.
func kindOr(err error, k Kind) Kind {
	if KindOf(wrap("", err)) == Limited {
		return Limited
	}
	return k
}

func (l *layout) manifest(ctx context.Context, ref string) ([]byte, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	d := descriptor{Digest: ref, Size: -1}
	if i := slices.IndexFunc(l.all, func(d descriptor) bool { return d.Digest == ref }); i >= 0 {
		d = l.all[i]
	} else if !isDigest(ref) {
		var err error
		if d, err = l.named(ctx, ref); err != nil {
			return nil, "", err
		}
	}
	raw, err := l.within(ctx, d, l.limits.Manifest)
	return raw, d.MediaType, err
}

// within is stored, within the budget of the context.
func (l *layout) within(ctx context.Context, d descriptor, limit int64) ([]byte, error) {
	if d.Size < 0 || d.Size > smallAnswer {
		if err := budgetOf(ctx).enlarge(ctx); err != nil {
			return nil, wrap(visible(l.path), err)
		}
	}
	raw, err := l.stored(d, limit)
	if err != nil {
		return nil, err
	}
	if err := budgetOf(ctx).spend(len(raw)); err != nil {
		return nil, wrap(visible(l.path), err)
	}
	return raw, nil
}

// named finds the artifact of a tag, or the only one there is.
func (l *layout) named(ctx context.Context, tag string) (descriptor, error) {
	var found []descriptor
	for _, d := range l.all {
		if err := context.Cause(ctx); err != nil {
			return descriptor{}, wrap(visible(l.path), err)
		}
		if tag == "" && !l.evidence(ctx, d) || tag != "" && d.is(tag) {
			found = append(found, d)
		}
	}
	same := slices.SortedFunc(slices.Values(found), func(a, b descriptor) int { return cmp.Compare(a.Digest, b.Digest) })
	same = slices.CompactFunc(same, func(a, b descriptor) bool { return a.Digest == b.Digest })
	switch {
	case len(same) == 1:
		return same[0], nil
	case len(same) == 0 && tag == "":
		return descriptor{}, l.fault(Missing, "it holds no artifact", "")
	case len(same) == 0:
		return descriptor{}, l.fault(Missing, fmt.Sprintf("it holds nothing named %q", visible(tag)), "it holds: "+l.names(ctx))
	}
	return descriptor{}, l.fault(Wrong, fmt.Sprintf("it holds %d artifacts that could be meant", len(same)), "write oci-layout:PATH:TAG or oci-layout:PATH@sha256:HEX; it holds: "+l.names(ctx))
}

// is takes a tag alone, or the whole reference that containerd writes.
func (d descriptor) is(tag string) bool {
	for _, key := range []string{refName, imageName} {
		if v := d.Annotations[key]; v == tag || strings.HasSuffix(v, ":"+tag) {
			return true
		}
	}
	return false
}

// evidence reports whether an entry is about another one.
func (l *layout) evidence(ctx context.Context, d descriptor) bool {
	tag := d.Annotations[refName]
	if digest, _, _ := strings.Cut(strings.Replace(tag, "sha256-", "sha256:", 1), "."); isDigest(digest) {
		return true
	}
	if k := d.Annotations[savedKind]; k == savedSigs || k == savedAtts {
		return true
	}
	return l.subject(ctx, d) != ""
}

func (l *layout) names(ctx context.Context) string {
	var out []string
	for _, d := range l.all {
		if len(out) == 10 || ctx.Err() != nil {
			return strings.Join(out, ", ") + ", …"
		}
		if !l.evidence(ctx, d) {
			out = append(out, visible(strings.TrimSpace(d.Annotations[refName]+" "+d.Digest)))
		}
	}
	return strings.Join(out, ", ")
}

// stored reads what a descriptor names, and checks that it is that.
func (l *layout) stored(d descriptor, limit int64) ([]byte, error) {
	what := visible(l.path) + "@" + visible(d.Digest)
	size := d.Size
	if size < 0 {
		d.Size = 0 // known only by its digest
	}
	if err := fetchable(what, d, limit); err != nil {
		return nil, err
	}
	raw, err := l.files.read("blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:"), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Kind: Missing, What: what, Why: "the layout does not hold it"}
	case err != nil && size >= 0:
		return nil, exceeds(wrap(what, err))
	case err != nil:
		return nil, wrap(what, err)
	}
	if d.Size = size; size < 0 {
		d.Size = int64(len(raw))
	}
	return raw, checked(what, raw, d)
}

func (l *layout) blob(ctx context.Context, d descriptor, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return l.within(ctx, d, limit)
}

// subject is the digest that a manifest refers to, "" where it refers to
// nothing or cannot be read. Each is read once, however often it is named.
func (l *layout) subject(ctx context.Context, d descriptor) string {
	if known, ok := l.subjects[d.thing()]; ok {
		return known
	}
	if d.Size > smallAnswer && budgetOf(ctx).enlarge(ctx) != nil {
		return "" // the run was stopped, which its loops tell
	}
	about := ""
	if raw, err := l.stored(d, l.limits.Manifest); err == nil {
		if m, err := parse(raw); err == nil && m.Subject != nil {
			about = begin(cmp.Or(m.Subject.Digest, "nothing"))
		}
	}
	l.subjects[d.thing()] = about
	return about
}
