package values

import (
	"fmt"
	"strings"
	"testing"
	"time"
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

// R20: hostile values cost little: quantities with endless exponents, deep flags
// and high indexes.
func TestHostileValuesCostLittle(t *testing.T) {
	start := time.Now()
	for _, q := range []string{"1e999999999", "1E-999999999", strings.Repeat("9", 1<<16), "0." + strings.Repeat("0", 1<<16) + "1"} {
		if found := mustLoad(t, []string{"agents: {workspace: {size: " + q + "}}"}).Check(); len(found) != 1 {
			t.Errorf("%d faults", len(found))
		}
	}
	load(t, nil, "--set a"+strings.Repeat("[0]", 20_000)+"=1")
	load(t, nil, "--set "+strings.Repeat("a[65536]=1,", 1000)+"b=1")
	load(t, nil, "--set-json a="+strings.Repeat(`{"a":`, 9000)+"1"+strings.Repeat("}", 9000))
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
}
