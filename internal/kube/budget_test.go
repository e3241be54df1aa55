package kube

import "testing"

// R55: what is kept of all lists has one bound.
func TestABudgetEnds(t *testing.T) {
	b := Budget{Limit: 1 << 20}
	for i := range 4 {
		if err := b.Keep(1 << 18); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := b.Keep(1); err == nil || Answered(err) != err {
		t.Error(err)
	}
}
