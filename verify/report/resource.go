package report

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/reference"
)

// summed is one artifact of a run: all that was asked of it together.
type summed struct {
	uri     string
	subject subject
	failed  bool
}

// errNoDigest is returned for a report in which nothing that was refused has a
// digest: it can be no subject, and what is verified is not the whole run.
var errNoDigest = errors.New("no verification summary is written: what was refused was so before its digest was known")

// resources are the artifacts of a report, each once: a file whose signature
// and whose provenance were asked for is one, and failed if either did. What
// could not be checked allows no summary at all. Those without a digest are
// returned by their names.
func resources(r verify.Report) (out []*summed, without []string, err error) {
	at := map[string]*summed{}
	for _, v := range r.Artifacts {
		if v.Outcome() == verify.Unchecked {
			return nil, nil, ErrUnchecked
		}
		hex, ok := strings.CutPrefix(v.Digest, "sha256:")
		if !ok || !reference.Digest(v.Digest) {
			without = append(without, v.Artifact)
			continue
		}
		uri := uriOf(v)
		if at[uri] == nil {
			at[uri] = &summed{uri: uri, subject: subject{nameOf(v), map[string]string{"sha256": hex}}}
			out = append(out, at[uri])
		}
		at[uri].failed = at[uri].failed || !v.Verified()
	}
	return out, without, nil
}

// uriOf is where the artifact is had by its digest: in its registry, or as a
// package URL without a place, for a file or what lies in a layout. No path of
// the machine gets into a summary.
func uriOf(v verify.Verdict) string {
	ref := strings.TrimPrefix(v.Artifact, "oci://")
	switch r, ok := reference.Parse(strings.ReplaceAll(ref, "+", "_")); {
	case v.Resolved == nil || v.Resolved.What == "file" || v.Resolved.What == "provenance":
		return "pkg:generic/" + url.PathEscape(filepath.Base(v.Artifact)) + "?checksum=" + v.Digest
	case ok:
		return "oci://" + r.Context().Name() + "@" + v.Digest
	}
	name, _, _ := strings.Cut(strings.ToLower(nameOf(v)), ":")
	name, _, _ = strings.Cut(name, "@")
	return "pkg:oci/" + url.PathEscape(name) + "@" + url.QueryEscape(v.Digest)
}

// nameOf is the name of a subject: the reference of a registry, else the last
// part of a path.
func nameOf(v verify.Verdict) string {
	ref := strings.TrimPrefix(v.Artifact, "oci://")
	if _, ok := reference.Parse(strings.ReplaceAll(ref, "+", "_")); ok && v.Resolved != nil {
		return ref
	}
	return path.Base(filepath.ToSlash(strings.TrimPrefix(ref, "oci-layout:")))
}
