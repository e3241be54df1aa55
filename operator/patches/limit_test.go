package patches

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// security.md: operations that copy lists into lists cost what the limit says,
// not what they would make.
func TestCopiesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("target: {kind: StatefulSet}\npatch: |\n")
	for _, from := range []string{"/spec/template/spec/containers/0/env/0", "/spec/template/spec/containers/0"} {
		to := from[:strings.LastIndex(from, "/")] + "/-"
		for range 150 {
			fmt.Fprintf(&b, "  - {op: copy, from: %s, path: %s}\n", from, to)
		}
	}
	_, found := render(t, entry(t, "1", b.String()))
	if len(found) != 1 || found[0].Code != faults.PatchLimit || found[0].Line < 153 {
		t.Errorf("%d faults: %+v", len(found), found)
	}
}

// R13, security.md: nothing is copied where it does not fit, above all not
// into what holds anything, and so into itself.
func TestCopyMustFitWhereItGoes(t *testing.T) {
	for _, op := range []string{
		"{op: copy, from: /spec, path: /metadata/labels/a}",
		"{op: move, from: /spec/template/spec/containers, path: /spec/template/spec/volumes}",
		"{op: copy, from: /spec/template/spec/containers, path: /spec/template/spec/containers/-}",
		"{op: copy, from: /spec/template/spec/containers/0/image, path: /spec/replicas}",
		"{op: copy, from: /metadata/managedFields/0/fieldsV1, path: /metadata/managedFields/0/fieldsV1/a}",
		"{op: copy, from: /metadata, path: /metadata/managedFields/0/fieldsV1/a}",
		"{op: copy, from: /spec/template/spec/containers/0/resources/limits/cpu, path: /metadata/labels/a}",
	} {
		_, found := Compile([]Entry{entry(t, "1", "target: {kind: StatefulSet}\npatch: |\n  - "+op+"\n")})
		if len(found) != 1 || found[0].Code != faults.WrongType || found[0].Line != 3 {
			t.Errorf("%s: %v", op, found)
		}
	}
	for _, op := range []string{
		"{op: copy, from: /spec/template/spec/containers/0/image, path: /metadata/labels/a}",
		"{op: copy, from: /spec/template/spec/containers/0/env, path: /spec/template/spec/containers/0/env}",
		"{op: copy, from: /metadata/labels, path: /spec/template/metadata/annotations}",
		"{op: copy, from: /spec/template/spec/containers/0/ports/0/containerPort, path: /spec/template/spec/containers/0/livenessProbe/httpGet/port}",
	} {
		if _, found := Compile([]Entry{entry(t, "1", "target: {kind: StatefulSet}\npatch: |\n  - "+op+"\n")}); len(found) > 0 {
			t.Errorf("%s: %v", op, found)
		}
	}
}

// security.md: a thousand patches, each within the limits of one, are not.
func TestPatchesAreBoundedInAll(t *testing.T) {
	bomb := "kind: any\nmetadata: {name: any}\nspec:\n  a: &a [" + strings.Repeat("x, ", 900) + "x]\n  b: [" + strings.Repeat("*a, ", 100) + "*a]\n"
	var values strings.Builder
	values.WriteString("agents:\n  manifestPatches:\n")
	for i := range 50 {
		fmt.Fprintf(&values, "    k%02d:\n      target: {kind: Service}\n      patch: |\n        %s", i, strings.ReplaceAll(bomb, "\n", "\n        "))
		values.WriteString("\n")
	}
	entries, found := fromValues(t, values.String())
	_, more := Compile(entries)
	found = append(found, more...)
	last := found[len(found)-1]
	if last.Code != faults.PatchLimit || last.Key != "agents.manifestPatches.k02" || last.Line == 0 {
		t.Errorf("%+v", last)
	}
}

// security.md: kustomize is quadratic, so lists and operations are bounded.
func TestLongPatchesAreRefusedBeforeTheyRun(t *testing.T) {
	list := "target: {kind: StatefulSet}\npatch: |\n  kind: any\n  metadata: {name: any}\n  spec: {template: {spec: {containers: [{name: session-manager, env: [" + strings.Repeat("{name: A},", 501) + "]}]}}}\n"
	operations := "target: {kind: Service}\npatch: |\n" + strings.Repeat("  - {op: test, path: /spec/type, value: ClusterIP}\n", 500)
	var many []Entry
	for i := range 5 {
		many = append(many, entry(t, fmt.Sprint(i+1), operations))
	}
	for name, c := range map[string]struct {
		entries []Entry
		at      string
	}{
		"list":            {[]Entry{entry(t, "1", list)}, "KORA-P006 1.yaml:5:70 "},
		"operations":      {[]Entry{entry(t, "1", operations+"  - {op: test, path: /spec/type, value: x}\n")}, "KORA-P006 1.yaml:3:3 "},
		"operations, all": {many, "KORA-P006 5.yaml:3:3 "},
	} {
		if _, found := Compile(c.entries); told(found) != c.at {
			t.Errorf("%s: %s", name, told(found))
		}
	}
	if _, found := Compile(many[:4]); len(found) > 0 {
		t.Errorf("2000 operations: %v", found)
	}
}
