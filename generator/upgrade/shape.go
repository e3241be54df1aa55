package upgrade

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/internal/faults"
)

// shape is what a value has to be before a rule can be judged by it.
type shape struct {
	path     []string
	expected string
	holds    func(v any) bool
}

func shapes() []shape {
	return []shape{
		{[]string{"global"}, "a map", isMap},
		{[]string{"global", "trustDomain"}, "a text", isText},
		{[]string{"agents"}, "a map", isMap},
		{[]string{"agents", "workspace"}, "a map", isMap},
		{[]string{"agents", "workspace", "accessModes"}, "a list of texts", isTexts},
		{[]string{"agents", "workspace", "size"}, "an amount such as 10Gi", isAmount},
		{[]string{"agents", "workspace", "storageClassName"}, "a text", isText},
		{[]string{"agents", "manifestPatches"}, "a map of entries with target and patch", isMaps},
	}
}

// misshapen refuses what is no value of its kind: two maps that are equal are no
// trust domain that stays (R56). The values that run were judged when they came.
func (v Values) misshapen() faults.List {
	var found faults.List
	for _, s := range shapes() {
		value, at := v.at(s.path...)
		if value == nil || s.holds(value) {
			continue
		}
		f := at.Fault(faults.WrongType, "the value is not "+s.expected)
		f.Field, f.Found, f.Expected = joined(s.path), kind(value), s.expected
		found = append(found, f)
	}
	return found
}

func isMap(v any) bool {
	_, ok := v.(map[string]any)
	return ok
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

func isTexts(v any) bool {
	items, ok := v.([]any)
	for _, item := range items {
		ok = ok && isText(item)
	}
	return ok
}

func isMaps(v any) bool {
	all, ok := v.(map[string]any)
	for _, each := range all {
		ok = ok && (each == nil || isMap(each))
	}
	return ok
}

func isAmount(v any) bool {
	text, ok := amount(v).(string)
	_, err := resource.ParseQuantity(text)
	return ok && (err == nil || text == "") // an empty one says nothing
}
