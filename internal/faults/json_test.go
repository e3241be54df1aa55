package faults

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSONHoldsEveryFault(t *testing.T) {
	out := printed(t, FormatJSON, Options{}, sample())
	golden(t, "json", out)
	var got report
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := report{1, asDecoded(sample().Sorted()), 4, 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJSONWithoutFaultsIsAnEmptyList(t *testing.T) {
	var got bytes.Buffer
	if err := json.Compact(&got, printed(t, FormatJSON, Options{}, nil)); err != nil {
		t.Fatal(err)
	}
	if want := `{"version":1,"faults":[],"errors":0,"warnings":0}`; got.String() != want {
		t.Errorf("printed %s, want %s", got.String(), want)
	}
}

// asDecoded writes U+FFFD for what is not UTF-8: JSON can hold nothing else.
func asDecoded(list List) List {
	for i := range list {
		f := &list[i]
		for _, s := range []*string{
			(*string)(&f.Code), (*string)(&f.Severity), &f.File, &f.Key, &f.Object, &f.Field,
			&f.Message, &f.Found, &f.Expected, &f.Fix, &f.Source,
		} {
			*s = string([]rune(*s))
		}
	}
	return list
}
