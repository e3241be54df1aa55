package faults

import "testing"

// R13: where a fault lies is told as far as it is known, and never without a file.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		f           Fault
		place, line string
	}{
		{Fault{File: "a.yaml", Line: 3, Column: 5}, "a.yaml:3:5", "a.yaml:3"}, {Fault{File: "a.yaml", Line: 3}, "a.yaml:3", "a.yaml:3"},
		{Fault{File: "a.yaml", Column: 5}, "a.yaml", "a.yaml"}, {Fault{File: "--set a=b"}, "--set a=b", "--set a=b"}, {Fault{Line: 3, Column: 5}, "", ""}, {Fault{}, "", ""},
	} {
		if c.f.Place() != c.place || c.f.AtLine() != c.line {
			t.Errorf("%+v: %q, %q", c.f, c.f.Place(), c.f.AtLine())
		}
	}
}
