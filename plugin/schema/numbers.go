package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// split is a plain number that readers of YAML 1.1 and 1.2 take for different
// ones, or for a text: 010 is eight or ten, 1_000, 0b11 and 0o7 are texts to some.
var split = regexp.MustCompile(`^[-+]?(0+[1-7][0-7]+|0[bo][0-9_]+|[0-9.][^:]*_.*|0x[^:]*_.*)$`)

// number refuses such a number: the chart, the preview and an editor would not read
// the same (R20).
func (t *teller) number(n *source.Node, at fields.Path) {
	if !n.Plain || n.Tag != "!!int" && n.Tag != "!!float" || !split.MatchString(n.Value) {
		return
	}
	read := fmt.Sprint(n.Any())
	others, fix := "a text", "write "+read
	if ten := strings.TrimLeft(n.Value, "+-0"); decimal(ten) && !strings.ContainsRune(n.Value, 'o') {
		if others = ten; n.Value[0] == '-' {
			others = "-" + ten
		}
		fix += ", or " + others + " where that is meant"
	}
	f := n.Pos.Fault(faults.AmbiguousNumber, fmt.Sprintf("the plain number %s is %s to Helm and %s to other readers of YAML", short(n.Value), read, others))
	f.Field, f.Found, f.Expected, f.Fix = string(at), short(n.Value), "a number in decimal, without a zero in front", fix
	t.refuse(f)
}

func decimal(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// inKey: Helm writes a key that is such a number as YAML does.
var inKey = strings.NewReplacer("+Inf", ".inf", "-Inf", "-.inf", "NaN", ".nan")

// key refuses a plain key that Helm writes otherwise, because it takes it for
// another kind of value: 0x1F is the key 31 to it, and null none at all.
func (t *teller) key(n *source.Node, at fields.Path) {
	read := n.Value
	switch v := n.Any().(type) {
	case nil:
		read = "no key"
	case float64:
		read = "the key " + inKey.Replace(strconv.FormatFloat(v, 'g', -1, 32))
	case int64, bool:
		read = fmt.Sprintf("the key %v", v)
	}
	if !n.Plain || n.Tag == "!!str" || read == "the key "+n.Value {
		return
	}
	f := n.Pos.Fault(faults.AmbiguousNumber, fmt.Sprintf("the plain key %s is %s to Helm", short(n.Value), read))
	f.Field, f.Found, f.Expected, f.Fix = string(at), short(n.Value), "a key in quotes", fmt.Sprintf("write %q", short(n.Value))
	t.refuse(f)
}
