package charts

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"sigs.k8s.io/yaml"
)

// R35: what kora.yaml writes is read as the value that it was given, and is what
// toYaml writes wherever no key has a digit.
func TestKoraYAMLIsTheValue(t *testing.T) {
	t.Parallel()
	helper, err := os.ReadFile("kora/templates/_yaml.tpl")
	if err != nil {
		t.Fatal(err)
	}
	of := &chart.Chart{Metadata: &chart.Metadata{APIVersion: "v2", Name: "x", Version: "1.0.0"}, Templates: []*chart.File{
		{Name: "templates/_yaml.tpl", Data: helper}, {Name: "templates/a", Data: []byte("value:\n  {{- include \"kora.yaml\" .Values.given | nindent 2 }}\n")}}}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		keys := []string{"a", "B", "on", "a b", "x: y", "#", "é", strings.Repeat("k", 130)}
		if i%2 == 1 {
			keys = append(keys, append(orderless, "٣1b", "٣3", "1\n2", "k"+strings.Repeat("1", 130))...)
		}
		given := map[string]any{"given": keyedMap(random, keys, 4)}
		text := engineOf(t, of, given)["x/templates/a"]
		var got map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &got); err != nil || !reflect.DeepEqual(got["value"], given["given"]) {
			t.Fatalf("%v\n%s\n%s", err, text, gocmp.Diff(given["given"], got["value"]))
		}
		plain, err := yaml.Marshal(given["given"])
		if err != nil {
			t.Fatal(err)
		}
		plain = append([]byte("value:\n  "), append(bytes.ReplaceAll(bytes.TrimSuffix(plain, []byte("\n")), []byte("\n"), []byte("\n  ")), '\n')...)
		if i%2 == 0 && text != string(plain) {
			t.Fatal(gocmp.Diff(string(plain), text))
		}
	}
}

// keyedMap is a random map with some of the keys, of values of every kind.
func keyedMap(random *rand.Rand, keys []string, depth int) map[string]any {
	all := map[string]any{}
	for range 1 + random.IntN(6) {
		all[keys[random.IntN(len(keys))]] = keyedValue(random, keys, depth-1)
	}
	return all
}

func keyedValue(random *rand.Rand, keys []string, depth int) any {
	scalars := []any{"", "text", "two\nlines", "kept\n\n", "  led\n", "1", "on", "null", "a: 1", `1a":x`, strings.Repeat("long ", 40), 1.0, 1.5, true, nil, map[string]any{}, []any{}}
	switch n := random.IntN(4); {
	case depth > 0 && n == 0:
		return keyedMap(random, keys, depth)
	case depth > 0 && n == 1:
		return []any{keyedValue(random, keys, depth-1), keyedValue(random, keys, depth-1)}
	default:
		return scalars[random.IntN(len(scalars))]
	}
}
