package render

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// variables are patches of a container's env or args that something is wrong with;
// each holds a secret, and most name it on another line.
var variables = map[string]string{
	"a number":                 "env:\n  - name: PASSWORD\n    value: 48151623\n",
	"of any name":              "env:\n  - name: COLOUR\n    value: 48151623\n",
	"the value first":          "env:\n  - value: 48151623\n    name: PASSWORD\n",
	"a typo":                   "env:\n  - name: PASSWORD\n    valeu: 48151623\n",
	"a typo beside":            "env:\n  - {value: \"48151623\", nmae: PASSWORD}\n",
	"a flow over lines":        "env:\n  - {name: PASSWORD,\n     value: 48151623}\n",
	"a map":                    "env:\n  - name: PASSWORD\n    value: {48151623: x}\n",
	"a list":                   "env:\n  - name: PASSWORD\n    value:\n      - \"48151623\"\n",
	"twice":                    "env:\n  - name: PASSWORD\n    value: a\n    value: \"48151623\"\n",
	"a tag":                    "env:\n  - name: PASSWORD\n    value: !!int 48151623\n",
	"a quote that is open":     "env:\n  - name: PASSWORD\n    value: \"48151623\n",
	"a line too far out":       "env:\n  - name: PASSWORD\n    value: |\n      a\n   48151623\n",
	"an alias of nothing":      "env:\n  - name: PASSWORD\n    value: *48151623\n",
	"no list":                  "env: {PASSWORD: 48151623}\n",
	"no list over lines":       "env:\n  PASSWORD:\n    48151623\n",
	"an argument":              "args: [--password, 48151623]\n",
	"an argument of its line":  "args:\n  - --password\n  - 48151623\n",
	"a word of a command":      "command:\n  - login\n  - 48151623\n",
	"a fault of another field": "imge: x\nenv: [{value: \"48151623\", name: PASSWORD}]\n",
	"and one on its line":      "{env: [{value: \"48151623\", name: PASSWORD}], imge: x}\n",
	"arguments on its line":    "{args: [--password, \"48151623\"], imge: x}\n",
	"a line cut off":           "{args: [" + strings.Repeat("a, ", 120) + "--password, \"48151623\"], imge: x, image: y" + strings.Repeat(" ", 300) + "}\n",
}

// patchOf puts a container's fields into a patch of one form.
func patchOf(form, fields string) string {
	indented := func(by string) string {
		return strings.ReplaceAll(strings.TrimSuffix(fields, "\n"), "\n", "\n"+by)
	}
	if form == "merge" {
		body := "- name: sandbox\n      " + indented("      ")
		if strings.HasPrefix(fields, "{") {
			body = "- {name: sandbox, " + strings.TrimSpace(fields[1:])
		}
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: any\nspec:\n  containers:\n    " + body + "\n"
	}
	return "- op: add\n  path: /spec/containers/-\n  value:\n    " + indented("    ") + "\n"
}

// R12, R22: whatever is wrong with a patch, and in whichever line, no printer shows
// the value of a variable or of an argument: not of the values, and not of a file.
func TestNoFaultShowsWhatAPatchSetsAVariableTo(t *testing.T) {
	own, err := rules.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for name, fields := range variables {
		for _, form := range []string{"merge", "operations"} {
			entry := "target: {kind: Pod}\npatch: |\n  " + strings.ReplaceAll(strings.TrimSuffix(patchOf(form, fields), "\n"), "\n", "\n  ") + "\n"
			text := "global: {trustDomain: example.com}\nfrontendHost: example.com\nagents:\n  manifestPatches:\n    a:\n      " + strings.ReplaceAll(strings.TrimSuffix(entry, "\n"), "\n", "\n      ") + "\n"
			tree, found := values.Read(source.NewFile("kora.yaml", text))
			hidden(t, name+", "+form+", validate", append(found, rules.Check(tree, own)...))

			dir := t.TempDir()
			write := func(path, text string) string {
				path = filepath.Join(dir, path)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			request := Request{Agent: values.Agent{Slug: "x", Namespace: "tenant-example"}, Version: "1.4.0"}
			request.Values.Files = []string{write("kora.txt", text)}
			hidden(t, name+", "+form+", render", Agent(request).Found)
			request.Values.Files = nil
			write("a.yaml", entry)
			request.PatchDir = dir
			hidden(t, name+", "+form+", a folder", Agent(request).Found)
			write("a.yaml", entry+" b\n")
			hidden(t, name+", "+form+", a file that is no YAML", Agent(request).Found)
		}
	}
}

// hidden: there is a fault of a patch, and no printer shows the secret in it.
func hidden(t *testing.T, name string, found faults.List) {
	t.Helper()
	if !found.Refused() {
		t.Errorf("%s: nothing is wrong", name)
	}
	for _, format := range faults.Formats() {
		var b bytes.Buffer
		p, err := faults.NewPrinter(format, &b, faults.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if err := p.Write(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "48151623") || strings.Contains(fmt.Sprint(found), "48151623") {
			t.Errorf("%s, %s:\n%s", name, format, b.String())
		}
	}
}
