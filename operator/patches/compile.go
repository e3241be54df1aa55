package patches

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// Set is a list of patches, compiled once for any number of agent types. It
// is never changed and may be used by several goroutines.
type Set struct {
	kinds   []kind
	patches []*patch
}

// patch is one entry, ready to be applied.
type patch struct {
	Entry
	target *target
	edits  []edit
	broken bool // something of it was refused, and is not in edits
}

// edit is one document of a merge patch or one JSON6902 operation.
type edit struct {
	apply interface {
		Apply(map[string]any, *fields.Type) (map[string]any, error)
	}
	node  *source.Node // the document, or the operation
	path  []string     // of an operation: its pointer
	from  []string     // of a move or copy: its other pointer
	merge bool
}

// entryShape is what an entry may hold, as kustomize's own type has it. The
// struct has no name of its own, so that messages list its fields instead.
type entryShape = struct {
	Target struct {
		Group              string `json:"group"`
		Version            string `json:"version"`
		Kind               string `json:"kind"`
		Name               string `json:"name"`
		Namespace          string `json:"namespace"`
		LabelSelector      string `json:"labelSelector"`
		AnnotationSelector string `json:"annotationSelector"`
	} `json:"target"`
	Patch   any `json:"patch"`
	Options struct {
		AllowNameChange bool `json:"allowNameChange"`
		AllowKindChange bool `json:"allowKindChange"`
	} `json:"options"`
}

// Compile reads every entry and says what is wrong with each (R13). Of one that
// is wrong the set holds what could be read, so that Render can tell what the
// rest of it may not do (R15); what Render makes is for use only when nothing
// was refused here either.
func Compile(entries []Entry) (*Set, faults.List) {
	s := &Set{kinds: kinds()}
	shared := make([]kustomize.Kind, len(s.kinds))
	for i, k := range s.kinds {
		shared[i] = k.Kind
	}
	kustomize.Use(shared)
	var found faults.List
	left := newBudget()
	for _, e := range entries {
		if left.spent() {
			break // said already, at the entry that was too much
		}
		c := &compiler{entry: e, kinds: s.kinds, left: left}
		if p := c.compile(); p != nil {
			p.broken = c.found.Refused()
			s.patches = append(s.patches, p)
		}
		found = append(found, e.keyed(c.found)...)
	}
	return s, found
}

type compiler struct {
	entry Entry
	kinds []kind
	left  *budget
	found faults.List
}

func (c *compiler) add(f faults.Fault) { c.found = append(c.found, f) }

func (c *compiler) compile() *patch {
	n := c.entry.Node
	if n.Kind != source.Mapping {
		f := n.Pos.Fault(faults.EntryShape, "an entry is a map with target and patch")
		f.Found, f.Expected = n.Kind.String(), "a map"
		c.add(f)
		return nil
	}
	c.found = append(c.found, fields.Check(n, fields.Of(entryShape{}), "")...)
	for i, f := range c.found {
		if f.Code == faults.UnknownField && f.Fix == "" {
			c.found[i].Fix = "remove it, or use " + f.Expected
		}
	}
	if path := n.Field("path"); path != nil {
		c.found = slices.DeleteFunc(c.found, func(f faults.Fault) bool { return f.Field == "path" })
		f := path.Key.Pos.Fault(faults.PatchPath, "a patch is written in place; it never reads a file or a URL")
		f.Field, f.Fix = "path", "write the patch itself under patch: |"
		c.add(f)
	}
	text := c.text(n)
	p := &patch{Entry: c.entry, target: c.target(n)}
	if text == nil {
		return nil
	}
	if p.target == nil {
		p.target = &target{} // of no kind: what needs none is told all the same (R15)
	}
	c.edits(p, text)
	if len(p.target.kinds) == 0 {
		return nil
	}
	return p
}

