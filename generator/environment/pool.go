package environment

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// labels may not be without a value: Helmfile and Argo CD would make two things
// of one. Nor may their names be numbers and the like, which Helmfile reads no map
// of. Both have the form that the API server demands (R2, R4).
func labels(n *source.Node, at fields.Path) faults.List {
	var found faults.List
	for _, each := range n.Fields {
		key, value, path := each.Key, each.Value, at.Child(each.Key.Value)
		if value.Null() {
			found = append(found, nothing(key, key.Value+" has no value", path))
		} else if isText(value) {
			found = append(found, spec{form: labelValue}.judge(value, path, false)...)
		}
		if isDate(key) {
			continue // told with all other dates
		}
		if key.Tag == "!!str" {
			found = append(found, spec{form: labelKey}.judge(key, path, true)...)
			continue // what is no text has no form
		}
		f := key.Pos.Fault(faults.EnvironmentForm, "the name of the label is no text to Helmfile")
		f.Field, f.Found, f.Expected = string(path), key.Value, "a text in quotes"
		f.Fix = "write \"" + key.Value + "\""
		found = append(found, f)
	}
	return found
}

// tolerations are such as the API server takes: what is in one depends on what
// else is (R2, R4). One that has not even its type's fields is told by that.
func tolerations(n *source.Node, at fields.Path) faults.List {
	var found faults.List
	for i, item := range n.Items {
		if item.Kind == source.Mapping && !fields.Check(item, fields.Of(corev1.Toleration{}), at.Index(i)).Refused() {
			found = append(found, toleration(item, at.Index(i))...)
		}
	}
	return found
}

func toleration(n *source.Node, at fields.Path) faults.List {
	key, operator, value, seconds := n.Get("key"), textOf(n, "operator"), n.Get("value"), n.Get("tolerationSeconds")
	var found faults.List
	if textOf(n, "key") != "" {
		found = spec{form: labelKey}.judge(key, at.Child("key"), true)
	} else if operator != "Exists" {
		found = append(found, unsound(n, at, keyless))
	}
	if textOf(n, "value") != "" && operator == "Exists" {
		found = append(found, unsound(value, at.Child("value"), needless))
	} else if textOf(n, "value") != "" {
		found = append(found, spec{form: labelValue}.judge(value, at.Child("value"), false)...)
	}
	if !seconds.Null() && textOf(n, "effect") != "NoExecute" {
		found = append(found, unsound(seconds, at.Child("tolerationSeconds"), endless))
	} else if !seconds.Null() && !countable(seconds) {
		found = append(found, unsound(seconds, at.Child("tolerationSeconds"), rule{"the number is too long", wholeNumber}))
	}
	return found
}

// rule is what a toleration breaks, and what it would have to be.
type rule struct{ says, expected string }

var (
	keyless  = rule{"a toleration without a key is for every taint", "a key, or the operator Exists"}
	needless = rule{"a toleration with the operator Exists holds for every value", "no value, or the operator Equal"}
	endless  = rule{"only a taint that evicts is tolerated for a time", "no tolerationSeconds, or the effect NoExecute"}
)

func unsound(n *source.Node, at fields.Path, r rule) faults.Fault {
	f := n.Pos.Fault(faults.EnvironmentForm, r.says)
	f.Field, f.Expected = string(at), r.expected
	return f
}

func textOf(n *source.Node, key string) string {
	if v := n.Get(key); v != nil && isText(v) {
		return v.Value
	}
	return ""
}

// mostDigits are those of a whole number: more of them not every reader of JSON
// keeps as they are.
const (
	mostDigits  = 15
	wholeNumber = "a whole number of at most 15 digits"
)

func countable(n *source.Node) bool {
	v, whole := n.Any().(int64)
	return whole && len(strconv.FormatInt(max(v, -v), 10)) <= mostDigits
}
