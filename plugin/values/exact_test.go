package values

import (
	"strings"
	"testing"
)

// R2, R20: a quantity that the API would read as another one is refused; what
// is printed is what was written.
func TestAQuantityIsKeptAsItIsWritten(t *testing.T) {
	for text, kept := range map[string]bool{
		"10Gi": true, "1.5Gi": true, "0.5": true, "500m": true, "1n": true, "1u": true, "9223372036854775807": true, "7Ei": true, "9E": true,
		"1e3": true, "1E3": true, "12e-3": true, "+5": true, ".5": true, "5.": true, "1k": true, "0.001Ki": true, "100M": true, "1P": true, "1Ti": true,
		"99999999999999999999Ei": false, "9223372036854775808": false, "8Ei": false, "10E": false, "1e40": false, "0.1n": false, "1.0000000001": false, "1e-12": false,
	} {
		tree := mustLoad(t, []string{"agents: {workspace: {size: '" + text + "'}}"})
		found := tree.Check()
		if kept != (len(found) == 0) {
			t.Errorf("%s: %s", text, show(found))
			continue
		}
		if !kept && (found[0].Code != "KORA-V002" || !strings.Contains(found[0].Message, "beyond what Kubernetes keeps") || found[0].Fix == "") {
			t.Errorf("%s: %+v", text, found[0])
		}
	}
}

// R20: what to do about a size is about that size.
func TestTheFixOfASizeFitsIt(t *testing.T) {
	for text, fix := range map[string]string{
		"workspace: {size: 0}":                                            "write a quantity above zero, such as 10Gi",
		"environments: {maxSize: {memory: 0}}":                            "write a quantity above zero, such as 512Mi or 4Gi",
		"environments: {maxSize: {cpu: 1}}":                               "raise agents.environments.maxSize.cpu, or lower agents.environments.defaultSize.cpu",
		"sandboxWarming: {resources: {requests: {cpu: 2800m}}}":           "raise it to 2900m, or lower agents.environments.defaultSize",
		"workspace: {size: 1x}":                                           "write a number with a unit",
		"workspace: {storageClassName: " + strings.Repeat("a", 254) + "}": "use a shorter one",
	} {
		found := mustLoad(t, []string{"agents: {" + text + "}"}).Check()
		if len(found) != 1 || !strings.HasPrefix(found[0].Fix, fix) {
			t.Errorf("%s: %+v", text, found)
		}
	}
}