func (c *compiler) target(n *source.Node) *target {
	tn := n.Get("target")
	if tn.Null() {
		f := n.Pos.Fault(faults.TargetKind, "the entry has no target")
		f.Field, f.Expected = "target.kind", "one of "+strings.Join(kindNames(c.kinds), ", ")
		f.Fix = "add target: {kind: …}"
		c.add(f)
		return nil
	}
	if tn.Kind != source.Mapping || slices.ContainsFunc(c.found, func(f faults.Fault) bool { return fields.Path(f.Field).Within("target") }) {
		return nil // said already
	}
	t, found := compileTarget(tn, c.kinds)
	c.found = append(c.found, found...)
	return t
}

// text returns the entry's patch as a file whose places are the outer ones.
func (c *compiler) text(n *source.Node) *source.File {
	v := n.Get("patch")
	switch {
	case v == nil && n.Get("path") != nil:
		return nil // that is said already
	case v.Null() || v.Kind == source.Scalar && strings.TrimSpace(v.Value) == "":
		pos := n.Pos
		if v != nil {
			pos = n.Field("patch").Key.Pos
		}
		f := pos.Fault(faults.EntryShape, "the entry has no patch")
		f.Field, f.Fix = "patch", "write the patch under patch: |"
		c.add(f)
		return nil
	case v.Kind != source.Scalar:
		f := v.Pos.Fault(faults.EntryShape, "the patch is a text, not YAML of the entry's own")
		f.Field, f.Found, f.Expected = "patch", v.Kind.String(), "a block of text"
		f.Fix = "write patch: | and indent what follows"
		c.add(f)
		return nil
	}
	return source.Embed(v, c.entry.valuesKey())
}

func (c *compiler) edits(p *patch, text *source.File) {
	docs, found := source.Parse(text, source.DefaultLimits)
	c.found = append(c.found, found...)
	if found.Refused() && len(docs) == 0 {
		return
	}
	if found := c.left.spend(text.Text(), docs); found != "" {
		c.add(tooLarge(text.At(1, 1), found))
		return
	}
	for _, doc := range docs {
		if list := overlong(doc); list != nil {
			c.add(tooLong(list))
			return
		}
	}
	if len(docs) == 0 {
		c.shape(text.At(1, 1), "the patch holds nothing", "")
		return
	}
	for i, doc := range docs {
		switch {
		case doc.Kind == source.Mapping && docs[0].Kind == source.Mapping:
			c.merge(p, doc)
		case doc.Kind == source.Sequence && i == 0:
			c.operations(p, doc)
		default:
			c.shape(doc.Pos, "a patch is either documents of a strategic merge or one list of JSON6902 operations", doc.Kind.String())
		}
	}
}

func (c *compiler) shape(at source.Pos, message, found string) {
	f := at.Fault(faults.PatchShape, message)
	f.Found = found
	c.add(f)
}

// merge compiles a document of a strategic merge patch. kustomize wants its
// kind and a name, though the target alone decides what it is for.
func (c *compiler) merge(p *patch, doc *source.Node) {
	if doc.Get("op") != nil && doc.Get("path") != nil {
		c.shape(doc.Pos, "a JSON6902 operation stands in a list", "a single operation: write \"- op: …\"")
		return
	}
	for _, at := range [][]string{{"kind"}, {"metadata", "name"}} {
		if v := lookup(doc, at); v.Null() || v.Kind != source.Scalar || v.Value == "" {
			f := doc.Pos.Fault(faults.PatchShape, fmt.Sprintf("kustomize wants %s in a strategic merge patch", strings.Join(at, ".")))
			f.Field, f.Fix = strings.Join(at, "."), "start the patch with apiVersion, kind and metadata: {name: any}"
			c.add(f)
		}
	}
	for _, k := range p.target.kinds {
		rest, found := fields.Sieve(doc, k.Type)
		c.found = append(c.found, object(found, k)...)
		if doc = rest; doc == nil {
			return
		}
	}
	m := kustomize.NewMerge(doc)
	m.AllowNameChange = isTrue(p.Node, "allowNameChange")
	m.AllowKindChange = isTrue(p.Node, "allowKindChange")
	p.edits = append(p.edits, edit{apply: m, node: doc, merge: true})
}
