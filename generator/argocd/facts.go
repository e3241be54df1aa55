package argocd

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/generator/environment"
)

// factMark begins a line of a comment that tells a fact of which a folder was made.
const factMark = "fact "

// factLines are the facts that an environment tells otherwise than the defaults do,
// a line each: "fact systemNamespace: "platform"". A later run compares them with
// its own (R40).
func factLines(e *environment.Environment) string {
	standard, said := flat(environment.Values()), flat(e.Map())
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(said)) {
		if said[path] != standard[path] {
			lines = append(lines, factMark+path+": "+said[path])
		}
	}
	return strings.Join(lines, "\n")
}

// factsOf are all facts of an environment by their paths, each as JSON.
func factsOf(e *environment.Environment) map[string]string { return flat(e.Map()) }

// factsIn are those that the text of a generated file tells, over the defaults; nil
// where it tells none, as the files of older versions.
func factsIn(text string) map[string]string {
	var out map[string]string
	for line := range strings.Lines(text) {
		path, value, told := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "# "+factMark)), ": ")
		if !told || !strings.HasPrefix(line, "# "+factMark) {
			continue
		}
		if out == nil {
			out = flat(environment.Values())
		}
		out[path] = value
	}
	return out
}

// flat gives the values of a map by their paths, each as JSON. Labels are one value.
func flat(m map[string]any) map[string]string {
	out := map[string]string{}
	for key, v := range m {
		below, isMap := v.(map[string]any)
		if !isMap || key == "nodeSelector" {
			out[key] = written(v)
			continue
		}
		for path, text := range flat(below) {
			out[key+"."+path] = text
		}
	}
	return out
}

// written is a value as JSON; a list or a map of nothing is as good as none.
func written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("argocd: " + err.Error()) // an environment came from JSON
	}
	if s := string(text); s == "[]" || s == "{}" {
		return "null"
	}
	return string(text)
}
