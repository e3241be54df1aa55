// Package helmfile writes the reference Helmfile: one graph of releases as the
// files that `helmfile -e example apply` reads (R39).
//
// The Helmfile is a template over the facts of whatever environment is named:
// a person edits environments/<name>.yaml and values/kora.yaml, and nothing has
// to be generated again for it.
package helmfile

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
)

// Generator is the name in the seals of the files.
const Generator = "helmfile"

// Input is what the files are made from.
type Input struct {
	Graph *releases.Graph
	// Environment is the name of the environment file that the folder starts
	// with, and its text.
	Environment, Text string
}

// Generate returns every file of the folder (R39).
func Generate(in Input) (output.Set, error) {
	set := output.Set{Generator: Generator, Files: []output.File{
		{Path: "helmfile.yaml.gotmpl", Text: state(in.Graph)},
		{Path: "environments/defaults.yaml", Text: environment.Defaults()},
		{Path: "environments/" + in.Environment + ".yaml", Text: in.Text, Yours: true},
	}}
	for _, r := range in.Graph.Releases {
		if r.Values == "" {
			continue
		}
		text, err := releases.Template(r.Values)
		if err != nil {
			return output.Set{}, fmt.Errorf("release %s: %w", r.Name, err)
		}
		set.Files = append(set.Files, output.File{Path: "values/" + r.Values, Text: text})
		if r.Own {
			set.Files = append(set.Files, output.File{Path: "values/" + r.Name + ".yaml", Text: releases.KoraValues(), Yours: true})
		}
	}
	return set, nil
}

// state is helmfile.yaml.gotmpl.
func state(g *releases.Graph) string {
	var b strings.Builder
	before, after, _ := strings.Cut(head, "---\n")
	b.WriteString(before + "---\n" + guarded + environment.Guard(append(locked(g), placed(g))...) + after)
	repositories(&b, g)
	b.WriteString("\nreleases:")
	for _, r := range g.Releases {
		release(&b, g, r)
	}
	return b.String()
}

const guarded = "{{- /* What is wrong in the environment stops everything here, all of it told, before the first release. */}}\n"

// locked are the checks of an environment that a lock makes needed: charts are
// pinned by digest, and a repository with an index has none, so that they would be
// silently passed over. Of facts that have no right form the guard has told.
func locked(g *releases.Graph) []string {
	var out []string
	for _, r := range g.Releases {
		if r.Digest == "" {
			continue
		}
		block, key, _ := strings.Cut(strings.TrimPrefix(fact(r), ".Values."), ".")
		wrong := environment.Wrong(fmt.Sprintf("not (hasPrefix \"oci://\" (print $%s.%s))", block, key),
			block+"."+key+" must be an oci:// URL: the chart "+r.Name+" is locked by its digest, which no other repository can serve")
		out = append(out, fmt.Sprintf("{{- $%s := index $facts %q }}{{ if eq (kindOf $%s) \"map\" }}\n%s{{- end }}\n", block, block, block, wrong))
	}
	return out
}

// fact is where the environment says a release's repository.
func fact(r releases.Release) string {
	return strings.TrimSuffix(strings.TrimPrefix(r.Repository.Fact, "{{ "), " }}")
}

const head = `#
#   helmfile -e example apply     what differs is shown, then installed
#   helmfile -e example sync      the same without the plugin helm-diff
#
# The name after -e is that of a file in environments/: copy example.yaml, and
# edit the copy and values/kora.yaml. Nothing else needs to change, and nothing
# needs to be generated again.
#
# The order comes from "needs" alone; releases that do not need each other are
# installed side by side. "wait" is what makes needs mean ready. A selector
# (-l name=kora) leaves out what the release needs, unless --include-needs is given.
environments:
  {{ .Environment.Name | quote }}:
    values:
      - environments/defaults.yaml
      - environments/{{ .Environment.Name }}.yaml
---
helmDefaults:
  wait: true
  waitForJobs: true
  # Seconds for each release; the migration of the database has 1800 of them.
  timeout: 2400
  # The hooks below make the namespaces, with their labels, before the release:
  # a pod that starts in a namespace without its labels has no sidecar.
  createNamespace: false

`

// repositories writes one entry for each place that charts come from. An OCI
// registry has no index, and its URL no scheme here.
func repositories(b *strings.Builder, g *releases.Graph) {
	b.WriteString("repositories:\n")
	seen := map[string]bool{}
	for _, r := range g.Releases {
		if seen[r.Repository.Name] {
			continue
		}
		seen[r.Repository.Name] = true
		fmt.Fprintf(b, "  - name: %s\n    url: {{ %s | trimPrefix \"oci://\" | trimSuffix \"/\" | quote }}\n    oci: {{ hasPrefix \"oci://\" %s }}\n", r.Repository.Name, fact(r), fact(r))
	}
}
