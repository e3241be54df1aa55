package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
	a, found := verify.ByFile(item.Ref)
	if found.Refused() {
		return unchecked(item, item.Ref, found[0].Message, found[0].Fix)
	}
	raw, err := read(item.Bundle)
	switch {
	case errors.Is(err, os.ErrNotExist):
		v := begin(item)
		v.Digest, v.Kind = a.Digest(), verify.NotSigned
		return v
	case err != nil:
		v := unchecked(item, item.Bundle, "the evidence cannot be read: "+err.Error(), "download it again")
		v.Digest = a.Digest()
		return v
	}
	var v verify.Verdict
	if item.What == Provenance {
		v = r.Builds.Provenance(a, []evidence.Raw{{Name: item.Bundle, Format: evidence.Lines, Bytes: raw}})
	} else {
		v = r.Verifier.Signature(a, []evidence.Raw{{Name: item.Bundle, Format: evidence.OneBundle, Bytes: raw}})
	}
	v.Resolved = &verify.Resolved{What: item.What}
	return v
}

// read reads at most what a file with evidence may have.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	out, err := io.ReadAll(io.LimitReader(f, evidence.MaxLines+1))
	if err == nil && len(out) > evidence.MaxLines {
		err = fmt.Errorf("it has more than %d bytes", evidence.MaxLines)
	}
	return out, err
}

// cause is the error without the path, which is told beside it.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
