package render

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
)

func twenty(b *testing.B) *patches.Set {
	b.Helper()
	entries, found := patches.Load("../../testdata/patches/twenty")
	set, more := patches.Compile(entries)
	if found.Refused() || more.Refused() || len(entries) != 20 {
		b.Fatalf("%d patches, %v %v", len(entries), found, more)
	}
	return set
}

// One agent type: seven objects, twenty patches, checked and printed. The
// patches are compiled once, as the preview and kora-agents do.
func BenchmarkAgentType(b *testing.B) {
	set, s := twenty(b), agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", "render-coder", "tenant-example"
	for b.Loop() {
		renderOne(b, set, s)
	}
}

// The cost of many agent types is to be that of one, times their number.
func BenchmarkAgentTypes(b *testing.B) {
	for _, n := range []int{1, 10, 100, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set, s := twenty(b), agents.Defaults("1.4.0")
			for b.Loop() {
				for i := range n {
					s.Slug, s.Namespace = fmt.Sprintf("agent%d", i), "tenant-example"
					s.TypeID = agents.DefaultTypeID(s.Slug)
					renderOne(b, set, s)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/type")
		})
	}
}

// Reading, compiling and rendering from cold files, as a process does it.
func BenchmarkWholePreview(b *testing.B) {
	r := Request{PatchDir: "../../testdata/patches/twenty", Version: "1.4.0"}
	r.Agent.Slug, r.Agent.TypeID, r.Agent.Namespace = "coder", "render-coder", "tenant-example"
	for b.Loop() {
		if p := Agent(r); p.Found.Refused() {
			b.Fatal(p.Found)
		}
	}
}

func renderOne(b *testing.B, set *patches.Set, s agents.Settings) {
	result, found := set.Render(s)
	if found.Refused() {
		b.Fatal(found)
	}
	if _, err := YAML(result.Objects); err != nil {
		b.Fatal(err)
	}
}
