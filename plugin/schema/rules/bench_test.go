package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// big is a kora.yaml that sets all the chart has, and two hundred lists besides.
func big(t testing.TB) string {
	var b strings.Builder
	b.WriteString(strings.Replace(string(embedded(t).Values), "  # trustDomain:", "  trustDomain:", 1))
	b.WriteString("frontendHost: example.com\n")
	text := strings.Replace(b.String(), "  externalServices: []", "  externalServices:\n"+repeated(200, "    - { cidr: 10.%d.0.0/16, ports: [5432, 6379] }\n"), 1)
	return strings.Replace(text, "      podLabels: {}", "      podLabels:\n"+repeated(200, "        example.com/label-%d: team\n"), 1)
}

func repeated(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// R20: a big kora.yaml is fine, so that the benchmark measures the whole check.
func TestTheBigFileIsFine(t *testing.T) {
	tree, found := values.Read(source.NewFile("kora.yaml", big(t)))
	if found = append(found, Check(tree, embedded(t))...); len(found) > 0 {
		t.Error(report(t, found))
	}
}

// BenchmarkCheck is all that stands between a kora.yaml and its faults: reading it,
// the schema, the rules, the patches and the theme.
func BenchmarkCheck(b *testing.B) {
	chart := embedded(b)
	for name, text := range map[string]string{
		"big":            big(b),
		"full of faults": hostile(),
		"small":          "global: { trustDomain: example.com }\nfrontendHost: example.com\n",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tree, _ := values.Read(source.NewFile("kora.yaml", text))
				Check(tree, chart)
			}
		})
	}
}

// hostile is a file of a mebibyte with a fault in every line.
func hostile() string {
	return "a0: 1\n" + repeated(5000, "x%d: 1\n") + "agents:\n  workloads:\n    common:\n      podLabels:\n" + repeated(8000, "        runkora.io/l%d: on\n") +
		"      nodeSelector:\n" + repeated(8000, "        'a b%d': 1\n") + "policyService:\n" + repeated(8000, "  y%d:\n") + "  extraEnv:\n" + repeated(2000, "    - {name: A%d, value: b}\n")
}

// R15: each of thousands of faults is told.
func TestThousandsOfFaultsAreTold(t *testing.T) {
	tree, found := values.Read(source.NewFile("kora.yaml", hostile()))
	if len(found) > 0 {
		t.Fatal(report(t, found))
	}
	if found := Check(tree, embedded(t)); len(found) < 5000+2*8000+2000 {
		t.Errorf("%d faults", len(found))
	}
}
