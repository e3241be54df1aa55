package patches

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// builtObjects are the default objects as plain maps.
func builtObjects(t testing.TB) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, o := range agents.Build(settings()).All() {
		out = append(out, plainOf(t, o))
	}
	return out
}

// compareWithGuard renders entries and returns what the inspector saw, and
// whether kora took the patch and did something with it.
func compareWithGuard(t testing.TB, texts ...string) (seen []string, taken bool, found faults.List) {
	t.Helper()
	var entries []Entry
	for i, text := range texts {
		docs, found := source.Parse(source.NewFile(fmt.Sprintf("%d.yaml", i), text), source.DefaultLimits)
		if len(found) > 0 || len(docs) != 1 {
			return nil, false, found // a character that YAML does not know
		}
		entries = append(entries, Entry{fmt.Sprint(i), docs[0]})
	}
	result, found := render(t, entries...)
	if result == nil {
		return nil, false, found
	}
	changed := false
	for _, o := range result.Objects {
		for _, s := range tampered(o.Kind, plainOf(t, o.built), o.Plain) {
			seen = append(seen, o.Kind+": "+s)
		}
		changed = changed || len(o.Writes) > 0
	}
	return seen, changed && !found.Refused(), found
}

// R14: whatever a patch is made of, if kora takes it then no protected field
// changed, by a comparison that the guard has no part in.
func TestRandomPatchNeverChangesAProtectedField(t *testing.T) {
	objects := builtObjects(t)
	taken := map[string]int{}
	for seed := range uint64(2800) {
		object := objects[seed%uint64(len(objects))]
		kind, merge := object["kind"].(string), seed%2 == 0
		text := patchText(seed, object, merge)
		seen, ok, _ := compareWithGuard(t, asEntry(kind, text, ""))
		if ok {
			taken[fmt.Sprint(kind, merge)]++
		}
		if ok && len(seen) > 0 {
			t.Errorf("seed %d: %s\ntaken, though %s", seed, text, strings.Join(seen, "\n"))
		}
	}
	for _, o := range objects {
		for _, merge := range []bool{true, false} {
			if name := fmt.Sprint(o["kind"], merge); taken[name] < 3 {
				t.Errorf("%s: %d patches taken: the generator proves nothing of this kind", name, taken[name])
			}
		}
	}
}

// R14: nor do several patches of one object, in whatever way they undo and
// overwrite each other.
func TestRandomPatchesTogetherNeverChangeAProtectedField(t *testing.T) {
	taken := 0
	for _, object := range builtObjects(t) {
		var alone []string // those that are taken alone, and every fourth of the others
		for seed := range uint64(120) {
			text := asEntry(object["kind"].(string), patchText(seed, object, seed%2 == 0), "")
			if _, ok, _ := compareWithGuard(t, text); ok || seed%4 == 0 {
				alone = append(alone, text)
			}
		}
		g := newGenerator(16, object)
		for range 60 {
			taken += together(t, pick(g, alone), pick(g, alone), pick(g, alone))
		}
	}
	if taken < 20 {
		t.Errorf("%d taken: the generator proves nothing", taken)
	}
}

func together(t *testing.T, texts ...string) int {
	t.Helper()
	seen, ok, _ := compareWithGuard(t, texts...)
	if ok && len(seen) > 0 {
		t.Errorf("%s\ntaken, though %s", texts, strings.Join(seen, "\n"))
	}
	if ok {
		return 1
	}
	return 0
}

