package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

func TestEveryCodeHasOneRowAndOneSection(t *testing.T) {
	out := faultsPage(faults.Catalogue())
	for _, e := range faults.Catalogue() {
		row := fmt.Sprintf("| [%s](#%s) | %s |", e.Code, strings.ToLower(string(e.Code)), e.Severity)
		heading := fmt.Sprintf("\n### %s\n", e.Code)
		if bytes.Count(out, []byte(row)) != 1 || bytes.Count(out, []byte(heading)) != 1 {
			t.Errorf("%s: not one row and one section", e.Code)
		}
		if !bytes.Contains(out, []byte("- Why: "+plain(e.Why)+"\n- Fix: "+plain(e.Fix)+"\n")) {
			t.Errorf("%s: no why and fix", e.Code)
		}
	}
}

func TestTextsOfTheCatalogueStayPlain(t *testing.T) {
	if got, want := plain("a|b_c* <d> [e] `f` \\"), "a\\|b\\_c\\* \\<d> \\[e] \\`f\\` \\\\"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPageEndsInOneNewline(t *testing.T) {
	out := faultsPage(faults.Catalogue())
	if !bytes.HasSuffix(out, []byte("\n")) || bytes.HasSuffix(out, []byte("\n\n")) || bytes.Contains(out, []byte("\n\n\n")) {
		t.Error("blank lines are out of order")
	}
}
