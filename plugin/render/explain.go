package render

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/values"
)

// Explanation says, for every field that differs from kora's default, which
// setting or patch made it so (R16).
type Explanation struct {
	Version   int          `json:"version"`
	AgentSlug string       `json:"agentSlug"`
	Fields    []FieldCause `json:"fields"`
	// WithoutEffect are patches that match or change nothing, Overwritten the
	// fields that a later patch took over.
	WithoutEffect []Note `json:"withoutEffect"`
	Overwritten   []Note `json:"overwritten"`
}

// FieldCause is one field, its default, what it became and by which steps.
type FieldCause struct {
	Object  string `json:"object"`
	Field   string `json:"field"`
	Default string `json:"default"`
	Value   string `json:"value"`
	Steps   []Step `json:"steps"`
}

// Step is one setting or patch that changed the field.
type Step struct {
	By   string `json:"by"` // "setting" or "patch"
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Note is a warning about a patch.
type Note struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Object  string `json:"object,omitempty"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

// Explain compares the preview with the same agent type under kora's own
// settings. Which setting caused a change is found by building the agent type
// again and again with one more setting: building is cheap, and no table of
// causes can go stale.
func (p *Preview) Explain() (*Explanation, error) {
	out := &Explanation{Version: 1, AgentSlug: p.settings.Slug, Fields: []FieldCause{}, WithoutEffect: []Note{}, Overwritten: []Note{}}
	defaults, err := p.defaults()
	if err != nil {
		return nil, err
	}
	causes, err := p.causes(defaults)
	if err != nil {
		return nil, err
	}
	for _, o := range p.Objects {
		if o.Kind == "PersistentVolumeClaim" {
			p.claim = o
		}
	}
	for _, o := range p.Objects {
		for _, c := range fields.Diff(any(defaults[o.Title()]), any(o.Plain), o.Type) {
			if !empty(c.From) || !empty(c.To) {
				out.Fields = append(out.Fields, p.cause(o, c, causes))
			}
		}
	}
	out.notes(p.Found)
	return out, nil
}

// empty is true of what says nothing: the resources {} of a container that a
// patch added without any, which its Go type always writes.
func empty(v any) bool {
	m, isMap := v.(map[string]any)
	return v == fields.Absent || isMap && len(m) == 0
}

// defaults are the objects under kora's own settings and no patch.
func (p *Preview) defaults() (map[string]map[string]any, error) {
	s := agents.Defaults(p.request.Version)
	s.Slug, s.TypeID, s.Namespace = p.settings.Slug, p.settings.TypeID, p.settings.Namespace
	return p.plain(s)
}

func (p *Preview) plain(s agents.Settings) (map[string]map[string]any, error) {
	set, _ := patches.Compile(nil)
	result, found := set.Render(s)
	if result == nil {
		return nil, errFaults(found)
	}
	out := make(map[string]map[string]any, len(result.Objects))
	for _, o := range result.Objects {
		out[o.Title()] = o.Plain
	}
	return out, nil
}

type causeKey struct {
	object string
	path   fields.Path
}

// causes are, for each field that settings changed, the steps by which they
// did: each setting in turn is added to those before it.
func (p *Preview) causes(defaults map[string]map[string]any) (map[causeKey][]Step, error) {
	out := map[causeKey][]Step{}
	leaves := p.tree.Leaves()
	before := defaults
	for i, tree := range p.growing(leaves) {
		settings, found := tree.Settings(p.request.Version, p.request.Agent)
		if found.Refused() {
			continue // half of what belongs together: the next one completes it
		}
		after, err := p.plain(settings)
		if err != nil {
			return nil, err
		}
		for _, o := range p.Objects {
			for _, c := range fields.Diff(any(before[o.Title()]), any(after[o.Title()]), o.Type) {
				key := causeKey{o.Title(), c.Path}
				out[key] = append(out[key], step("setting", string(p.tree.Name(leaves[i].Path)), leaves[i].Node.Pos, patches.Text(c.From), patches.Text(c.To)))
			}
		}
		before = after
	}
	return out, nil
}

// growing returns the tree with the first setting alone, with the first two,
// and so on to all of them.
func (p *Preview) growing(leaves []values.Leaf) []*values.Tree {
	out := make([]*values.Tree, len(leaves))
	tree := p.tree
	for i := len(leaves) - 1; i >= 0; i-- {
		out[i] = tree
		tree = tree.Without(leaves[i])
	}
	return out
}

func (p *Preview) cause(o *patches.Object, c fields.Change, causes map[causeKey][]Step) FieldCause {
	out := FieldCause{Object: o.Title(), Field: string(c.Path), Default: patches.Text(c.From), Value: patches.Text(c.To), Steps: []Step{}}
	out.Steps = append(out.Steps, causes[causeKey{o.Title(), c.Path}]...)
	writes := append(writesOf(o, c.Path), p.claimWrites(c.Path)...)
	for _, w := range writes {
		out.Steps = append(out.Steps, step("patch", w.Patch, w.At, patches.Text(w.From), patches.Text(w.To)))
	}
	if len(out.Steps) == 0 && c.Path.Within("spec.affinity") && p.claim != nil {
		out.Steps = p.unpinned(out)
	}
	return out
}

// unpinned explains the pin of the sandbox, which goes by the access modes that
// a patch gave to the claim (R8).
func (p *Preview) unpinned(field FieldCause) []Step {
	out := []Step{}
	for _, w := range writesOf(p.claim, "spec.accessModes") {
		out = append(out, step("patch", w.Patch, w.At, field.Default, field.Value))
	}
	return out
}

// claimWrites are the patches of the workspace's claim behind a field of the
// StatefulSet, whose template holds the claim (R7).
func (p *Preview) claimWrites(at fields.Path) []patches.Write {
	rest, ok := strings.CutPrefix(string(at), "spec.volumeClaimTemplates[0].")
	if !ok || p.claim == nil {
		return nil
	}
	return writesOf(p.claim, fields.Path(rest))
}

func step(by, name string, at source.Pos, from, to string) Step {
	s := Step{By: by, Name: name, Line: at.Line, From: from, To: to}
	if at.File != nil {
		s.File = at.File.Name
	}
	return s
}

func writesOf(o *patches.Object, at fields.Path) []patches.Write {
	var out []patches.Write
	for _, w := range o.Writes {
		if w.Path.Within(at) || at.Within(w.Path) {
			out = append(out, w)
		}
	}
	return out
}

func (e *Explanation) notes(found faults.List) {
	for _, f := range found.Sorted() {
		note := Note{File: f.File, Line: f.Line, Object: f.Object, Field: f.Field, Message: f.Message}
		switch f.Code {
		case faults.MatchesNothing, faults.ChangesNothing:
			e.WithoutEffect = append(e.WithoutEffect, note)
		case faults.Overwritten:
			e.Overwritten = append(e.Overwritten, note)
		}
	}
}

type errFaults faults.List

func (e errFaults) Error() string {
	var out []string
	for _, f := range e {
		out = append(out, f.Message)
	}
	return strings.Join(out, "; ")
}
