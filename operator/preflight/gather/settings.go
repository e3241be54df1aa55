package gather

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

// settingsOf reads what preflight looks for from JSON, YAML, or HCL, which all
// three are what SPIRE is configured by. Where a setting stands twice, the one
// that is less deep counts, as what a plugin is told of others is deeper.
func settingsOf(text string) map[string]string {
	var tree any
	out := map[string]string{}
	if json.Unmarshal([]byte(text), &tree) == nil || yaml.Unmarshal([]byte(text), &tree) == nil {
		collect(tree, out)
	}
	if len(out) == 0 {
		for line := range strings.Lines(text) {
			for _, pair := range hclPair().FindAllStringSubmatch(uncommented(line), -1) {
				if _, there := out[pair[1]]; wanted[pair[1]] && !there {
					out[pair[1]] = pair[2]
				}
			}
		}
	}
	return out
}

// wanted are the only keys that are kept.
var wanted = map[string]bool{
	"trust_domain": true, "default_svid_name": true, "default_bundle_name": true, "default_all_bundles_name": true,
	"server_address": true,
}

// hclPair is a setting of a text, of which a line may have several.
var hclPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"?\b(\w+)"?\s*=\s*"([^"]*)"`) })

// uncommented is a line of HCL up to where a comment begins outside of a text.
func uncommented(line string) string {
	text := false
	for i := range line {
		switch {
		case line[i] == '"':
			text = !text
		case !text && (line[i] == '#' || strings.HasPrefix(line[i:], "//")):
			return line[:i]
		}
	}
	return line
}

// collect goes through a tree level by level.
func collect(tree any, out map[string]string) {
	for level := []any{tree}; len(level) > 0; {
		var deeper []any
		for _, node := range level {
			switch t := node.(type) {
			case []any:
				deeper = append(deeper, t...)
			case map[string]any:
				for _, key := range slices.Sorted(maps.Keys(t)) {
					text, ok := t[key].(string)
					if _, there := out[key]; ok && wanted[key] && !there {
						out[key] = text
					}
					deeper = append(deeper, t[key])
				}
			}
		}
		level = deeper
	}
}
