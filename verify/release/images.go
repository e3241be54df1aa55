package release

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/reference"
)

// Bounds of a list of images.
const (
	maxList = 1 << 20
	maxLine = 4000
)

// ReadImages reads images.txt: one reference a line, REGISTRY/REPOSITORY with
// a tag, a digest or both. Empty lines and what follows a # are left out. Every
// other line is a fault at its place: one that was passed over would be an
// image that nobody verifies (R46). An image that is named again is warned of.
func ReadImages(path string) ([]Item, faults.List) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	return ParseImages(path, f)
}

// SameImages is ReadImages for a release's own list, which was verified: it has
// to be that one still. A tag beside a digest is held to it there.
func SameImages(path, digest string) ([]Item, faults.List) {
	text, err := regular.Read(path, maxList)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if a := verify.ByBytes(path, text); a.Digest() != digest {
		f := faults.New(faults.CouldNotCheck, "the list of images was changed while kora was at work")
		f.File, f.Found, f.Expected, f.Fix = path, a.Digest(), digest, "run again"
		return nil, faults.List{f}
	}
	items, found := ParseImages(path, bytes.NewReader(text))
	for i := range items {
		items[i].Tagged = true
	}
	return items, found
}

func unreadable(path string, err error) faults.List {
	f := faults.New(faults.FileMissing, "the list of images cannot be read: "+err.Error())
	f.File, f.Fix = path, "correct the path"
	return faults.List{f}
}

// ParseImages reads a list of images from r; path is what faults call it.
func ParseImages(path string, r io.Reader) ([]Item, faults.List) {
	p := images{path: path}
	text, err := io.ReadAll(io.LimitReader(r, maxList+1))
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case len(text) > maxList:
		p.refuse(1, 1, "", fmt.Sprintf("the list has more than %d bytes", maxList))
		return nil, p.found
	}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		n++
		p.line(n, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	if len(p.items) == 0 && len(p.found) == 0 {
		p.refuse(1, 1, "", "the list has no image, so that nothing would be verified")
	}
	if p.found.Refused() {
		return nil, p.found
	}
	return Once(p.items)
}

type images struct {
	path  string
	items []Item
	found faults.List
}

func (p *images) line(n int, text string) {
	if at := strings.IndexFunc(text, hides); at >= 0 || !utf8.ValidString(text) {
		p.refuse(n, 1+utf8.RuneCountInString(text[:max(at, 0)]), "", "the line holds a character that hides, ends or turns around what stands beside it")
		return
	}
	bare, _, _ := strings.Cut(text, "#")
	ref := strings.Trim(bare, " \t")
	column := 1 + len([]rune(bare[:strings.Index(bare, ref)]))
	switch {
	case ref == "":
	case len(text) > maxLine:
		p.refuse(n, 1, "", "the line is longer than any reference")
	case !Reference(ref):
		if reference.Shown(bare) != bare {
			text = "" // it may hold a password
		}
		p.refuse(n, column, text, "the line is no image with a registry, and a tag or a digest")
	default:
		p.items = append(p.items, Item{What: Image, Ref: ref, List: p.path, Line: n})
	}
}

// hides reports a character by which a person would read other lines, or
// another text, than kora does: controls, line ends of other conventions, and
// those without a shape of their own, such as the ones that turn the direction
// of writing. It is looked for in comments too.
func hides(r rune) bool {
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// Reference reports whether a text is an image with its registry, and a tag or
// a sha256 digest, and nothing else.
func Reference(text string) bool {
	_, ok := reference.Parse(text)
	return ok
}

func (p *images) refuse(line, column int, text, message string) {
	f := faults.New(faults.ImagesList, message)
	f.File, f.Line, f.Column, f.Source = p.path, line, column, text
	if e, ok := faults.Lookup(f.Code); ok {
		f.Fix = e.Fix
	}
	p.found = append(p.found, f)
}
