package bench

import (
	"os"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// One agent type by kustomize in a process that is warm already: the same
// seven objects and twenty patches as BenchmarkAgentType of plugin/render.
// compare.sh writes the folder that KUSTOMIZATION names.
func BenchmarkAgentTypeByKustomize(b *testing.B) {
	dir := os.Getenv("KUSTOMIZATION")
	if dir == "" {
		b.Fatal("KUSTOMIZATION names no folder: run compare.sh")
	}
	for b.Loop() {
		made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := made.AsYaml(); err != nil {
			b.Fatal(err)
		}
	}
}
