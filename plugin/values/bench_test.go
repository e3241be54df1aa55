package values

import (
	"fmt"
	"runtime"
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

// R20: hostile values cost little: a quantity with an endless exponent is not written
// out, a high index makes no long list, and what is deep is kept in its own size, with
// the path of each level beside it.
func TestHostileValuesCostLittle(t *testing.T) {
	for q, most := range map[string]uint64{
		"1e999999999":                           300 << 10,
		"1E-999999999":                          150 << 10,
		strings.Repeat("9", 1<<16):              1536 << 10,
		"0." + strings.Repeat("0", 1<<16) + "1": 1536 << 10,
	} {
		text := "agents: {workspace: {size: " + q + "}}"
		costs(t, text, most, func() {
			if found := mustLoad(t, []string{text}).Check(); len(found) != 1 {
				t.Errorf("%d faults", len(found))
			}
		})
	}
	for flag, most := range map[string]uint64{
		"--set a" + strings.Repeat("[0]", 20_000) + "=1":                                  18 << 20,
		"--set " + strings.Repeat("a[65536]=1,", 1000) + "b=1":                            1536 << 10,
		"--set-json a=" + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000): 130 << 20,
	} {
		costs(t, flag, most, func() { load(t, nil, flag) })
	}
}

// costs holds the bytes that are allocated on the way to a number.
func costs(t *testing.T, text string, most uint64, run func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%.40s: %d bytes, at most %d", text, took, most)
	}
}
