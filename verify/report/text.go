package report

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/verify"
)

// Text is a line an artifact, and a summary at the end. An artifact is called
// verified only in the line and the count of those that are.
func Text(r verify.Report) string {
	var b strings.Builder
	for _, v := range r.Artifacts {
		b.WriteString(v.Line())
		if v.Resolved != nil && v.Resolved.Index {
			b.WriteString(" (an index: it holds for every platform that it lists)")
		}
		if v.Resolved != nil && v.Resolved.What == "provenance" && !v.Verified() {
			b.WriteString(" (its provenance)")
		}
		b.WriteByte('\n')
	}
	b.WriteString(Summary(r) + "\n")
	return b.String()
}

// Summary counts the artifacts: "3 of 5 verified, 1 refused, 1 could not be
// checked".
func Summary(r verify.Report) string {
	text := fmt.Sprintf("%d of %d verified", r.Verified, len(r.Artifacts))
	if r.Refused > 0 {
		text += fmt.Sprintf(", %d refused", r.Refused)
	}
	if r.Unchecked > 0 {
		text += fmt.Sprintf(", %d could not be checked", r.Unchecked)
	}
	return text
}
