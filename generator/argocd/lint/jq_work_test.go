package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R40: what a stranger wrote is not run where it may take all memory or time: every
// way to build a value, to name the same place again and again, or to go on without
// end. It is left to Argo CD.
func TestPathsThatGrowAreNotRun(t *testing.T) {
	doubled := strings.Repeat("|.+.", 40)
	ones := "[" + strings.TrimSuffix(strings.Repeat("1,", 40), ",") + "]"
	for _, path := range []string{
		`.webhooks[] | select(("aaaaaaaaaaaaaaaa"` + doubled + `)|length>1)`,
		`.webhooks[] | select(("a"` + strings.Repeat(`|"\(.)\(.)"`, 30) + `)|length>1)`,
		`.webhooks[] | select(([1]` + strings.Repeat(`|[.,.]`, 30) + `)|length>1)`,
		`.webhooks[] | select(([1]` + strings.Repeat(`|[.,.]|add`, 30) + `)|length>1)`,
		`.webhooks[] | select(({}` + strings.Repeat(`|{a:.,b:.}`, 30) + `)|length>1)`,
		`.webhooks[] | select([` + ones + `[] as $a | ` + ones + `[] as $b | ` + ones + `[] as $c | 1]|length>0)`,
		`.webhooks[] | select(` + strings.Repeat(ones+"[]|", 6) + `true)`,
		`.webhooks[]` + strings.Repeat(`|(.,.)`, 30),
		`.webhooks[] | select(` + strings.Repeat(`(true,true) and `, 30) + `true)`,
		`.webhooks[]` + strings.Repeat(`|select(true,true)`, 30),
		`.webhooks[]` + strings.Repeat(`|if true then .,. else .,. end`, 20),
		`.webhooks[]` + strings.Repeat(`|try (.,.) catch .`, 20),
		`.webhooks[]` + strings.Repeat(`|first((.,.))|(.,.)`, 20),
		`.webhooks` + strings.Repeat(`|map(.,.)`, 30),
		`.webhooks[("a"` + doubled + `)]`, `.webhooks[("a"` + doubled + `|length):]`, `."\("a"` + doubled + `)"`,
		`.. | .. | .name`, `.a*1e9`, `.a | @base64`, `.[range(1e9)]`, `def f: .a|f; f`, `.a | recurse(.)`, `.a | until(false; .)`, `reduce .a[] as $x (.; .)`,
		`limit(1; repeat(.a))`, `.a | tojson`, `.a | [splits("a")]`, `.a | ascii`, `.a | implode`, `.a | walk(.)`, `.a | env`, `.a | debug`, `.a | input`, `label $f | .a`, `.webhooks[999].a,` + strings.Repeat(`.a,`, 100) + `.b`,
	} {
		if _, err := compiled(path); err == nil && effort(path) != 0 {
			t.Errorf("%.80s: %d", path, effort(path))
		}
		if r := reaches(path); r.err == nil && !r.unjudged {
			t.Errorf("%.80s: %+v", path, r)
		}
	}
	for _, path := range []string{`.webhooks[]?.clientConfig.caBundle`, `.. | .caBundle?`, `.webhooks[] | select(.name == "limit * def") | .failurePolicy`, `.webhooks[] | if .name == "a" then .failurePolicy else empty end`, `.webhooks[999].failurePolicy`} {
		if effort(path) == 0 || reaches(path).err != nil {
			t.Errorf("%s is not run: %+v", path, reaches(path))
		}
	}
}

// R40: a variable only names what is there, and is judged; what is not run is said,
// once a path, and nothing is claimed of what it leaves to others.
func TestPathsThatAreNotRunAreTold(t *testing.T) {
	for path, want := range map[string]string{
		`.webhooks[] as $w | .webhooks[] | select(.name == $w.name) | .clientConfig.caBundle, .failurePolicy`: "",
		`.webhooks as $all | .webhooks[] | select(.name == $all[0].name) | .failurePolicy`:                    "C006",
		`"a.example.com" as $n | .webhooks[] | select(.name == $n) | .failurePolicy`:                          "C006",
		`.webhooks[] | select(.name == "a" + ".example.com") | .clientConfig.caBundle`:                        "C014",
		`.webhooks[] | select(.timeoutSeconds * 2 > 10) | .failurePolicy`:                                     "C014",
		`.webhooks[reduce (1, 2) as $i (0; . + $i)] | .failurePolicy`:                                         "C014",
		`.webhooks[] as [$a] | .webhooks[].failurePolicy`:                                                     "C014",
		`.webhooks[] | select("\(.name)" == "a") | .failurePolicy`:                                            "C014",
		`.webhooks[] | select(.name == $ENV.HOME) | .failurePolicy`:                                           "C014",
		`.webhooks[].` + strings.Repeat("a", maxPath):                                                         "C014",
		`.webhooks[] | select(.name == $none) | .failurePolicy`:                                               "C006 KORA-C013",
	} {
		entry := "  ignoreDifferences: [{ group: '*', kind: '*', jqPathExpressions: ['" + path + "'] }]\n"
		coded(t, path, map[string]string{"a.yaml": application("kora", "", helm+"kora", entry, "syncOptions: [RespectIgnoreDifferences=true]")}, want)
	}
	entry := "  ignoreDifferences: [{ group: '*', kind: '*', jqPathExpressions: ['.webhooks[.a + 1].failurePolicy', '.webhooks[.b * 1].failurePolicy'] }]\n"
	graded(t, "each", map[string]string{"a.yaml": application("web", "", helm+"web", entry, "syncOptions: [RespectIgnoreDifferences=true]")}, "warning C014, warning C014")
}

// R40: all paths of a look have one bound, and where they pass it that is told once,
// with the status of what could not be checked.
func TestPathsTogetherHaveABound(t *testing.T) {
	var paths []string
	for i := range 3 * allEffort / 2 / effort(`.webhooks[900].a0000`) {
		paths = append(paths, fmt.Sprintf("'.webhooks[900].a%04d'", i))
	}
	entry := "  ignoreDifferences: [{ group: admissionregistration.k8s.io, kind: MutatingWebhookConfiguration, jqPathExpressions: [" + strings.Join(paths, ", ") + "] }]\n"
	app := func(name string) string {
		return application(name, "", helm+"web", entry, "syncOptions: [RespectIgnoreDifferences=true]")
	}
	unjudged := 0
	for _, f := range linted(t, map[string]string{"a.yaml": app("a"), "b.yaml": app("b")}) {
		if f.Code == faults.NothingToLint {
			unjudged++
		}
	}
	if unjudged != 1 || !faults.NothingToLint.Unchecked() {
		t.Errorf("told %d times", unjudged)
	}
	few := strings.Replace(entry, strings.Join(paths, ", "), strings.Join(paths[:10], ", "), 1)
	for _, f := range linted(t, map[string]string{"a.yaml": application("a", "", helm+"web", few, "syncOptions: [RespectIgnoreDifferences=true]")}) {
		if f.Code == faults.NothingToLint {
			t.Errorf("%+v", f)
		}
	}
}
