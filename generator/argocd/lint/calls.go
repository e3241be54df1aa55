package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// call is something in a chart's template that Argo CD answers otherwise.
type call struct {
	pattern *regexp.Regexp
	message string
}

// action is what stands between a template's braces up to the word.
const action = `\{\{[^}]*?\b`

func answeredOtherwise() []call {
	return []call{
		{regexp.MustCompile(action + `(lookup)\s+"`), "lookup finds nothing: Argo CD renders without a cluster"},
		{regexp.MustCompile(action + `(rand(?:AlphaNum|Alpha|Numeric|Ascii|Bytes|Int)|uuidv4|gen(?:CA|PrivateKey|SelfSignedCert|SignedCert)(?:WithKey)?|htpasswd|bcrypt|now)\b`), "the result is another with every render, so the Application is never in sync"},
		{regexp.MustCompile(action + `(Release\.Is(?:Install|Upgrade))\b`), "Argo CD renders every sync as a first install"},
		{regexp.MustCompile(`["']?helm\.sh/hook["']?:\s*["']?[a-z, -]*?((?:pre|post)-(?:delete|rollback))`), "Argo CD does not run this hook as Helm does"},
	}
}

// calls looks through a template of a chart, line by line. A template is not
// YAML, so that no more can be said about it.
func calls(f file) faults.List {
	if len(f.text) > limits.Bytes {
		fault := source.NewFile(f.name, "").At(1, 1).Fault(faults.YAMLLimit, "the template is too long to be looked through")
		return faults.List{fault}
	}
	src, all := source.NewFile(f.name, f.text), answeredOtherwise()
	var found faults.List
	n := 0
	for line := range strings.Lines(f.text) {
		n++
		for _, c := range all {
			if m := c.pattern.FindStringSubmatchIndex(line); m != nil {
				word := line[m[2]:m[3]]
				fault := src.At(n, len([]rune(line[:m[2]]))+1).Fault(faults.RendersOtherly, c.message)
				fault.Found = word
				found = append(found, fault)
			}
		}
	}
	return append(found, leftHook(src, f.text)...)
}

var (
	hookKey  = regexp.MustCompile(`(?m)^\s*["']?helm\.sh/hook["']?:`)
	hookName = regexp.MustCompile(`(?m)^\s*generateName:`)
)

// leftHook is a hook with a fixed name that is not deleted before it is made
// again: it runs on the first sync alone.
func leftHook(src *source.File, text string) faults.List {
	m := hookKey.FindStringIndex(text)
	if m == nil || strings.Contains(text, "before-hook-creation") || hookName.MatchString(text) || !strings.Contains(text, "hook-delete-policy") {
		return nil
	}
	line := 1 + strings.Count(text[:m[0]], "\n")
	fault := src.At(line, 1).Fault(faults.RendersOtherly, fmt.Sprintf("a hook with a fixed name and without %s runs on the first sync alone", "before-hook-creation"))
	return faults.List{fault}
}