// R14: a change is refused even where a later patch undoes it: who takes that
// one out must not open the field.
func TestChangeThatALaterPatchUndoesIsRefused(t *testing.T) {
	merge := func(spec string) string {
		return "target: {kind: Pod}\npatch: |\n  kind: Pod\n  metadata: {name: any}\n  spec: " + spec + "\n"
	}
	ops := func(ops string) string { return "target: {kind: Pod}\npatch: |\n  - " + ops + "\n" }
	for name, texts := range map[string][]string{
		"same field":       {merge("{hostNetwork: true}"), merge("{hostNetwork: null}")},
		"by its parent":    {merge("{securityContext: {runAsUser: 0}}"), ops("{op: replace, path: /spec/securityContext/runAsUser, value: 100}")},
		"by the whole":     {ops("{op: add, path: /metadata/finalizers, value: [a/b]}"), ops("{op: remove, path: /metadata/finalizers}")},
		"two later":        {merge("{hostPID: true}"), merge("{priorityClassName: a}"), merge("{hostPID: false}")},
		"list item":        {ops("{op: replace, path: /spec/containers/0/name, value: x}"), ops("{op: replace, path: /spec/containers/0/name, value: sandbox}")},
		"volume":           {merge("{volumes: [{name: n, hostPath: {path: /}}]}"), merge("{volumes: [{name: n, $patch: delete}]}")},
		"volume's source":  {merge("{volumes: [{name: n, hostPath: {path: /}}]}"), merge("{volumes: [{name: n, hostPath: null, emptyDir: {}}]}")},
		"label":            {ops("{op: remove, path: /metadata/labels/runkora.io~1tenant}"), ops("{op: add, path: /metadata/labels/runkora.io~1tenant, value: tenant-example}")},
		"through the list": {ops("{op: add, path: /spec/ephemeralContainers, value: [{name: a, image: b}]}"), ops("{op: remove, path: /spec/ephemeralContainers/0}")},
	} {
		if seen, _, found := compareWithGuard(t, texts...); !found.Refused() || len(seen) > 0 {
			t.Errorf("%s: seen %v, found %v", name, seen, found)
		}
	}
}

// R14: the inspector sees what the guard refuses, so its silence means something.
func TestInspectorSeesWhatTheGuardRefuses(t *testing.T) {
	for _, file := range archive(t, "refused.txtar").Files {
		t.Run(strings.TrimSuffix(file.Name, filepath.Ext(file.Name)), func(t *testing.T) {
			entries, found := loaded(t, file)
			set, more := Compile(entries)
			if found = append(found, more...); found.Refused() {
				return
			}
			result, found := set.Render(settings())
			guarded := false
			for _, f := range found {
				guarded = guarded || f.Code == faults.Protected || f.Code == faults.ForbiddenVolume || f.Code == faults.AddedContainer
			}
			var seen []string
			for _, o := range result.Objects {
				seen = append(seen, tampered(o.Kind, plainOf(t, o.built), plainOf(t, o.Typed))...)
			}
			if guarded && len(seen) == 0 && file.Name != "R14-status.yaml" {
				t.Errorf("the guard alone refuses it: %v", found)
			}
		})
	}
}

// R14: as TestRandomPatchNeverChangesAProtectedField, for texts that the fuzzer
// makes; without a text the seed makes one.
func FuzzAcceptedPatchNeverChangesAProtectedField(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(uint8(seed), seed%2 == 0, "", seed)
	}
	for _, name := range []string{"accepted.txtar", "refused.txtar"} {
		for i, file := range archive(f, name).Files {
			entries, _ := loaded(f, file)
			if len(entries) == 1 && entries[0].Node.Get("patch") != nil {
				f.Add(uint8(i), true, entries[0].Node.Get("patch").Value, uint64(0))
			}
		}
	}
	objects := builtObjects(f)
	f.Fuzz(func(t *testing.T, kind uint8, merge bool, text string, seed uint64) {
		if len(text) > 10_000 {
			return
		}
		object := objects[int(kind)%len(objects)]
		if text == "" {
			text = patchText(seed, object, merge)
		}
		options := ""
		if kind >= 128 {
			options = "allowNameChange: true, allowKindChange: true"
		}
		if seen, taken, _ := compareWithGuard(t, asEntry(object["kind"].(string), text, options)); taken && len(seen) > 0 {
			t.Errorf("%s\ntaken, though %s", text, strings.Join(seen, "\n"))
		}
	})
}
