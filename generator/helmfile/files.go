package helmfile

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
)

// placed are the checks that the files are there which the Helmfile names: Helmfile
// itself opens them when the turn comes to the release, and so tells of kora's with
// everything else installed. A theme that has no right form the guard has told.
func placed(g *releases.Graph) string {
	var b strings.Builder
	for _, r := range g.Releases {
		for _, name := range valueFiles(r) {
			b.WriteString(environment.Wrong(fmt.Sprintf("not (isFile %q)", name), name+" must be a file that is there: the release "+r.Name+" reads it"))
		}
		if r.Theme {
			fmt.Fprintf(&b, "{{- $v := index $facts \"theme\" }}\n{{- if and (%s) (ne (print $v) \"\") }}{{ if not (isFile (print \"values/\" $v)) }}", environment.Holds("theme"))
			b.WriteString("{{ $wrong = append $wrong (print \"theme must be a file that is there: values/\" $v) }}{{ end }}{{ end }}\n")
		}
	}
	return b.String()
}

// valueFiles are read in order, and a later one wins: the facts over a person's.
func valueFiles(r releases.Release) []string {
	switch {
	case r.Values == "":
		return nil
	case r.Own:
		return []string{"values/" + r.Name + ".yaml", "values/" + r.Values}
	}
	return []string{"values/" + r.Values}
}
