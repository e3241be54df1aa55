package patches

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// target says which objects an entry is for, as kustomize reads it: group,
// version, kind, name and namespace are anchored regular expressions.
type target struct {
	kinds       []kind // those the kind matches, never none
	fits        map[string]bool
	name        *expression
	namespace   *expression
	labels      labels.Selector
	annotations labels.Selector
}

func (t *target) matches(object map[string]any, k kind) bool {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	namespace, _ := meta["namespace"].(string)
	return t.fits[k.Kind.Kind] && t.name.matches(name) && t.namespace.matches(namespace) &&
		t.labels.Matches(set(meta["labels"])) && t.annotations.Matches(set(meta["annotations"]))
}

func set(v any) labels.Set {
	m, _ := v.(map[string]any)
	out := make(labels.Set, len(m))
	for k, v := range m {
		out[k], _ = v.(string)
	}
	return out
}

// compileTarget reads a target whose fields are known to be texts. One that is
// wrong selects by the rest of it, so that what the patch may not do there is told
// as well (R15).
func compileTarget(n *source.Node, all []kind) (*target, faults.List) {
	var found faults.List
	t := &target{fits: map[string]bool{}}
	group, version := orAny(expressionAt(n, "group", &found)), orAny(expressionAt(n, "version", &found))
	kind := expressionAt(n, "kind", &found)
	t.name, t.namespace = orAny(expressionAt(n, "name", &found)), orAny(expressionAt(n, "namespace", &found))
	t.labels, t.annotations = labelsAt(n, "labelSelector", &found), labelsAt(n, "annotationSelector", &found)
	if kind == nil {
		return nil, found
	}
	for _, k := range all {
		if kind.matches(k.Kind.Kind) {
			t.kinds = append(t.kinds, k)
			t.fits[k.Kind.Kind] = group.matches(k.Group) && version.matches(k.Version)
		}
	}
	return t, append(found, t.checkKinds(n, all)...)
}

func (t *target) checkKinds(n *source.Node, all []kind) faults.List {
	kindNode := n.Get("kind")
	if kindNode.Null() || kindNode.Value == "" {
		f := n.Pos.Fault(faults.TargetKind, "the target has no kind")
		f.Field, f.Expected = "target.kind", "one of "+strings.Join(kindNames(all), ", ")
		f.Fix = "add kind to target"
		return faults.List{f}
	}
	if len(t.kinds) > 0 {
		return nil
	}
	f := kindNode.Pos.Fault(faults.TargetKind, fmt.Sprintf("kora does not provision a %s that could be patched", kindNode.Value))
	f.Field, f.Found, f.Expected = "target.kind", kindNode.Value, "one of "+strings.Join(kindNames(all), ", ")
	if near := fields.Nearest(kindNode.Value, kindNames(all)); near != "" {
		f.Fix = fmt.Sprintf("did you mean %q?", near)
	}
	return faults.List{f}
}

// expressionAt reads one regular expression of the target.
func expressionAt(n *source.Node, name string, found *faults.List) *expression {
	v := n.Get(name)
	if v.Null() {
		return &expression{any: true}
	}
	if len(v.Value) > maxExpression {
		*found = append(*found, tooMuch(v, name, "the expression is too long", fmt.Sprintf("at most %d bytes", maxExpression)))
		return nil
	}
	tree, err := syntax.Parse(v.Value, syntax.Perl)
	if err == nil && steps(tree) > maxSteps {
		*found = append(*found, tooMuch(v, name, "the expression is too complex", fmt.Sprintf("at most %d steps, repetitions written out", maxSteps)))
		return nil
	}
	e, err := newExpression(v.Value)
	if err != nil {
		*found = append(*found, selectorFault(v, name, "not a regular expression", err))
		(*found)[len(*found)-1].Fix = "mend the expression, and put a backslash before a sign that stands for itself"
		return nil
	}
	return e
}

func orAny(e *expression) *expression {
	if e == nil {
		return &expression{any: true}
	}
	return e
}

func labelsAt(n *source.Node, name string, found *faults.List) labels.Selector {
	v := n.Get(name)
	if v.Null() {
		return labels.Everything()
	}
	if len(v.Value) > maxSelector {
		*found = append(*found, tooMuch(v, name, "the selector is too long", fmt.Sprintf("at most %d bytes", maxSelector)))
		return labels.Everything()
	}
	out, err := labels.Parse(v.Value)
	if err != nil {
		*found = append(*found, selectorFault(v, name, "not a label selector", err))
		return labels.Everything()
	}
	return out
}

func selectorFault(n *source.Node, name, message string, err error) faults.Fault {
	f := n.Pos.Fault(faults.TargetSelector, message+": "+err.Error())
	f.Field, f.Found = "target."+name, n.Value
	return f
}

// tooMuch says what the limit is; the text itself would say little.
func tooMuch(n *source.Node, name, message, expected string) faults.Fault {
	f := n.Pos.Fault(faults.PatchLimit, message)
	f.Field, f.Found, f.Expected = "target."+name, fmt.Sprintf("%d bytes", len(n.Value)), expected
	f.Fix = "select by labelSelector, or write a patch for each"
	return f
}
