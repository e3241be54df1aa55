package helmfile

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/generator/releases"
)

func release(b *strings.Builder, g *releases.Graph, r releases.Release) {
	fmt.Fprintf(b, "\n  # %s: %s.\n", r.Name, r.Why)
	fmt.Fprintf(b, "  - name: %s\n    namespace: %s\n", r.Name, scalar(r.Namespace))
	fmt.Fprintf(b, "    chart: %s\n    version: %s\n", scalar(chart(r)), r.Version)
	b.WriteString("    # A blank cluster does not know the kinds yet that other releases bring.\n" +
		"    disableValidationOnInstall: true\n")
	if len(r.Needs) > 0 {
		b.WriteString("    needs:\n")
		for _, need := range r.Needs {
			fmt.Fprintf(b, "      - %s\n", scalar(g.Release(need).Namespace+"/"+need))
		}
	}
	values(b, r)
	hook(b, r, r.Name == g.Releases[0].Name)
}

// chart is where the chart is, in full where a registry has it: Helmfile keeps
// what it pulled below this text and the version, and installs what lies there
// without a look at the registry. An alias alone would have it install another
// registry's chart, or what was pulled without the digest of a lock (R38). Where a
// digest is known, the version is a word for people, and the guard has seen that
// there is a registry.
func chart(r releases.Release) string {
	url := "{{ " + fact(r) + " | trimSuffix `/` }}"
	if r.Digest != "" {
		return url + "/" + r.Chart + "@" + r.Digest
	}
	return "{{ if hasPrefix `oci://` " + fact(r) + " }}" + url + "{{ else }}" + r.Repository.Name + "{{ end }}/" + r.Chart
}

func values(b *strings.Builder, r releases.Release) {
	if names := valueFiles(r); names != nil {
		b.WriteString("    values:\n      - " + strings.Join(names, "\n      - ") + "\n")
	}
	if r.Theme {
		b.WriteString("    {{- if .Values.theme }}\n    set:\n      - name: theme.document\n        file: values/{{ .Values.theme }}\n    {{- end }}\n")
	}
}

// hook makes the namespace and its labels before the release (R39). Facts are
// arguments of the script, never a part of its text; a label that does not hold
// is taken away, so that a change of the revision reaches the namespace. The
// script stands in the first release, and the others name it.
func hook(b *strings.Builder, r releases.Release, first bool) {
	b.WriteString("    hooks:\n      - events: [presync]\n        showlogs: true\n        command: sh\n        args:\n          - -ec\n")
	if first {
		b.WriteString("          - &script |\n")
		for line := range strings.Lines(script) {
			b.WriteString("            " + line)
		}
	} else {
		b.WriteString("          - *script\n")
	}
	fmt.Fprintf(b, "          - %s\n", Hook)
	b.WriteString("          - {{ `{{ .Release.KubeContext }}` | quote }}\n")
	fmt.Fprintf(b, "          - %s\n", scalar(r.Namespace))
	for _, l := range r.Labels {
		fmt.Fprintf(b, "          - %s\n", scalar(label(l)))
	}
}

// Hook is the name by which the script of the hooks calls itself.
const Hook = "kora-namespace"

const script = `context="$1" namespace="$2"
shift 2
kubectl --context="$context" get namespace "$namespace" >/dev/null 2>&1 ||
  kubectl --context="$context" create namespace "$namespace"
kubectl --context="$context" label --overwrite namespace "$namespace" "$@"
`

func label(l releases.Label) string {
	if l.When == "" {
		return l.Name + "=" + l.Value
	}
	return fmt.Sprintf("{{ if %s }}%s=%s{{ else }}%s-{{ end }}", l.When, l.Name, l.Value, l.Name)
}

// scalar quotes what holds a template, so that the file is YAML before it is
// filled in as well.
func scalar(text string) string {
	if strings.Contains(text, "{{") {
		return `"` + text + `"`
	}
	return text
}
