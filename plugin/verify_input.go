package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/release"
)

// input is one artifact of a command line with its evidence, and what became
// of it.
type input struct {
	path, bundle string
	// beside tells that nobody named the bundle: it would lie beside the file.
	beside   bool
	artifact verify.Artifact
	given    []evidence.Raw
	// found is what kept the artifact from being judged; verdict is there from
	// then on, or once it is judged.
	found   faults.List
	verdict verify.Verdict
}

// read reads artifact and evidence. Both are called by what the user wrote.
func (in *input) read(ctx context.Context, format evidence.Format) {
	var found faults.List
	if strings.HasPrefix(in.path, "sha256:") {
		in.artifact, found = verify.ByDigest(in.path, in.path)
	} else {
		in.artifact, found = verify.ByFileWithin(ctx, in.path)
	}
	raw, err := release.ReadEvidence(in.bundle, format)
	switch {
	case in.beside && errors.Is(err, fs.ErrNotExist):
		// nothing vouches for the artifact: that is an answer, and judge gives it
	case err != nil:
		found = append(found, unreadable(in.bundle, "the evidence cannot be read", err))
	case err == nil:
		in.given = []evidence.Raw{raw}
	}
	if found.Refused() {
		in.found = found
		in.verdict = verify.Unjudged(in.path, in.digest(), found)
	}
}

// digest is that of the artifact, "" where it could not be read.
func (in *input) digest() string {
	if len(in.artifact.Digests) == 0 {
		return ""
	}
	return in.artifact.Digest()
}

// judge asks about an artifact that could be read.
func (in *input) judge(ctx context.Context, v *verify.Verifier, ask release.Question) {
	switch {
	case in.found.Refused():
	case ctx.Err() != nil:
		f := faults.New(faults.CouldNotCheck, verify.Stopped(ctx))
		f.File, f.Fix = in.path, "run again"
		in.found = faults.List{f}
		in.verdict = verify.Unjudged(in.path, in.digest(), in.found)
	default:
		in.verdict = ask(v, in.artifact, in.given)
		if in.given == nil {
			in.verdict.Reasons = append(in.verdict.Reasons, verify.Reason{
				Evidence: in.bundle, Kind: verify.NotSigned, Message: "there is no such file, and so nothing signs the artifact",
				Fix: "get it from where the artifact came from, or name it with --bundle",
			})
		}
	}
	in.given = nil // what a run holds does not grow with its files
}
