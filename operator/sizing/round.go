package sizing

import (
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	tenthOfCore = 100 // millicores
	gibibyte    = 1 << 30
)

// Round writes an amount as values, rounded down to tenths: never more than
// what fits.
func Round(a Amount) Values {
	return Values{
		CPU:    tenths(down(a.CPU, resource.Milli) / tenthOfCore),
		Memory: gibibytes(a.Memory),
		Disk:   gibibytes(a.Disk),
	}
}

// Exact writes an amount as it is.
func Exact(a Amount) Values {
	return Values{CPU: a.CPU.String(), Memory: a.Memory.String(), Disk: a.Disk.String()}
}

// Whole writes an amount as a size that reads well in an offer: whole cores and
// gibibytes where there is at least one, else as Round does.
func Whole(a Amount) Values {
	v := Round(a)
	if n := down(a.CPU, 0); n > 0 {
		v.CPU = strconv.FormatInt(n, 10)
	}
	if n := down(a.Memory, 0) / gibibyte; n > 0 {
		v.Memory = strconv.FormatInt(n, 10) + "Gi"
	}
	if n := down(a.Disk, 0) / gibibyte; n > 0 {
		v.Disk = strconv.FormatInt(n, 10) + "Gi"
	}
	return v
}

// gibibytes splits before it multiplies: a quantity may be near the largest
// number there is. One of whole tenths is its own, which are no whole bytes.
func gibibytes(q resource.Quantity) string {
	n := down(q, 0)
	n = n/gibibyte*10 + n%gibibyte*10/gibibyte
	if next := tenths(n+1) + "Gi"; q.Cmp(resource.MustParse(next)) == 0 {
		return next
	}
	return tenths(n) + "Gi"
}

// down is a quantity in a unit, rounded down: Kubernetes' own numbers round up, and
// what is rounded up does not fit.
func down(q resource.Quantity, unit resource.Scale) int64 {
	n := q.ScaledValue(unit)
	if resource.NewScaledQuantity(n, unit).Cmp(q) > 0 {
		n--
	}
	return n
}

// tenths writes n tenths: 25 is "2.5", 20 is "2".
func tenths(n int64) string {
	if n%10 == 0 {
		return strconv.FormatInt(n/10, 10)
	}
	return strconv.FormatInt(n/10, 10) + "." + strconv.FormatInt(n%10, 10)
}
