package settings

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"k8s.io/apimachinery/pkg/api/resource"
)

// shape is what a value must look like to be of use.
type shape struct {
	pattern *regexp.Regexp
	most    int  // characters; 0: as many as there are
	above0  bool // a quantity
	secret  bool // may hold what is not shown
	not     string
	fix     string
}

// takes reports whether a value has the shape.
func (s shape) takes(value string) bool {
	if !s.pattern.MatchString(value) || s.most > 0 && len(value) > s.most {
		return false
	}
	if s.above0 {
		q, err := resource.ParseQuantity(value)
		return err == nil && q.Sign() > 0
	}
	return true
}

// oneOf is the shape of a word of a few.
func oneOf(words ...string) shape {
	return shape{pattern: regexp.MustCompile(`^(` + strings.Join(words, "|") + `)$`), not: "is none of the words that it may be", fix: "write one of " + strings.Join(words, ", ")}
}

// shaped finds the given values that have not the shape that the chart demands of
// them (R23): a configuration that no chart rendered is read as strictly.
func (l *loader) shaped() {
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		m := l.modules[name]
		if m == nil {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(shapes[name])) {
			s := shapes[name][field]
			each(m.root, "", strings.Split(field, "."), func(at fields.Path, value string) {
				if s.takes(value) {
					return
				}
				if s.secret {
					l.refuse(name, at, "", s.not, s.fix)
					return
				}
				l.refuse(name, at, value, s.not, s.fix)
			})
		}
	}
}

// each visits the scalars that are given at a field, "*" for all of a map or a list,
// and "~" for the keys of a map.
func each(n *source.Node, at fields.Path, steps []string, visit func(fields.Path, string)) {
	switch {
	case n == nil:
	case len(steps) == 0:
		if n.Kind == source.Scalar {
			visit(at, text(n))
		}
	case steps[0] == "*" || steps[0] == "~":
		for i, item := range n.Items {
			each(item, at.Index(i), steps[1:], visit)
		}
		for _, f := range n.Fields {
			if steps[0] == "~" {
				visit(at.Child(f.Key.Value), f.Key.Value)
				continue
			}
			each(f.Value, at.Child(f.Key.Value), steps[1:], visit)
		}
	default:
		each(n.Get(steps[0]), at.Child(steps[0]), steps[1:], visit)
	}
}

// text is a scalar as the operator reads it: a number without its notation, and
// nothing for null.
func text(n *source.Node) string {
	if n.Null() {
		return ""
	}
	return fmt.Sprint(n.Any())
}
