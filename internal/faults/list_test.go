package faults

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R16: a warning refuses nothing, unless --strict raised it.
func TestOnlyStrictLetsAWarningRefuse(t *testing.T) {
	list := List{New(MatchesNothing, "m")}
	if list.Refused() || list.Warnings() != 1 || list.Errors() != 0 {
		t.Errorf("a warning refuses: %d errors, %d warnings", list.Errors(), list.Warnings())
	}
	if strict := list.Strict(); !strict.Refused() || strict.Warnings() != 0 {
		t.Error("a warning does not refuse under strict")
	}
	if list.Refused() {
		t.Error("Strict changed the list that it was called on")
	}
}

func TestFaultWithoutSeverityRefuses(t *testing.T) {
	if !(List{{Message: "m"}}).Refused() {
		t.Error("a fault without a severity does not refuse")
	}
}

// R15
func TestSortedOrdersByPlaceAndDropsDoubles(t *testing.T) {
	a := Fault{File: "a.yaml", Line: 9, Fix: "x"}
	b := Fault{File: "a.yaml", Line: 10, Fix: "x"}
	c := Fault{File: "a.yaml", Line: 10, Fix: "y"}
	list := List{c, b, c, a, b}
	if diff := cmp.Diff(List{a, b, c}, list.Sorted()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(List{c, b, c, a, b}, list); diff != "" {
		t.Errorf("Sorted changed the list that it was called on:\n%s", diff)
	}
}

// R15: what another list tells of the same place by the same code is told once; without a
// line the field tells places apart.
func TestWithTellsAPlaceOnce(t *testing.T) {
	a := Fault{Code: "KORA-P101", File: "a.yaml", Line: 9, Field: "spec.a", Object: "Pod one"}
	b, c := a, a
	b.Object, b.Field, c.Line = "Pod two", "spec.b", 10
	d, e := Fault{Code: "KORA-P203", Field: "spec.a"}, Fault{Code: "KORA-P203", Field: "spec.b"}
	if diff := cmp.Diff(List{a, c, d, e}, List{a}.With(List{b, c, c, d, e, d})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
