package settings_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/operator/settings"
	"sigs.k8s.io/yaml"
)

// probes are values that people write, right for some fields and wrong for others.
var probes = []any{
	"", "a", "kora-system", "UPPER", "bad domain!", "a..b", "a.b", "-a", "a_b", "example.com", "-5Gi", "0", "0Mi", "900m", "320Mi", "5e-1", "999999h", "1h30m", "10m", "0s", "1.5h",
	"registry_only", "REGISTRY_ONLY", "ALLOW_ANY", "verbose", "debug", "warn", "xml", "json", "console", "disable", "verify-full", "prefer", "Exists", "exists", "NoSchedule", "Never",
	"ghcr.io/a/b:1", "ghcr.io/a/b", "b:1", "ghcr.io/A/b:1", "ghcr.io/a/b@sha256:abc", "http://a:4317", "https://a/b", "https://u:p@a", "ftp://a", "http://", "a:70000", "a:5000", "example.com/team",
	"::1", "1.0", "2.0", "0.5", "a b", "a\nb", "shared-files", strings.Repeat("a", 64), strings.Repeat("a", 254), strings.Repeat("a", 600), -1, 0, 1, 443, 65535, 65536, 1 << 40,
}

// R23: the operator refuses of each field what the chart's schema refuses, and takes
// what it takes, so that no configuration is read that it cannot use.
func TestTheOperatorIsAsStrictAsTheChart(t *testing.T) {
	s := chartSchema(t)
	compared := 0
	for _, module := range []string{"operator", "platform.identity", "platform.mesh", "platform.observability"} {
		file := "internal/" + strings.ReplaceAll(module, ".", "/") + ".yaml"
		s.leaves(s.at("$defs", "module:"+module), nil, func(path []string, rule map[string]any) {
			for _, probe := range probes {
				wrong, speaks := refuses(rule, probe)
				at := strings.Join(path, ".")
				if !speaks || strings.HasPrefix(at, "ports.") && probe == 0 { // 0: it listens on none
					continue
				}
				compared++
				folder := modules("", "")
				into := map[string]any{}
				if err := yaml.Unmarshal(folder[file].Data, &into); err != nil {
					t.Fatal(err)
				}
				text, _ := json.Marshal(put(into, path, probe))
				folder[file] = &fstest.MapFile{Data: text}
				_, found := settings.Load(folder, "/config")
				if (len(found) > 0) != wrong {
					t.Errorf("%s: %s: %q: the chart refuses it: %v; the operator says %+v", file, at, probe, wrong, found)
				}
				if len(found) > 1 || len(found) == 1 && (found[0].Fix+found[0].Expected == "" || !strings.HasPrefix(found[0].Field, path[0]) || found[0].File != "/config/"+file) {
					t.Errorf("%s: %s: %q: %+v", file, at, probe, found)
				}
			}
		})
	}
	if compared < 1000 {
		t.Errorf("only %d values are compared", compared)
	}
}

// put sets a value at a path: "*" is the one item of a list, or of a map under "x", and
// "~" a key of a map.
func put(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	inner, _ := in.(map[string]any)
	switch path[0] {
	case "[]":
		return []any{put(nil, path[1:], value)}
	case "~":
		return map[string]any{fmt.Sprint(value): "x"}
	}
	if inner == nil {
		inner = map[string]any{}
	}
	inner[path[0]] = put(inner[path[0]], path[1:], value)
	return inner
}

type chartsSchema map[string]any

func chartSchema(t *testing.T) (s chartsSchema) {
	t.Helper()
	chart, err := charts.Open(charts.Kora)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(chart, "values.schema.json")
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at gives a part of the schema, with what it refers to.
func (s chartsSchema) at(path ...string) map[string]any {
	n := map[string]any(s)
	for _, step := range path {
		n = n[step].(map[string]any)
	}
	return s.whole(n)
}

func (s chartsSchema) whole(n map[string]any) map[string]any {
	ref, is := n["$ref"].(string)
	if !is {
		return n
	}
	out := map[string]any{}
	for key, value := range s.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...) {
		out[key] = value
	}
	for key, value := range n {
		if key != "$ref" {
			out[key] = value
		}
	}
	return out
}

// leaves visits the schemas of all scalars below one.
func (s chartsSchema) leaves(n map[string]any, path []string, visit func([]string, map[string]any)) {
	under := func(step string) []string { return append(slices.Clone(path), step) }
	fields, _ := n["properties"].(map[string]any)
	for name, field := range fields {
		s.leaves(s.whole(field.(map[string]any)), under(name), visit)
	}
	if items, is := n["items"].(map[string]any); is {
		s.leaves(s.whole(items), under("[]"), visit)
	}
	if keys, is := n["propertyNames"].(map[string]any); is {
		visit(under("~"), map[string]any{"type": "string", "pattern": keys["pattern"]})
	}
	if values, is := n["additionalProperties"].(map[string]any); is {
		s.leaves(s.whole(values), under("x"), visit)
	}
	if n["type"] != "object" && n["type"] != "array" {
		visit(path, n)
	}
}

// refuses reports whether a scalar's schema refuses a value of its type, and whether it
// says anything of such a value.
func refuses(rule map[string]any, value any) (refused, speaks bool) {
	number, is := value.(int)
	if is != (rule["type"] == "integer") || rule["pattern"] == nil && rule["enum"] == nil && rule["minLength"] == nil && rule["minimum"] == nil {
		return false, false
	}
	least, _ := rule["minimum"].(float64)
	if most, bounded := rule["maximum"].(float64); is {
		return float64(number) < least || bounded && float64(number) > most, true
	}
	text := fmt.Sprint(value)
	pattern, _ := rule["pattern"].(string)
	shortest, _ := rule["minLength"].(float64)
	longest, bounded := rule["maxLength"].(float64)
	words, listed := rule["enum"].([]any)
	zero := rule["exclusiveMinimum"] != nil && strings.Trim(text, "0.Mi") == "" // of the probes
	return !regexp.MustCompile(pattern).MatchString(text) || len(text) < int(shortest) || bounded && len(text) > int(longest) ||
		listed && !slices.Contains(words, any(text)) || zero, true
}
