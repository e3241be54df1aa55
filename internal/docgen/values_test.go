package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// R20: every value of the schema has one row, with its type, its default and an
// example, in the section of its block or among what every service has.
func TestEveryValueHasOneRow(t *testing.T) {
	root, page := chartSchema(), string(valuesPage())
	common := root.Properties[pattern]
	count := 0
	for name, block := range root.Properties {
		rows := root.rows(name, block, nil)
		if len(block.Properties) == 0 {
			rows = []row{root.row(name, block)}
		}
		for _, r := range rows {
			anchor := fmt.Sprintf("<a id=%q></a>", r.path)
			rest, _ := strings.CutPrefix(r.path, name+".")
			_, shared := common.Properties[strings.Split(rest, ".")[0]]
			if shared && isService(block) && rest != "configOverrides" {
				anchor = fmt.Sprintf("<a id=%q></a>", "service."+rest)
			}
			if n := strings.Count(page, anchor); n != 1 {
				t.Errorf("%s: %d rows", r.path, n)
			}
			if r.kind == "" || r.standard == "" || r.text == "" || r.example == "" {
				t.Errorf("incomplete: %+v", r)
			}
			count++
		}
	}
	if count < 200 {
		t.Errorf("%d values", count)
	}
}

// A default in which a service differs from most is told in its section.
func TestDefaultsThatDifferAreTold(t *testing.T) {
	_, section, _ := strings.Cut(string(valuesPage()), "\n## operator\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !strings.Contains(section, `with `+"`resources` "+"`"+`{"requests":{"cpu":"100m","memory":"256Mi"},"limits":{"memory":"1Gi"}}`+"`") {
		t.Errorf("%s", section)
	}
}

// Every row of a table has as many cells as its head.
func TestTablesAreWhole(t *testing.T) {
	head := 0
	for i, line := range bytes.Split(valuesPage(), []byte("\n")) {
		text := strings.ReplaceAll(string(line), `\|`, "")
		if !strings.HasPrefix(text, "|") {
			head = 0
			continue
		}
		if n := strings.Count(text, "|"); head == 0 {
			head = n
		} else if n != head {
			t.Errorf("line %d has %d bars, its head %d", i+1, n, head)
		}
	}
}

// What must be given comes first, and every module that a service can set is there.
func TestPageIsInOrder(t *testing.T) {
	root := chartSchema()
	if got := blocks(root)[:2]; !slices.Equal(got, []string{"global", "frontendHost"}) {
		t.Error(got)
	}
	for path := range root.Properties["agents"].Properties["configOverrides"].Properties {
		if !bytes.Contains(valuesPage(), []byte("\n### "+path+"\n")) {
			t.Errorf("no section for %s", path)
		}
	}
}
