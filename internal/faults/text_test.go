package faults

import (
	"strings"
	"testing"
)

// R13, R15: file, line, column, object, field and the way out, for every fault.
func TestTextShowsWhereWhatAndTheFix(t *testing.T) {
	golden(t, "text", printed(t, FormatText, Options{}, sample()))
}

func TestTextColoursOnlyTheSeverity(t *testing.T) {
	plain := printed(t, FormatText, Options{}, sample())
	colored := string(printed(t, FormatText, Options{Color: true}, sample()))
	golden(t, "text-color", []byte(colored))
	stripped := strings.NewReplacer("\x1b[1;31m", "", "\x1b[1;33m", "", "\x1b[0m", "").Replace(colored)
	if stripped != string(plain) {
		t.Error("colour changes more than the colour")
	}
}

func TestTextIsSilentWithoutFaults(t *testing.T) {
	if got := printed(t, FormatText, Options{Color: true}, nil); len(got) != 0 {
		t.Errorf("printed %q", got)
	}
}

func TestTextSummaryCounts(t *testing.T) {
	one, two := Fault{Severity: Error}, Fault{Severity: Warning}
	for want, list := range map[string]List{
		"1 error":              {one},
		"2 warnings":           {two, two},
		"2 errors, 1 warning":  {one, two, one},
		"1 error, 2 warnings":  {two, two, one},
		"1 error, 1 warning":   {two, one},
		"3 errors, 2 warnings": {one, two, one, two, one},
	} {
		if got := list.summary(); got != want {
			t.Errorf("summary %q, want %q", got, want)
		}
	}
}
