package values

import (
	"math"
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// exact reports whether a quantity that was parsed is the one that was written.
// The API caps what is above 2^63-1 and rounds up what is finer than a billionth,
// without a word; a few texts above it it keeps, and cannot count with (R2, R20).
// The text has the form that fields.ParseQuantity takes.
func exact(text string, q resource.Quantity) bool {
	number := strings.TrimRight(text, "numkKMGTPEi")
	written, ok := new(big.Rat).SetString(strings.TrimSuffix(number, "."))
	if !ok {
		return false
	}
	written.Mul(written, unit(text[len(number):]))
	kept, ok := new(big.Rat).SetString(q.AsDec().String())
	most := new(big.Rat).SetInt64(math.MaxInt64)
	return ok && kept.Cmp(written) == 0 && kept.Abs(kept).Cmp(most) <= 0
}

// unit is what a suffix multiplies by, 1 where there is none.
func unit(suffix string) *big.Rat {
	const fractions, decimal = "num", " kMGTPE"
	base := int64(1000)
	if strings.HasSuffix(suffix, "i") {
		suffix, base = strings.Replace(suffix[:1], "K", "k", 1), 1024
	}
	if suffix == "" {
		return big.NewRat(1, 1)
	}
	if i := strings.Index(fractions, suffix); i >= 0 {
		return new(big.Rat).Inv(power(base, 3-i))
	}
	return power(base, strings.Index(decimal, suffix))
}

func power(base int64, exponent int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(exponent)), nil))
}
