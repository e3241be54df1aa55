package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// document is an SPDX 2.3 document, as far as a Go binary can tell: the
// modules that were linked, each with its version.
type document struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []spdxPackage  `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID       string      `json:"SPDXID"`
	Name     string      `json:"name"`
	Version  string      `json:"versionInfo"`
	Download string      `json:"downloadLocation"`
	Analyzed bool        `json:"filesAnalyzed"`
	Sums     []checksum  `json:"checksums,omitempty"`
	Comment  string      `json:"comment,omitempty"`
	Refs     []reference `json:"externalRefs,omitempty"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Kind string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// materials writes the list of one binary, read from the binary itself: what
// was linked, not what go.mod allows. Its time is fixed, so that the same
// binary gives the same list; the release says when it was made.
func (r *release) materials(name string, p platform, binary string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	if err := wrongly(info, p); err != nil {
		return fmt.Errorf("%s: %w", binary, err)
	}
	sum, err := digest(binary)
	if err != nil {
		return err
	}
	doc := listed(name, r.version, sum, info)
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	file := fmt.Sprintf("%s-%s-%s.spdx.json", name, r.version, p)
	r.written = append(r.written, file)
	return os.WriteFile(filepath.Join(r.out, file), append(text, '\n'), 0o644)
}

func listed(name, version, sum string, info *buildinfo.BuildInfo) document {
	main := spdxPackage{ID: "SPDXRef-binary", Name: name, Version: version, Download: "NOASSERTION", Sums: []checksum{{"SHA256", sum}}}
	doc := document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name + "-" + version,
		Namespace: "https://runkora.io/spdx/" + name + "-" + version + "-" + sum,
		Creation:  creation{"1970-01-01T00:00:00Z", []string{"Tool: kora-package"}},
		Packages:  []spdxPackage{main, module(0, "std", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	doc.Relationships = []relationship{{doc.ID, "DESCRIBES", main.ID}, {main.ID, "DEPENDS_ON", "SPDXRef-module-0"}}
	for i, dep := range info.Deps {
		one := linked(i+1, dep)
		doc.Packages = append(doc.Packages, one)
		doc.Relationships = append(doc.Relationships, relationship{main.ID, "DEPENDS_ON", one.ID})
	}
	return doc
}

// linked is the module that was really linked for dep. What a folder of the sources
// replaces was not: it keeps its name, and has no address that a scanner of
// vulnerabilities would look up.
func linked(n int, dep *debug.Module) spdxPackage {
	switch {
	case dep.Replace == nil:
		return module(n, dep.Path, dep.Version)
	case strings.HasPrefix(dep.Replace.Path, "."):
		one := module(n, dep.Path, dep.Version)
		one.Refs, one.Comment = nil, "replaced by the folder "+dep.Replace.Path+" of kora's sources"
		return one
	}
	return module(n, dep.Replace.Path, dep.Replace.Version)
}

// module has an address (a package URL) as its standard wants it: in lower case, and
// without a bare plus sign.
func module(n int, path, version string) spdxPackage {
	return spdxPackage{
		ID: fmt.Sprintf("SPDXRef-module-%d", n), Name: path, Version: version, Download: "NOASSERTION",
		Refs: []reference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + strings.ToLower(path) + "@" + strings.ReplaceAll(version, "+", "%2B")}},
	}
}
