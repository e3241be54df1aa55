// Package roots finds out whom to trust: the keys and certificates of Sigstore
// instances, from a file or by TUF. Several roots are never merged: evidence
// has to hold under one of them.
package roots

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sigstore/sigstore-go/pkg/root"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
)

// maxFile bounds a file of trust roots in bytes, maxRoots their number.
const (
	maxFile  = 8 << 20
	maxRoots = 20
)

// Root is one instance that is trusted.
type Root struct {
	// Name is the file or mirror it came from, with a number where one file
	// holds several.
	Name string
	// Digest is "sha256:" and the digest of its document: of the file where that
	// holds one root, of the line where it holds several.
	Digest string
	// Material are its keys and certificates.
	Material root.TrustedMaterial
}

// Weak reports whether the instance has neither logs nor certificate logs, as
// GitHub's own for private repositories: then a timestamp is all there is.
func (r Root) Weak() bool {
	return len(r.Material.RekorLogs()) == 0 && len(r.Material.CTLogs()) == 0
}

// Read reads the file of --trusted-root: one trusted_root.json, or several on
// a line each, as gh attestation trusted-root writes them (R48).
func Read(path string) ([]Root, faults.List) {
	data, err := regular.Read(path, maxFile)
	switch {
	case errors.As(err, new(regular.LongError)):
		return nil, unusable(path, err)
	case err != nil:
		return nil, missing(path, err)
	}
	return Parse(path, data)
}

// Parse reads trust roots strictly: an unknown field or kind is a fault, since
// it could say less trust than is understood.
func Parse(name string, data []byte) ([]Root, faults.List) {
	if len(data) > maxFile {
		return nil, unusable(name, fmt.Errorf("the file has more than %d bytes", maxFile))
	}
	documents := split(data)
	switch {
	case len(documents) == 0:
		return nil, unusable(name, errors.New("the file is empty"))
	case len(documents) > maxRoots:
		return nil, unusable(name, fmt.Errorf("the file holds more than %d roots", maxRoots))
	}
	var out []Root
	var found faults.List
	for i, document := range documents {
		label := name
		if len(documents) > 1 {
			label = fmt.Sprintf("%s:%d", name, i+1)
		}
		r, err := parseOne(label, document)
		if err != nil {
			found = append(found, unusable(label, err)...)
			continue
		}
		out = append(out, r)
	}
	if found.Refused() {
		return nil, found
	}
	return out, nil
}

func parseOne(name string, document []byte) (r Root, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("its reader gave up on it")
		}
	}()
	t, err := root.NewTrustedRootFromJSON(document)
	if err != nil {
		return Root{}, err
	}
	switch {
	case len(t.FulcioCertificateAuthorities()) == 0 && len(t.RekorLogs()) == 0 && len(t.TimestampingAuthorities()) == 0:
		return Root{}, errors.New("it trusts nobody: there is no authority and no log in it")
	}
	return Root{Name: name, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(document)), Material: t}, nil
}

// split returns the documents: lines when the first of them is a whole object,
// else the file as it is.
func split(data []byte) [][]byte {
	var lines [][]byte
	for _, l := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(l)) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 1 || len(lines) > 1 && !json.Valid(lines[0]) {
		return [][]byte{data}
	}
	return lines
}

func missing(path string, err error) faults.List {
	f := faults.New(faults.FileMissing, "the trust root cannot be read: "+err.Error())
	f.File, f.Fix = path, "correct --trusted-root"
	return faults.List{f}
}

func unusable(name string, err error) faults.List {
	f := faults.New(faults.TrustRoot, "the trust root cannot be used: "+err.Error())
	e, _ := faults.Lookup(faults.TrustRoot)
	f.File, f.Fix = name, e.Fix
	return faults.List{f}
}
