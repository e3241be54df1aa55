package policy

import (
	"regexp/syntax"
	"strings"
)

// setSource takes the repository of an identity, or of its beginning, for the
// source repository where none is given. A workflow signs for every repository
// that calls it, and its own name in the certificate says nothing of that.
func (p *Policy) setSource(identity string) {
	if p.source != "" {
		return
	}
	p.source = repositoryOf(identity)
	p.derived = p.source != ""
}

// repositoryOf returns the repository of HOST/OWNER/REPO/.github/workflows/…,
// and of github.com/OWNER/REPO/…, as an https URL; "" where the text says
// nothing about a repository, or not all of its name.
func repositoryOf(identity string) string {
	rest, ok := strings.CutPrefix(identity, "https://")
	parts := strings.SplitN(rest, "/", 6)
	if !ok || len(parts) < 4 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		return ""
	}
	workflow := len(parts) == 6 && lower(parts[3]) == ".github" && lower(parts[4]) == "workflows"
	if !workflow && lower(parts[0]) != "github.com" {
		return "" // other hosts build their URLs otherwise
	}
	return "https://" + strings.Join(parts[:3], "/")
}

// beginning is the text with which everything that an expression matches
// begins.
func beginning(expression string) string {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	parts := sequence(tree)
	for len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return ""
	}
	if inner := sequence(parts[0]); len(inner) > 0 && inner[0].Op == syntax.OpLiteral {
		return string(inner[0].Rune)
	}
	return ""
}
