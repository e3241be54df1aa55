// Package charts carries kora's Helm charts in the binary, so that rendering
// needs neither a network nor a folder beside it (R19).
package charts

import (
	"embed"
	"fmt"
	"io/fs"
)

// The charts, as their folders are called.
const (
	CRDs = "kora-crds"
	Kora = "kora"
)

// folders holds one folder a chart. A further chart is one more all:<folder> here
// and one more name above; "all:" takes the files that begin with a dot as well.
//
//go:embed all:kora-crds all:kora
var folders embed.FS

// Open gives the files of a chart, Chart.yaml at the root.
func Open(chart string) (fs.FS, error) {
	if _, err := fs.Stat(folders, chart+"/Chart.yaml"); err != nil {
		return nil, fmt.Errorf("no chart %q is in this binary", chart)
	}
	return fs.Sub(folders, chart)
}

// CustomResources gives kora's custom resource definitions, one YAML document
// each, ordered by the names of the resources. They need no rendering.
func CustomResources() ([][]byte, error) {
	names, err := fs.Glob(folders, CRDs+"/templates/*.yaml")
	if err != nil {
		return nil, err
	}
	all := make([][]byte, 0, len(names))
	for _, name := range names {
		text, err := folders.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}
