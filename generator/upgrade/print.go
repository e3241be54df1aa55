package upgrade

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// JSON is the plan for programs.
func (p *Plan) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	return append(faults.EscapeJSON(text), '\n'), err
}

// Text is the plan for people.
func (p *Plan) Text() string {
	var b strings.Builder
	word := "upgrade"
	if p.Rollback {
		word = "rollback"
	}
	fmt.Fprintf(&b, "%s of kora %s to %s\n\nrules\n", word, p.From, p.To)
	for _, c := range p.Checks {
		mark := "holds"
		if !c.Checked {
			mark = "open "
		}
		fmt.Fprintf(&b, "  %s  %s: %s\n", mark, c.Rule, faults.Visible(c.Seen))
	}
	section(&b, "to know", p.Notes)
	section(&b, "with helm", p.Helm)
	section(&b, "with helmfile", p.Helmfile)
	section(&b, "with argo cd", p.ArgoCD)
	section(&b, "back", p.Back)
	return b.String()
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, line := range lines {
		fmt.Fprintf(b, "  %s\n", faults.Visible(line))
	}
}
