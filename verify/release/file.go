package release

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
)

// file verifies a file of a release against the evidence beside it (R46, R47).
// A file without evidence is one that nobody signed; evidence that cannot be
// read proves nothing.
func (r Run) file(ctx context.Context, item Item) verify.Verdict {
	if err := ctx.Err(); err != nil {
		return unchecked(item, item.Ref, "the run was stopped", "run again")
	}
	a, found := verify.ByFileWithin(ctx, item.Ref)
	if found.Refused() {
		return unchecked(item, item.Ref, found[0].Message, found[0].Fix)
	}
	given, err := r.given(item)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v := begin(item)
		v.Digest, v.Kind = a.Digest(), verify.NotSigned
		v.Reasons = append(v.Reasons, verify.Reason{Evidence: item.Bundle, Kind: verify.NotSigned, Message: "there is no such file, and " + without(item), Fix: "download both from the release"})
		return v
	case err != nil:
		v := unchecked(item, item.Bundle, "the evidence cannot be read: "+err.Error(), "download it again")
		v.Digest = a.Digest()
		return v
	}
	var v verify.Verdict
	if item.What == Provenance {
		v = r.Builds.Within(ctx).Provenance(a, []evidence.Raw{given})
	} else {
		v = r.Verifier.Within(ctx).Signature(a, []evidence.Raw{given})
	}
	v.Resolved = &verify.Resolved{What: item.What}
	if v.Verified() {
		called(item, given, &v)
	}
	return v
}

// given is a file's evidence; that of where it was built is shared with others.
func (r Run) given(item Item) (evidence.Raw, error) {
	if item.What == Provenance {
		return r.lines.read(item.Bundle)
	}
	return ReadEvidence(item.Bundle, evidence.OneBundle)
}

// without says what a file lacks whose evidence is not there.
func without(item Item) string {
	if item.What == Provenance {
		return "without it nothing tells where " + filepath.Base(item.Ref) + " was built"
	}
	return "without it nobody has signed " + filepath.Base(item.Ref)
}

// called holds a file to its name. All files of a release are signed alike, so
// that one in the place of another has good evidence too: the provenance says
// what the file is called, and a chart what it is.
func called(item Item, given evidence.Raw, v *verify.Verdict) {
	switch name := filepath.Base(item.Ref); {
	case item.What == Provenance:
		if names := subjects(given, *v); !slices.Contains(names, name) {
			refuse(v, differs(item.Bundle, "the file was built under another name", "subject", strings.Join(names, ", "), name))
		}
	case item.Chart != nil:
		own, err := packedChart(item.Ref, v.Digest)
		if err != nil {
			refuse(v, verify.Reason{Evidence: item.Ref, Kind: verify.BadEvidence, Message: err.Error()})
		} else if own != *item.Chart {
			refuse(v, differs(item.Ref, "it is signed, and is another chart than its name says", "chart", own.Name+" "+own.Version, item.Chart.Name+" "+item.Chart.Version))
		}
	}
}

// subjects are the names, without folders, that the verified lines of a
// provenance give to the digest.
func subjects(given evidence.Raw, v verify.Verdict) []string {
	verified := map[string]bool{}
	for _, s := range v.Signers {
		verified[s.Evidence] = true
	}
	items, _ := given.Parse()
	var out []string
	for _, i := range items {
		if i.Statement == nil || !verified[i.Name] {
			continue
		}
		for _, s := range i.Statement.Subjects {
			if "sha256:"+s.Digests["sha256"] == v.Digest {
				out = append(out, path.Base(s.Name))
			}
		}
	}
	return out
}
