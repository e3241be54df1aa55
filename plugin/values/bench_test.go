package values

import (
	"fmt"
	"strings"
	"testing"
)

// wide is a values file of close to 1 MiB, most of it labels and tolerations.
func wide() string {
	var b strings.Builder
	b.WriteString("agents:\n  workloads:\n    common:\n      podLabels:\n")
	for i := 0; b.Len() < 400<<10; i++ {
		fmt.Fprintf(&b, "        example.com/label-%d: value-%d\n", i, i)
	}
	b.WriteString("      tolerations:\n")
	for i := 0; b.Len() < 1000<<10; i++ {
		fmt.Fprintf(&b, "        - {key: example.com/key-%d, operator: Equal, value: v}\n", i)
	}
	return b.String()
}

// R20: values of 1 MiB are read, checked and made into settings in well under a
// second.
func BenchmarkOneMebibyte(b *testing.B) {
	file := write(b, "wide.yaml", wide())
	in := Input{Files: []string{file}, Flags: []Flag{{Set, "agents.workloads.common.podLabels.a=b"}}}
	for b.Loop() {
		tree, found := Load(in)
		if found = append(found, tree.Check()...); len(found) > 0 {
			b.Fatal(show(found))
		}
		tree.Settings("1.4.0", coder)
	}
}

func BenchmarkManyFlags(b *testing.B) {
	in := Input{Files: []string{write(b, "wide.yaml", wide())}}
	for i := range 1000 {
		in.Flags = append(in.Flags, Flag{Set, fmt.Sprintf("agents.workspace.size=%dGi", i+1)})
	}
	for b.Loop() {
		if _, found := Load(in); len(found) > 0 {
			b.Fatal(show(found))
		}
	}
}
