package release

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/reference"
)

// Bounds of a list of images.
const (
	maxList = 1 << 20
	maxRef  = 1000
)

// ReadImages reads images.txt: one reference a line, REGISTRY/REPOSITORY with
// a tag, a digest or both. Empty lines and what follows a # are left out. Every
// other line is a fault at its place: one that was passed over would be an
// image that nobody verifies (R46).
func ReadImages(path string) ([]Item, faults.List) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	return ParseImages(path, f)
}

// SameImages is ReadImages for a list that was verified: it has to be that one
// still.
func SameImages(path, digest string) ([]Item, faults.List) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if a := verify.ByBytes(path, text); a.Digest() != digest {
		f := faults.New(faults.CouldNotCheck, "the list of images was changed while kora was at work")
		f.File, f.Found, f.Expected, f.Fix = path, a.Digest(), digest, "run again"
		return nil, faults.List{f}
	}
	return ParseImages(path, bytes.NewReader(text))
}

func unreadable(path string, err error) faults.List {
	f := faults.New(faults.FileMissing, "the list of images cannot be read: "+cause(err).Error())
	f.File, f.Fix = path, "correct the path"
	return faults.List{f}
}

// ParseImages reads a list of images from r; path is what faults call it.
func ParseImages(path string, r io.Reader) ([]Item, faults.List) {
	p := images{path: path, seen: map[string]int{}}
	limited := &io.LimitedReader{R: r, N: maxList + 1}
	s := bufio.NewScanner(limited)
	s.Buffer(make([]byte, 0, 4096), maxRef*4)
	line := 1
	for ; s.Scan(); line++ {
		p.line(line, s.Text())
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		p.refuse(line, 1, "", "the line is longer than any reference")
	case err != nil:
		return nil, unreadable(path, err)
	case limited.N <= 0:
		p.refuse(1, 1, "", fmt.Sprintf("the list has more than %d bytes", maxList))
	case len(p.items) == 0 && len(p.found) == 0:
		p.refuse(1, 1, "", "the list has no image, so that nothing would be verified")
	}
	if p.found.Refused() {
		return nil, p.found
	}
	return p.items, nil
}

type images struct {
	path  string
	items []Item
	seen  map[string]int // line by reference
	found faults.List
}

func (p *images) line(n int, text string) {
	text = strings.TrimSuffix(text, "\r")
	if n == 1 {
		text = strings.TrimPrefix(text, "\uFEFF")
	}
	bare, _, _ := strings.Cut(text, "#")
	ref := strings.Trim(bare, " \t")
	column := 1 + len([]rune(bare[:strings.Index(bare, ref)]))
	switch {
	case ref == "":
	case p.seen[ref] > 0:
		p.refuse(n, column, text, fmt.Sprintf("the image stands in line %d already", p.seen[ref]))
	case !Reference(ref):
		p.refuse(n, column, text, "the line is no image with a registry, and a tag or a digest")
	default:
		p.seen[ref] = n
		p.items = append(p.items, Item{What: Image, Ref: ref})
	}
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
