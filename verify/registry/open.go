package registry

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/runkora/kora/verify/reference"
)

// layoutScheme begins a reference to an OCI layout on disk.
const layoutScheme = "oci-layout:"

// Open tells what a reference means and asks nobody: "ghcr.io/runkora/kora:1.4.0",
// "…@sha256:HEX", "oci://…" as Helm writes charts, "oci-layout:PATH[:TAG]" or
// the path of a layout directory or tarball. A reference without tag and
// digest, or without a registry, is refused: which artifact it means would
// depend on who reads it.
func (c *Client) Open(ref string) (Target, error) {
	if rest, ok := strings.CutPrefix(ref, layoutScheme); ok {
		return c.openLayout(ref, rest)
	}
	if onDisk(ref) {
		return c.openLayout(ref, ref)
	}
	return c.openRemote(ref)
}

// onDisk reports whether a reference is plainly a path.
func onDisk(ref string) bool {
	if strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../") || filepath.IsAbs(ref) {
		return true
	}
	info, err := os.Stat(filepath.Join(ref, "oci-layout"))
	if err == nil && info.Mode().IsRegular() {
		return true
	}
	info, err = os.Stat(ref)
	return err == nil && info.Mode().IsRegular() && strings.HasSuffix(ref, ".tar")
}

func (c *Client) openRemote(ref string) (Target, error) {
	text, isChart := strings.CutPrefix(ref, "oci://")
	var opts []name.Option
	if c.o.PlainHTTP {
		opts = append(opts, name.Insecure)
	}
	if isChart { // as Helm does: + is no character of a tag
		repo, tag, _ := strings.Cut(text[strings.LastIndex(text, "/")+1:], ":")
		text = text[:strings.LastIndex(text, "/")+1] + repo
		if tag != "" {
			text += ":" + strings.ReplaceAll(tag, "+", "_")
		}
	}
	r, ok := reference.Parse(text, opts...)
	if !ok {
		return Target{}, badRef(ref)
	}
	t := Target{ref: ref, name: r.Context().Name(), wanted: r.Identifier(), limits: c.o.Limits, large: c.large}
	t.store = repository{c, r.Context()}
	if rest, _, pinned := strings.Cut(text, "@"); pinned {
		if _, tag, ok := strings.Cut(rest[strings.LastIndex(rest, "/")+1:], ":"); ok {
			t.beside = tag
		}
	}
	return t, nil
}

func badRef(ref string) error {
	return &Error{
		Kind: Wrong, What: visible(reference.Shown(ref)), Why: "the reference does not say which artifact it means",
		Fix: "write REGISTRY/REPOSITORY:TAG or REGISTRY/REPOSITORY@sha256:HEX, with oci:// before a chart; or oci-layout:PATH",
	}
}

// openLayout takes PATH, PATH:TAG or PATH@sha256:HEX.
func (c *Client) openLayout(ref, text string) (Target, error) {
	path, wanted := text, ""
	if _, err := os.Stat(text); err != nil {
		if before, after, ok := strings.Cut(text, "@"); ok {
			path, wanted = before, after
		} else if i := strings.LastIndex(text, ":"); i > 0 {
			path, wanted = text[:i], text[i+1:]
		}
	}
	files, err := openFiles(path)
	if err != nil {
		return Target{}, err
	}
	if strings.Contains(wanted, "sha256:") && !isDigest(wanted) {
		return Target{}, badRef(ref)
	}
	l := &layout{path: path, files: files, limits: c.o.Limits, subjects: map[thing]string{}}
	if err := l.read(); err != nil {
		return Target{}, err
	}
	return Target{ref: ref, name: path, wanted: wanted, store: l, limits: c.o.Limits, large: c.large}, nil
}
