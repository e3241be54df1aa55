package fields

import (
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// quantityForm is Kubernetes' own, less exponents that no resource has:
// 1e999999999 would keep the library counting for minutes.
var quantityForm = regexp.MustCompile(`^[+-]?[0-9.]{1,40}(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?$`)

// ParseQuantity is resource.ParseQuantity for texts that somebody else wrote.
func ParseQuantity(text string) (resource.Quantity, error) {
	if !quantityForm.MatchString(text) {
		return resource.Quantity{}, fmt.Errorf("%.40q is not a quantity", text)
	}
	return resource.ParseQuantity(text)
}

// BadQuantity returns the path of the first value in a plain object that
// stands where a quantity should and is none, and whether there is one. It is
// for objects on their way into their Go type, which would parse it unchecked.
func BadQuantity(v any, t *Type, at Path) (Path, bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range union(v, nil) {
			if p, bad := BadQuantity(v[name], t.Member(name).Type, at.Child(name)); bad {
				return p, true
			}
		}
	case []any:
		for i, item := range v {
			if p, bad := BadQuantity(item, t.elem(), at.Index(i)); bad {
				return p, true
			}
		}
	case string:
		if t.Kind == Quantity {
			_, err := ParseQuantity(v)
			return at, err != nil
		}
	}
	return "", false
}

func (t *Type) elem() *Type {
	if t.Elem == nil {
		return anything
	}
	return t.Elem
}
