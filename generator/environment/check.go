package environment

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// check looks at what a type cannot say: that a required fact is there and
// every text has its form. What has the wrong type is told elsewhere.
func check(n *source.Node, all []spec, at fields.Path) faults.List {
	if n.Kind != source.Mapping {
		return nil
	}
	var found faults.List
	for _, s := range all {
		value := n.Get(s.key)
		switch {
		case value.Null() && s.required:
			found = append(found, missing(n, s, at))
		case value != nil && value.Null():
			found = append(found, empty(n.Field(s.key).Key, s, at.Child(s.key)))
		case !value.Null():
			found = append(found, s.check(value, at.Child(s.key))...)
		}
	}
	return found
}

func (s spec) check(n *source.Node, at fields.Path) faults.List {
	switch {
	case s.kind == reflect.Struct:
		return check(n, s.fields, at)
	case s.kind == reflect.String && isText(n):
		return s.judge(n, at, s.filled())
	case s.kind == reflect.Slice && s.form != "":
		var found faults.List
		for i, item := range n.Items {
			if isText(item) {
				found = append(found, s.judge(item, at.Index(i), true)...)
			}
		}
		return found
	case s.kind == reflect.Map:
		return labels(n, at)
	case s.item == reflect.TypeFor[corev1.Toleration]():
		return tolerations(n, at)
	case s.kind == reflect.Int64 && n.Tag == "!!int":
		return limit(n, at)
	}
	return nil
}

func limit(n *source.Node, at fields.Path) faults.List {
	f := n.Pos.Fault(faults.EnvironmentForm, "the number is below what it may be")
	f.Field, f.Found, f.Expected = string(at), n.Value, limits
	switch v, whole := n.Any().(int64); {
	case whole && v < -1:
		return faults.List{f}
	case !countable(n):
		f.Message = "the number is too long"
		return faults.List{f}
	}
	return nil
}

func isText(n *source.Node) bool { return n.Kind == source.Scalar && n.Tag == "!!str" }

// judge refuses a text without its form; an empty one where something must be.
// A URL is not shown: people write passwords into them.
func (s spec) judge(n *source.Node, at fields.Path, required bool) faults.List {
	rule := forms()[s.form]
	if n.Value == "" && !required || n.Value != "" && rule.takes(n.Value) {
		return nil
	}
	f := n.Pos.Fault(faults.EnvironmentForm, "the value is not "+article(s.form))
	if n.Value == "" {
		f.Message, f.Fix = "the text is empty", "write what it is"
	}
	if n.Value == "" && s.standard != "" {
		f.Message, f.Fix = s.key+" is empty, and would hide the default", "write what it is, or remove the line"
	}
	if rule.taken != "" && rule.no.MatchString(n.Value) {
		f.Message, f.Fix = fmt.Sprintf("%.80q %s", n.Value, rule.taken), "give kora one of its own, such as kora-system"
	}
	f.Field, f.Expected = string(at), rule.expected()
	switch {
	case strings.Contains(s.form, "url") || strings.Contains(n.Value, "@"):
		f.Source, f.SourceFrom = "", 0
	default:
		f.Found = n.Value
	}
	if near := fields.Nearest(n.Value, rule.values); near != "" {
		f.Fix = `did you mean "` + near + `"?`
	}
	return faults.List{f}
}

func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

func missing(n *source.Node, s spec, at fields.Path) faults.Fault {
	f := n.Pos.Fault(faults.EnvironmentForm, s.key+" is missing")
	f.Field, f.Expected = string(at.Child(s.key)), forms()[s.form].expected()
	f.Fix = "add it: " + strings.TrimSuffix(strings.ToLower(s.about[:1])+s.about[1:], ".")
	return f
}

// empty is a fact that stands there without a value: Helmfile would take the
// nothing over the default.
func empty(key *source.Node, s spec, at fields.Path) faults.Fault {
	return nothing(key, s.key+" has no value, and would hide the default", at)
}

func nothing(key *source.Node, message string, at fields.Path) faults.Fault {
	f := key.Pos.Fault(faults.EnvironmentForm, message)
	f.Field, f.Found, f.Expected = string(at), "null", "a value, or no "+key.Value+" at all"
	f.Fix = "write what it is, or remove the line"
	return f
}
