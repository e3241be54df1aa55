package policy

import "fmt"

// JudgeProvenance returns what a provenance claims against the certificate of
// who signed it, or against the builder asked for. sources are the
// repositories that its predicate names (R47).
func (p Policy) JudgeProvenance(c Claims, builder string, sources []string) []Mismatch {
	var out []Mismatch
	if p.builder != "" && builder != p.builder {
		out = append(out, Mismatch{"builder", builder, fmt.Sprintf("%q", p.builder)})
	}
	if c.SourceRepository == "" {
		return out // a key signed, or an issuer that knows no repositories
	}
	for _, s := range sources {
		if !sameURL(s, c.SourceRepository) {
			out = append(out, Mismatch{"source repository of the provenance", s, fmt.Sprintf("%q, which the certificate says", c.SourceRepository)})
		}
	}
	return out
}
