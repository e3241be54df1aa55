package upgrade

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a release of kora: three numbers.
type Version struct{ Major, Minor, Patch int }

var threeNumbers = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$`)

// ParseVersion reads MAJOR.MINOR.PATCH.
func ParseVersion(text string) (Version, bool) {
	m := threeNumbers.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1]) // at most six digits
	}
	return Version{n[0], n[1], n[2]}, true
}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Compare orders versions.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v.Major, o.Major), cmp.Compare(v.Minor, o.Minor), cmp.Compare(v.Patch, o.Patch))
}

// skipped are the minors between two releases of one major, "1.3" and so on.
func skipped(from, to Version) []string {
	var out []string
	if from.Major != to.Major {
		return nil
	}
	for minor := from.Minor + 1; minor < to.Minor && len(out) < 20; minor++ {
		out = append(out, fmt.Sprintf("%d.%d", from.Major, minor))
	}
	return out
}
