package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// family is a group of codes with a heading of its own.
type family struct{ prefix, title, about string }

// families returns the headings in the order in which a reader meets the
// rules: first reading a document, then its fields, then what it does.
func families() []family {
	return []family{
		{"KORA-Y", "YAML documents", "Any YAML document, whatever it holds."},
		{"KORA-F", "Fields", "The fields of values and of patches alike."},
		{"KORA-P0", "Manifest patches: form", "How an entry of `agents.manifestPatches` is written."},
		{"KORA-P1", "Manifest patches: limits", "What a patch may not do to an object."},
		{"KORA-P2", "Manifest patches: doubts", "What most likely does not do what its author meant."},
		{"KORA-P3", "Environment variables", "The `KORA_MANIFEST__` variables of older installs."},
		{"KORA-V", "Values", "Values files, and the flags that set values."},
		{"KORA-A", "Agent types", "An agent type as a whole."},
		{"KORA-O", "Settings of the operator", "The config modules that `kora-operator` reads (R23)."},
		{"KORA-T", "Themes", "The white-labelling theme, `theme.yaml`."},
		{"KORA-R", "Releases", "A chart, what its templates do, and the objects that they write."},
		{"KORA-K", "Clusters", "What is asked of a cluster."},
		{"KORA-E", "Environments", "The environment file that releases are generated from."},
		{"KORA-G", "Generated files", "Helmfile and Argo CD, as the generator writes them."},
		{"KORA-C", "Argo CD", "What an install by Argo CD stands on."},
		{"KORA-M", "Argo CD's plugin", "What Argo CD hands to `kora cmp`."},
		{"KORA-U", "Upgrades", "What an upgrade may not change."},
		{"KORA-S", "Signatures", "Signatures, provenance, and the lists of what is signed."},
	}
}

const faultsIntro = `<!-- Made from internal/faults by go run ./internal/docgen. Do not edit. -->

# Faults

Every fault that kora reports carries a code, which stays the same for good and is never reused.
An *error* refuses the input: the exit status is 1, or 3 when something could not be checked at all.
A *warning* does not, unless ` + "`--strict`" + ` is given.
R numbers name the requirement that a rule comes from.
`

// faultsPage returns the reference of all codes: a table for each family, and
// below it a section for each code.
func faultsPage(rows []faults.Entry) []byte {
	var b bytes.Buffer
	b.WriteString(faultsIntro)
	for _, f := range families() {
		writeFamily(&b, f, rows)
	}
	return b.Bytes()
}

func writeFamily(b *bytes.Buffer, f family, rows []faults.Entry) {
	var sections bytes.Buffer
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| Code | Severity | What is wrong |\n| --- | --- | --- |\n", f.title, f.about)
	for _, e := range rows {
		if !strings.HasPrefix(string(e.Code), f.prefix) {
			continue
		}
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s |\n", e.Code, strings.ToLower(string(e.Code)), e.Severity, plain(e.Title))
		fmt.Fprintf(&sections, "\n### %s\n\n**%s** (%s)\n\n", e.Code, plain(e.Title), e.Severity)
		fmt.Fprintf(&sections, "- Why: %s\n- Fix: %s\n", plain(e.Why), plain(e.Fix))
	}
	b.Write(sections.Bytes())
}

// plain keeps Markdown from reading marks into a text of the catalogue.
func plain(s string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "<", `\<`, "[", `\[`,
	).Replace(s)
}
