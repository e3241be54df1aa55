package values

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// R20: Load of several files equals Helm's own merge of them (mergeMaps of its
// package cli/values), less the nulls, which Helm drops when it lays the values
// over the chart's.
func TestMergeEqualsHelms(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var texts []string
		want := map[string]any{}
		for range 1 + random.IntN(4) {
			text, err := yaml.Marshal(someMap(random, 0))
			if err != nil {
				t.Fatal(err)
			}
			read := map[string]any{}
			if err := yaml.Unmarshal(text, &read); err != nil {
				t.Fatal(err)
			}
			texts, want = append(texts, string(text)), helmMerge(want, read)
		}
		got := mustLoad(t, texts).Root().Any()
		if diff := cmp.Diff(asJSON(t, dropNulls(want)), asJSON(t, got)); diff != "" {
			t.Fatalf("%q\n%s", texts, diff)
		}
	}
}

// asJSON makes numbers alike: Helm reads every one as a float.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func someMap(random *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	for range random.IntN(5) {
		out[fmt.Sprintf("key-%d", random.IntN(4))] = someValue(random, depth)
	}
	return out
}

func someValue(random *rand.Rand, depth int) any {
	kinds := 7
	if depth > 3 {
		kinds = 5
	}
	switch random.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return random.IntN(100)
	case 2:
		return random.IntN(2) == 0
	case 3:
		return fmt.Sprintf("text %d", random.IntN(100))
	case 4:
		return "1.5"
	case 5:
		return []any{someValue(random, depth+1), someValue(random, depth+1)}
	}
	return someMap(random, depth+1)
}

// helmMerge is Helm's mergeMaps, word for word but for its names.
func helmMerge(a, b map[string]any) map[string]any {
	out := make(map[string]any, len(a))
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		if v, ok := v.(map[string]any); ok {
			if bv, ok := out[k]; ok {
				if bv, ok := bv.(map[string]any); ok {
					out[k] = helmMerge(bv, v)
					continue
				}
			}
		}
		out[k] = v
	}
	return out
}

func dropNulls(m map[string]any) map[string]any {
	for k, v := range m {
		if below, ok := v.(map[string]any); ok {
			dropNulls(below)
		}
		if v == nil {
			delete(m, k)
		}
	}
	return m
}

// R20: a flag over files gives what Helm's parser makes of all the values, though
// only the part that the flag touches is shown to it.
func TestFlagsEqualHelms(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	applied := 0
	for range 1500 {
		text, err := yaml.Marshal(dropNulls(someMap(random, 0)))
		if err != nil {
			t.Fatal(err)
		}
		before := mustLoad(t, []string{string(text)}).Root().Any()
		helm := mustLoad(t, []string{string(text)}).Root().Any().(map[string]any)
		f := Flag{FlagKind(random.IntN(2)), someFlag(random)}
		failure := f.parse(helm, nil)
		tree, found := load(t, []string{string(text)}, f.Kind.String()+" "+f.Text)
		got := asJSON(t, dropAllNulls(tree.Root().Any()))
		switch {
		case failure != nil && len(found) == 0:
			t.Fatalf("%s over %q: Helm fails: %v", f, text, failure)
		case failure != nil:
			helm = before.(map[string]any)
		default:
			applied++
		}
		if diff := cmp.Diff(asJSON(t, dropAllNulls(helm)), got); diff != "" {
			t.Fatalf("%s over %q:\n%s", f, text, diff)
		}
	}
	if applied < 500 {
		t.Errorf("only %d flags applied", applied)
	}
}

func someFlag(random *rand.Rand) string {
	var assignments []string
	for range 1 + random.IntN(3) {
		path := fmt.Sprintf("key-%d", random.IntN(4))
		for range random.IntN(3) {
			path += [...]string{".key-0", ".key-1", ".key-2", "[0]", "[1]"}[random.IntN(5)]
		}
		value := [...]string{"1", "null", "text", "{a,b}", "true", "", "1.5"}[random.IntN(7)]
		assignments = append(assignments, path+"="+value)
	}
	return strings.Join(assignments, ",")
}

func dropAllNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			if dropAllNulls(below) == nil {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			dropAllNulls(item)
		}
	}
	return v
}
