package overrides

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/fields"
)

// maxLabel bounds the words behind a key's number: people read them in a list.
const maxLabel = 60

// key numbers a variable among all of them, in steps of ten so that patches by
// hand fit in between, and wide enough that the bytewise order of the keys is
// the order of the variables (R12). Those that are not translated keep their
// numbers: a second run gives the others the same keys.
func key(c *candidate, count int) string {
	width := max(3, len(strconv.Itoa(10*count)))
	return fmt.Sprintf("%0*d-%s", width, 10*(c.index+1), label(c))
}

// label is what a patch is for, in the letters that a ConfigMap's key may have.
func label(c *candidate) string {
	parts := []string{c.kind, c.slug}
	path := pathWords(c.field)
	parts = append(parts, path[max(0, len(path)-2):]...)
	var words []string
	for _, p := range parts {
		if w := slug(p); w != "" {
			words = append(words, w)
		}
	}
	text := strings.Join(words, "-")
	return strings.TrimRight(text[:min(len(text), maxLabel)], "-.")
}

// pathWords leaves out what stands in nearly every path.
func pathWords(at fields.Path) []string {
	var out []string
	for _, s := range at.Steps() {
		if !slices.Contains([]string{"spec", "template", "metadata"}, s.Name) {
			out = append(out, s.Name+s.Value)
		}
	}
	return out
}

// slug lowers the letters and puts a hyphen for whatever is none.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r < 'a' || r > 'z' {
			if r < '0' || r > '9' {
				r = '-'
			}
		}
		if r != '-' || b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(b.String(), "-")
}
