// Package evidence reads what is handed over as proof: Sigstore bundles, lines
// of them, signatures of the older scheme, and the statements inside. It is
// strict and bounded, and decides nothing: what it returns is well-formed, and
// nothing of it is verified.
package evidence

import (
	"fmt"
	"sync"

	"github.com/sigstore/sigstore-go/pkg/bundle"
)

// Format says how the bytes of a piece of evidence are laid out.
type Format int

// The formats (R45 to R47).
const (
	// OneBundle is one Sigstore bundle, v0.1 to v0.3.
	OneBundle Format = iota
	// Lines are bundles, each on a line of its own (.intoto.jsonl), or one.
	Lines
	// SimpleSigning is a layer of the older tag sha256-<hex>.sig.
	SimpleSigning
	// OldEnvelope is a layer of the older tag sha256-<hex>.att.
	OldEnvelope
)

// Limits in bytes, and of what one file may hold.
const (
	MaxBundle    = 4 << 20
	MaxLines     = 32 << 20
	MaxBundles   = 1000
	MaxPayload   = 3 << 20
	MaxDepth     = 64
	MaxSubjects  = 1024
	MaxSignature = 64 << 10
)

// Raw is a piece of evidence as it was fetched.
type Raw struct {
	// Name is where it came from, as reports show it.
	Name   string
	Format Format
	Bytes  []byte
	// Annotations are those of a layer of the older scheme.
	Annotations map[string]string
	// parsed is what Parse returns, where Once keeps it.
	parsed func() ([]Item, []Fault)
}

// Once returns the evidence as one that is parsed once, however many artifacts
// are asked about, at the same time too. Nobody may change what it returns.
func (r Raw) Once() Raw {
	parse := r.Parse
	r.parsed = sync.OnceValues(func() ([]Item, []Fault) {
		items, bad := parse()
		for i := range items {
			items[i].Kept = &Kept{}
		}
		return items, bad
	})
	return r
}

// Limit is how many bytes are read of evidence in a format.
func (f Format) Limit() int64 {
	if f == Lines {
		return MaxLines
	}
	return MaxBundle
}

// Item is one well-formed piece of evidence.
type Item struct {
	Name   string
	Bundle *bundle.Bundle
	// Statement is that of an attestation, nil for a signature of bytes.
	Statement *Statement
	// Simple is the payload of the older scheme, nil elsewhere.
	Simple *Simple
	// Kept keeps what is found of an item that many artifacts share, nil elsewhere.
	Kept *Kept
}

// Fault is evidence that could not be read, and why.
type Fault struct {
	Name string
	Err  error
	// Fix is what to do, where more can be said than to get it again.
	Fix string
}

func (f Fault) Error() string { return fmt.Sprintf("%s: %v", f.Name, f.Err) }

// Unwrap returns the cause.
func (f Fault) Unwrap() error { return f.Err }

// Parse reads every item of the evidence, and tells each that is malformed.
func (r Raw) Parse() ([]Item, []Fault) {
	if r.parsed != nil {
		return r.parsed()
	}
	switch r.Format {
	case Lines:
		return parseLines(r)
	case SimpleSigning:
		return one(r, parseSimple)
	case OldEnvelope:
		return one(r, parseOldEnvelope)
	}
	return one(r, parseBundle)
}

func one(r Raw, parse func(Raw) (Item, error)) ([]Item, []Fault) {
	item, err := parse(r)
	if err != nil {
		return nil, []Fault{faultOf(r.Name, err)}
	}
	return []Item{item}, nil
}
