package guard

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// The amounts of a container that it, or a file in it, may read.
var readable = []string{
	"limits.cpu", "limits.memory", "limits.ephemeral-storage",
	"requests.cpu", "requests.memory", "requests.ephemeral-storage",
}

// Units in which an amount is read, as quantities are written.
var (
	coreUnits = []string{"1m", "1"}
	byteUnits = []string{"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"}
)

func (c *checker) resourceRef(at fields.Path, r *corev1.ResourceFieldSelector) {
	if r == nil {
		return
	}
	pages := strings.HasPrefix(r.Resource, "limits.hugepages-") || strings.HasPrefix(r.Resource, "requests.hugepages-")
	if !pages && !slices.Contains(readable, r.Resource) {
		c.unsound(at.Child("resource"), "no amount that a container may read", r.Resource,
			"one of "+strings.Join(readable, ", ")+", or limits.hugepages-<size>", near(r.Resource, readable))
		return
	}
	units := byteUnits
	if strings.HasSuffix(r.Resource, ".cpu") {
		units = coreUnits
	}
	if !r.Divisor.IsZero() && !slices.Contains(units, r.Divisor.String()) {
		c.unsound(at.Child("divisor"), "the amount is not read in this unit", r.Divisor.String(), "one of "+strings.Join(units, ", "), "")
	}
}
