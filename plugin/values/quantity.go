package values

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// quantity reads a quantity, which may be a number or a text.
func (v value) quantity() (resource.Quantity, bool) {
	if !v.given() || v.node.Kind != source.Scalar || v.node.Tag == "!!bool" {
		return resource.Quantity{}, false
	}
	q, err := fields.ParseQuantity(v.node.Value)
	return q, err == nil && exact(v.node.Value, q)
}

// positive reads a quantity that is above zero.
func (v value) positive() (resource.Quantity, bool) {
	q, ok := v.quantity()
	return q, ok && q.Sign() > 0
}

// positiveOr reads a quantity, or takes the default where none or no good one is
// set.
func (v value) positiveOr(otherwise resource.Quantity) resource.Quantity {
	if q, ok := v.positive(); ok {
		return q
	}
	return otherwise.DeepCopy()
}

// size refuses what is no quantity above zero (R7, R10). It returns true where
// one is set.
func (c *checker) size(v value, example string) bool {
	if !v.given() {
		return false
	}
	q, ok := v.quantity()
	switch {
	case v.node.Kind != source.Scalar || v.node.Tag == "!!bool":
		f := v.fault(faults.WrongType, "the value is of the wrong type")
		f.Found, f.Expected = kind(v.node), "a quantity such as "+example
		c.refuse(f)
	case !ok:
		c.refuse(notKept(v, example))
	case q.Sign() <= 0:
		f := v.fault(faults.BadSize, "a size is above zero")
		f.Expected = "a quantity above zero, such as " + example
		f.Fix = "write " + f.Expected
		c.refuse(f)
	default:
		return true
	}
	return false
}

// notKept is the fault of what is no quantity, or one that Kubernetes reads as
// another one.
func notKept(v value, example string) faults.Fault {
	f := v.fault(faults.BadQuantity, "not a quantity")
	f.Expected = "a number with or without a unit, such as " + example
	if _, err := fields.ParseQuantity(v.node.Value); err == nil {
		f.Message = "the quantity is beyond what Kubernetes keeps unchanged"
		f.Expected = "a quantity from 1n to 9223372036854775807, such as " + example
		f.Fix = "write " + f.Expected
	}
	return f
}

func kind(n *source.Node) string {
	if n.Kind == source.Scalar {
		return n.Value
	}
	return n.Kind.String()
}
