package values

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Meaning is a setting of a config module that is made of a value, or of a block of
// values, which configOverrides replace by another (R23).
type Meaning struct{ Service, Module, Setting, Value string }

// Meanings are those that rules look at: what stands there is judged as the value
// is. The first are what agent types are made of.
func Meanings() []Meaning {
	const kora, operator = "internal/agents", "internal/operator"
	return []Meaning{
		{"agents", kora, "images.sessionManager", "agents.config.sessionManagerImage"},
		{"agents", kora, "images.sandbox", "agents.config.sandboxImage"},
		{"agents", kora, "imagePullSecrets", "global.imagePullSecrets"},
		{"agents", kora, "workloads", "agents.workloads"},
		{"agents", kora, "workspace", "agents.workspace"},
		{"agents", kora, "environments", "agents.environments"},
		{"agents", "internal/platform/observability", "otlpEndpoint", "global.observability.otlpEndpoint"},
		{"agents", "internal/platform/observability", "samplingRate", "global.observability.samplingRate"},
		{"operator", operator, "imagePullSecrets", "global.imagePullSecrets"},
		{"operator", operator, "enforcer", "agents.config.sessionManagerImage"}, // an image like any
		{"operator", operator, "sandboxPlacement", "agents.workloads.sandbox"},
		{"operator", operator, "installation.sessionManagerPlacement", "agents.workloads.sessionManager"},
		{"operator", operator, "sandboxImages.base.image", "agents.config.sandboxImage"},
		{"operator", operator, "sandboxImages.bundled", "agents.sandboxImages.bundled"},
	}
}

// Overridden returns the values as kora-agents gets them: with what configOverrides
// set of its module merged last (R23). What stands in a value's place keeps its own,
// and [Tree.Name] tells its path.
func (t *Tree) Overridden() *Tree {
	if t.names != nil {
		return t
	}
	return t.overridden("agents")
}

func (t *Tree) overridden(service string) *Tree {
	out := *t
	for _, m := range Meanings() {
		setting := t.value(service, "configOverrides", m.Module).child(strings.Split(m.Setting, ".")...)
		if m.Service != service || !setting.given() {
			continue
		}
		if out.names = maps.Clone(out.names); out.names == nil {
			out.names = map[fields.Path]fields.Path{}
		}
		if service == "operator" {
			out.root = out.placedWhole(m)
		}
		out.root = put(out.root, strings.Split(m.Value, "."), setting.node)
		out.rename(setting, fields.Path(m.Value))
	}
	return &out
}

// put lays a node over what stands at a path.
func put(base *source.Node, names []string, n *source.Node) *source.Node {
	switch {
	case len(names) == 0 && base == nil:
		return n
	case len(names) == 0:
		return merge(base, n)
	case base == nil || base.Kind != source.Mapping:
		base = &source.Node{Kind: source.Mapping, Pos: n.Pos}
	}
	all := slices.Clone(base.Fields)
	i := slices.IndexFunc(all, func(f source.Field) bool { return f.Key.Value == names[0] })
	if i < 0 {
		i = len(all)
		all = append(all, source.Field{Key: &source.Node{Tag: "!!str", Value: names[0], Pos: n.Pos}})
	}
	all[i].Value = put(all[i].Value, names[1:], n)
	return base.With(all, nil)
}

// rename notes that a value and all that is in it was given as a setting.
func (t *Tree) rename(setting value, at fields.Path) {
	t.names[at] = setting.path
	for _, f := range setting.entries() {
		t.rename(value{f.Value, setting.path.Child(f.Key.Value)}, at.Child(f.Key.Value))
	}
}

// Name is the path of the setting that stands in a value's place, else the value's.
func (t *Tree) Name(path fields.Path) fields.Path {
	text := string(path)
	for i := len(text); i > 0; i = strings.LastIndexAny(text[:i], ".[") {
		name, known := t.names[fields.Path(text[:i])]
		// Maps are merged key by key, of a list all items are the setting's.
		if known && (i == len(text) || t.list(fields.Path(text[:i]))) {
			return name + fields.Path(text[i:])
		}
	}
	return path
}

func (t *Tree) list(path fields.Path) bool {
	v := t.value()
	for _, s := range path.Steps() {
		v = v.child(s.Name)
	}
	return v.node != nil && v.node.Kind == source.Sequence
}

// path of a value, in a text.
var inText = regexp.MustCompile(`\b(agents|global|operator)(\.[A-Za-z]+)+`)

// named tells faults by the paths of the settings that they are about.
func (t *Tree) named(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		f.Field = string(t.Name(fields.Path(f.Field)))
		for _, text := range []*string{&f.Expected, &f.Fix} {
			*text = inText.ReplaceAllStringFunc(*text, func(p string) string { return string(cmp.Or(t.names[fields.Path(p)], fields.Path(p))) })
		}
	}
	return found
}
