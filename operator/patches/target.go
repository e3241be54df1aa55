package patches

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// target says which objects an entry is for, as kustomize reads it: group,
// version, kind, name and namespace are anchored regular expressions.
type target struct {
	kinds       []kind // those the kind matches, never none
	regex       *types.SelectorRegex
	labels      labels.Selector
	annotations labels.Selector
}

func (t *target) matches(object map[string]any, k kind) bool {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	namespace, _ := meta["namespace"].(string)
	return t.regex.MatchGvk(resid.NewGvk(k.Group, k.Version, k.Kind.Kind)) &&
		t.regex.MatchName(name) && t.regex.MatchNamespace(namespace) &&
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

// maxSelector bounds an expression; a longer one is no name of ours.
const maxSelector = 1000

// compileTarget reads a target whose fields are known to be texts.
func compileTarget(n *source.Node, all []kind) (*target, faults.List) {
	var found faults.List
	get := func(name string) string {
		v := n.Get(name)
		if v.Null() {
			return ""
		}
		if len(v.Value) > maxSelector {
			found = append(found, selectorFault(v, name, "the expression is too long", nil))
			return ""
		}
		return v.Value
	}
	selector := &types.Selector{ResId: resid.ResId{
		Gvk:  resid.Gvk{Group: get("group"), Version: get("version"), Kind: get("kind")},
		Name: get("name"), Namespace: get("namespace"),
	}}
	found = append(found, checkRegexes(n)...)
	t := &target{}
	t.labels = labelSelector(n, "labelSelector", get, &found)
	t.annotations = labelSelector(n, "annotationSelector", get, &found)
	if len(found) > 0 {
		return nil, found
	}
	regex, err := types.NewSelectorRegex(selector)
	if err != nil {
		return nil, faults.List{selectorFault(n, "", "kustomize does not take the selector", err)}
	}
	t.regex = regex
	return t, t.matchKinds(n, all)
}

func (t *target) matchKinds(n *source.Node, all []kind) faults.List {
	kindNode := n.Get("kind")
	if kindNode.Null() || kindNode.Value == "" {
		f := n.Pos.Fault(faults.TargetKind, "the target has no kind")
		f.Field, f.Expected = "target.kind", "one of "+strings.Join(kindNames(all), ", ")
		f.Fix = "add kind to target"
		return faults.List{f}
	}
	re := regexp.MustCompile("^(?:" + kindNode.Value + ")$")
	for _, k := range all {
		if re.MatchString(k.Kind.Kind) {
			t.kinds = append(t.kinds, k)
		}
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

func checkRegexes(n *source.Node) faults.List {
	var found faults.List
	for _, name := range []string{"group", "version", "kind", "name", "namespace"} {
		v := n.Get(name)
		if v.Null() || len(v.Value) > maxSelector {
			continue
		}
		if _, err := regexp.Compile("^(?:" + v.Value + ")$"); err != nil {
			found = append(found, selectorFault(v, name, "not a regular expression", err))
		}
	}
	return found
}

func labelSelector(n *source.Node, name string, get func(string) string, found *faults.List) labels.Selector {
	out, err := labels.Parse(get(name))
	if err != nil {
		*found = append(*found, selectorFault(n.Get(name), name, "not a label selector", err))
	}
	return out
}

func selectorFault(n *source.Node, name, message string, err error) faults.Fault {
	if err != nil {
		message += ": " + err.Error()
	}
	f := n.Pos.Fault(faults.TargetSelector, message)
	f.Field, f.Found = "target."+name, n.Value
	return f
}
