package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runkora/kora/verify/evidence"
	verified "github.com/runkora/kora/verify/release"
)

const besideHelp = "Without --bundle the artifact is oci://REGISTRY/REPOSITORY:TAG (or @sha256:HEX), or an OCI layout\n" +
	"on disk: a directory, a tarball, or oci-layout:PATH[:TAG]. The tag is resolved once, and the\n" +
	"evidence is what lies beside that digest: what refers to it, and the older tag sha256-HEX.att.\n"

// about asks for an attestation: of a file in the bundle that was named, or of
// an image or a chart in what lies beside it (R45, R47).
func (f *evidenceFlags) about(ctx context.Context, c *console, path, predicate string, ask verified.Question) error {
	f.predicate = predicate
	switch beside, sure := besideDigest(path); {
	case f.bundle != "" && sure:
		return usageError{fmt.Errorf("--bundle is the evidence of a file, and %q is none, whose evidence lies beside it: leave --bundle out", path)}
	case f.bundle == "" && !beside:
		return usageError{fmt.Errorf("--bundle is required: the file with the evidence about %q; without it the artifact is oci://REF or an OCI layout", path)}
	case f.bundle == "":
		if err := f.check(path); err != nil {
			return err
		}
		f.ask = ask
		return f.verifyAll(ctx, c, nil, []verified.Item{{What: verified.Artifact, Ref: path}}, false)
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	return f.run(ctx, c, []string{path}, evidence.Lines, ask)
}

// besideDigest reports whether a path may name what has its evidence beside its
// digest, and whether it can be nothing else: a tarball may be a file as well.
func besideDigest(path string) (beside, sure bool) {
	if strings.HasPrefix(path, "oci://") || strings.HasPrefix(path, "oci-layout:") {
		return true, true
	}
	return slices.ContainsFunc(onDisk([]string{path}), func(at string) bool {
		info, err := os.Stat(at)
		return err == nil && (isLayout(at, info) || info.Mode().IsRegular() && strings.HasSuffix(at, ".tar"))
	}), false
}

func isLayout(at string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return false
	}
	mark, err := os.Stat(filepath.Join(at, "oci-layout"))
	return err == nil && mark.Mode().IsRegular()
}
