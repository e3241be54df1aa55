package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// R43: a fault in every line is told in bounded memory, and so is a folder that is
// all too large; people are told how many there are, and of no flag.
func TestFaultsInEveryLineAreBounded(t *testing.T) {
	lines := func(n int, line func(int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	keys := func(file, n int) string {
		return lines(n, func(i int) string { return fmt.Sprintf("k%dx%d: 1\n", file, i) })
	}
	good := text(t, goodValues)
	huge := with(t, nil)
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("v%d.yaml", i))
		huge.files[names[i]] = keys(i, 70_000)
	}
	huge.plugin = given(parameters("values-files", names...))
	program := plainProgram(t)
	for name, c := range map[string]hostileCase{
		"items": {a: with(t, map[string]string{"kora.yaml": good + "agents:\n  workloads:\n    sandbox:\n      tolerations:\n" +
			lines(50_000, func(int) string { return "        - { x: 1 }\n" })}), words: "and 49800 more; mend these first\n50000 errors\n"},
		"keys":  {a: with(t, map[string]string{"kora.yaml": good + keys(0, 70_000)}), words: "and 69800 more; mend these first\n70000 errors\n"},
		"files": {a: huge, words: "KORA-M012"},
	} {
		got := cmpServer{program: program, deadline: 9 * time.Minute, sidecar: []string{"KORA_CMP_TIMEOUT=8m"}}.generate(t, c.a)
		if got.status != 1 || !strings.Contains(got.words, c.words) || got.memory > mostMemory {
			t.Errorf("%s: status %d, %d MiB\n%.1000s\n%s", name, got.status, got.memory>>20, got.words, got.words[max(0, len(got.words)-300):])
		}
		t.Logf("%s: %d MiB", name, got.memory>>20)
	}
}
