package sizing

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Values are the three fields of agents.environments.maxSize, as a person
// writes them: "2.5", "12.6Gi".
type Values struct {
	CPU    string `json:"cpu"`
	Memory string `json:"memory"`
	Disk   string `json:"disk"`
}

// set reports whether the values are sizes that kora takes: none of them is zero.
func (v Values) set() bool { return v.CPU != "0" && v.Memory != "0Gi" && v.Disk != "0Gi" }

// amount reads values that this package wrote.
func (v Values) amount() Amount {
	return Amount{CPU: resource.MustParse(v.CPU), Memory: resource.MustParse(v.Memory), Disk: resource.MustParse(v.Disk)}
}

// orBelow is an amount where it is no more than the values, as it is: what fits is
// not rounded. Elsewhere it is the values.
func (v Values) orBelow(a Amount) Values {
	exact, most := asGiven(a), v.amount()
	if a.CPU.Cmp(most.CPU) <= 0 {
		v.CPU = exact.CPU
	}
	if a.Memory.Cmp(most.Memory) <= 0 {
		v.Memory = exact.Memory
	}
	if a.Disk.Cmp(most.Disk) <= 0 {
		v.Disk = exact.Disk
	}
	return v
}

// asGiven is Exact, with tenths of a gibibyte as a person writes them: as a quantity
// they are no whole number of bytes, and 7.1Gi is "7623566950400m".
func asGiven(a Amount) Values {
	out, tenths := Exact(a), Round(a)
	is := tenths.amount()
	if strings.HasSuffix(out.Memory, "m") && is.Memory.Cmp(a.Memory) == 0 {
		out.Memory = tenths.Memory
	}
	if strings.HasSuffix(out.Disk, "m") && is.Disk.Cmp(a.Disk) == 0 {
		out.Disk = tenths.Disk
	}
	return out
}

// unless is other values, and the own ones where those are below the least.
func (v Values) unless(other, least Values) Values {
	is, low := other.amount(), least.amount()
	if is.CPU.Cmp(low.CPU) < 0 {
		other.CPU = v.CPU
	}
	if is.Memory.Cmp(low.Memory) < 0 {
		other.Memory = v.Memory
	}
	if is.Disk.Cmp(low.Disk) < 0 {
		other.Disk = v.Disk
	}
	return other
}
