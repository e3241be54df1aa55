package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/operator/patches/overrides"
	"github.com/runkora/kora/plugin/values"
)

// Request says which agent type to preview, and from what.
type Request struct {
	Agent    values.Agent
	Values   values.Input
	PatchDir string // empty: values alone
	Version  string // of kora, which names the default images
	Environ  []string
	// Check judges the values, such as rules.CheckAgent; nil is values.Tree.Check,
	// which knows no schema. The schema is not loaded for who has judged by it before.
	Check func(*values.Tree) (faults.List, error)
}

func (r Request) check(tree *values.Tree) faults.List {
	if r.Check == nil {
		return tree.Check()
	}
	found, err := r.Check(tree)
	if err != nil {
		return faults.List{faults.New(faults.FileMissing, err.Error())} // the binary is broken
	}
	return found
}

// Preview is an agent type as kora would create it.
type Preview struct {
	// Objects are all of its objects, the sample sandbox Pod last.
	Objects []*patches.Object
	// Found are the warnings, and the errors of a preview that was refused.
	Found faults.List

	request  Request
	tree     *values.Tree
	settings agents.Settings
	set      *patches.Set
	texts    []*source.File // of the patches: no fault quotes their secrets
	claim    *patches.Object
}

// Agent previews one agent type. Everything that can be checked is checked
// before it returns, whatever was wrong first (R15); when Found refuses, there
// may be no objects.
func Agent(r Request) *Preview {
	p := &Preview{request: r, Found: unread(r.Environ)}
	entries := p.read()
	texts := values.Texts(entries)
	set, found := patches.Compile(entries)
	p.add(values.HushedPatches(found, texts...))
	p.set, p.texts = set, texts
	p.make()
	return p
}

// make has the objects of the agent type from settings and patches that are read.
func (p *Preview) make() {
	settings, found := p.tree.Settings(p.request.Version, p.request.Agent)
	p.add(found)
	if found.Refused() {
		return
	}
	p.settings = settings
	result, found := p.set.Render(settings)
	p.add(values.HushedPatches(p.placed(found), p.texts...))
	if result != nil {
		p.Objects = result.Objects
	}
}

// placed points a split that the settings alone brought about (R9) at the
// setting that decides it; the patches know only the settings' values.
func (p *Preview) placed(found faults.List) faults.List {
	for i, f := range found {
		if f.Code == faults.SplitPlacement && f.File == "" {
			at, path := p.tree.Placement()
			found[i] = at.Move(f)
			found[i].Key = string(p.tree.Name(path))
		}
	}
	return found
}

// read loads values and patches and checks the values.
func (p *Preview) read() []patches.Entry {
	tree, found := values.Load(p.request.Values)
	p.add(found)
	p.tree = tree.Overridden() // as kora-agents gets them (R23)
	p.add(p.request.check(tree))
	fromValues, found := patches.FromValues(tree.Patches())
	p.add(values.HushedPatches(found, values.Texts(fromValues)...))
	var fromDir []patches.Entry
	if p.request.PatchDir != "" {
		fromDir, found = patches.Load(p.request.PatchDir)
		p.add(values.HushedPatches(found, append(values.Texts(fromDir), values.Unparsed(found)...)...))
	}
	all, found := patches.Join(fromValues, fromDir)
	p.add(values.HushedPatches(found, values.Texts(all)...))
	return all
}

func (p *Preview) add(list faults.List) { p.Found = append(p.Found, list...) }

const overridePrefix = "KORA_MANIFEST__"

// unread warns of each variable that older installs patched with (R17). It
// names the variable and never its value, which may be a secret.
func unread(environ []string) faults.List {
	var found faults.List
	for _, pair := range slices.Sorted(slices.Values(environ)) {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, overridePrefix) {
			f := faults.New(faults.EnvOverride, fmt.Sprintf("the variable %s is not read any more", overrides.Shown(name)))
			f.File = "environment"
			f.Fix = "turn it into a patch: kora patches migrate-env"
			found = append(found, f)
		}
	}
	return found
}
