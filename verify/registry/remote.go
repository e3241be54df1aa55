package registry

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// accepted are the media types of manifests, the newest first.
var accepted = strings.Join([]string{
	string(types.OCIImageIndex), string(types.OCIManifestSchema1),
	string(types.DockerManifestList), string(types.DockerManifestSchema2),
}, ", ")

// repository is a repository of a registry.
type repository struct {
	c    *Client
	repo name.Repository
}

func (r repository) manifest(ctx context.Context, ref string) ([]byte, string, error) {
	a, err := r.c.get(ctx, r.repo, "manifests/"+ref, accepted, r.c.o.Limits.Manifest)
	if err != nil {
		return nil, "", err
	}
	if forPeople(a) {
		return nil, "", page(r.repo.Name()+" manifests/"+ref, a)
	}
	if isDigest(ref) {
		err = checked(r.repo.Name()+"@"+ref, a.body, descriptor{Digest: ref, Size: int64(len(a.body))})
	}
	return a.body, kindOf(a.header.Get("Content-Type")), err
}

func (r repository) blob(ctx context.Context, d descriptor, limit int64) ([]byte, error) {
	what := r.repo.Name() + "@" + visible(d.Digest)
	if err := fetchable(what, d, limit); err != nil {
		return nil, err
	}
	a, err := r.c.get(ctx, r.repo, "blobs/"+d.Digest, "*/*", d.Size)
	if err != nil {
		return nil, exceeds(err)
	}
	if err = checked(what, a.body, d); err != nil && forPeople(a) {
		err = page(what, a)
	}
	return a.body, err
}

// older finds the tag that cosign 2 writes.
func (r repository) older(ctx context.Context, digest, kind string) ([]descriptor, error) {
	tag := olderTag(digest, kind)
	raw, mediaType, err := r.manifest(ctx, tag)
	if KindOf(err) == Missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []descriptor{{MediaType: mediaType, Digest: digestOf(raw), Size: int64(len(raw))}}, nil
}

// olderTag is the tag of signatures or attestations of a digest.
func olderTag(digest, kind string) string {
	return strings.Replace(digest, ":", "-", 1) + "." + kind
}

// referrers asks the referrers API, page by page, and the tag that stands in
// for it where a registry has none, or knows nothing there. Something else than a
// list is how some registries say that they have none: then the tag says what
// there is, and without it nothing is known.
func (r repository) referrers(ctx context.Context, digest string) ([]descriptor, []error) {
	all, errs := r.pages(ctx, digest)
	if (len(all) > 0 || len(errs) > 0) && !noList(errs) {
		return all, errs
	}
	list, there, err := r.fallback(ctx, digest)
	switch {
	case err != nil:
		return nil, append(errs, err)
	case there && len(all) == 0:
		return list, nil
	}
	return all, errs
}

// fallback reports whether the tag is there at all.
func (r repository) fallback(ctx context.Context, digest string) (all []descriptor, there bool, err error) {
	tag := strings.Replace(digest, ":", "-", 1)
	raw, _, err := r.manifest(ctx, tag)
	if err != nil && KindOf(err) == Missing {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if all, err = listed(raw); err != nil {
		return nil, true, wrap(r.repo.Name()+":"+tag, err)
	}
	return kept(all), true, nil
}

// listed reads the descriptors of an index.
func listed(raw []byte) ([]descriptor, error) {
	m, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if m.Manifests == nil && m.MediaType == string(types.OCIImageIndex) && m.Config == nil && m.Layers == nil {
		return nil, nil // "manifests": null, as an empty list of Go's is written
	}
	if m.Manifests == nil {
		return nil, wrong("it is no index")
	}
	return list(m.Manifests)
}

// pages lists all that the API tells, nothing where a registry has none.
func (r repository) pages(ctx context.Context, digest string) (all []descriptor, errs []error) {
	what, path := r.repo.Name()+" referrers of "+digest, "referrers/"+digest
	for n := 0; path != ""; n++ {
		if n == r.c.o.Limits.Pages || len(all) > maxListed {
			return all, []error{&Error{Kind: Unreachable, What: what, Why: fmt.Sprintf("the registry lists them without an end: kora stops after %d pages", n), Fix: "remove what does not belong to the release, or verify against another registry"}}
		}
		a, err := r.c.get(ctx, r.repo, path, string(types.OCIImageIndex), r.c.o.Limits.Manifest)
		if err != nil {
			return all, r.unsupported(err, n)
		}
		if forPeople(a) || n == 0 && kindOf(a.header.Get("Content-Type")) != string(types.OCIImageIndex) {
			return all, []error{page(what, a)}
		}
		more, err := listed(a.body)
		if err != nil {
			return all, []error{wrap(what, err)}
		}
		all = append(all, kept(more)...)
		if path, err = next(a); err != nil {
			return all, []error{&Error{Kind: Unreachable, What: what, Why: err.Error()}}
		}
	}
	return all, nil
}

// unsupported tells a registry that has no such API, and so answers 400, 404,
// 405 or 406, from one that could not be asked.
func (r repository) unsupported(err error, page int) []error {
	if e, ok := err.(*Error); ok && page == 0 && (e.Kind == Missing || e.status == 400 || e.status == 405 || e.status == 406) {
		return nil
	}
	return []error{err}
}
