package policy

import "fmt"

// Said is what a provenance claims of its build.
type Said struct {
	// Builder is the builder.id.
	Builder string
	// Sources are the repositories, SourceRefs and Commits the references and
	// commits that it names of them.
	Sources, SourceRefs, Commits []string
	// WorkflowRef is the reference of the workflow that was started.
	WorkflowRef string
}

// JudgeProvenance returns what a provenance claims against the certificate of
// who signed it, or against the builder asked for (R47). What the certificate
// does not say, as that of a key or of another issuer, contradicts nothing.
func (p Policy) JudgeProvenance(c Claims, s Said) []Mismatch {
	var out []Mismatch
	if p.builder != "" && s.Builder != p.builder {
		out = append(out, Mismatch{"builder", s.Builder, fmt.Sprintf("%q", p.builder)})
	}
	against := func(field, certified string, same func(a, b string) bool, said ...string) {
		for _, one := range said {
			if certified != "" && one != "" && !same(one, certified) {
				out = append(out, Mismatch{field + " of the provenance", one, fmt.Sprintf("%q, which the certificate says", certified)})
			}
		}
	}
	against("source repository", c.SourceRepository, sameURL, s.Sources...)
	against("source reference", c.SourceRef, equal, s.SourceRefs...)
	against("commit", c.SourceDigest, equal, s.Commits...)
	_, started, _ := cutLast(c.BuildConfig, "@")
	if started == "" {
		started = c.SourceRef
	}
	against("reference of the workflow", started, equal, s.WorkflowRef)
	// Another workflow may stand for the one that signed; the same one of
	// another reference does not.
	for _, workflow := range []string{c.SignerWorkflow, c.BuildConfig} {
		if sameWorkflow(s.Builder, workflow) {
			against("builder", workflow, equal, s.Builder)
		}
	}
	return out
}

func sameWorkflow(a, b string) bool {
	a, _, _ = cutLast(a, "@")
	b, _, _ = cutLast(b, "@")
	return sameURL(a, b)
}

func equal(a, b string) bool { return a == b }
