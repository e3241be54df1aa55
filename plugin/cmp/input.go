package cmp

import (
	"strings"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/values"
)

// input is where the values come from: kora.yaml, the values files that were
// asked for, the patches, the parameter, and the theme.
func (g *generation) input() values.Input {
	in := values.Input{Files: []string{ValuesFile}, Root: g.call.Root}
	_, found := plain(g.call.Root, ValuesFile, false)
	g.add(found...)
	for _, name := range g.asked.ValuesFiles {
		if within(name) && named(name) { // or it was refused already
			_, found := plain(g.call.Root, name, false)
			g.add(found...)
			in.Files = append(in.Files, name)
		}
	}
	if n := g.patched(); n != nil {
		in.More = append(in.More, n)
	}
	if n := g.values(); n != nil {
		in.More = append(in.More, n)
	}
	has, found := plain(g.call.Root, ThemeFile, true)
	g.add(found...)
	if has {
		g.theme(in)
		in.Flags = []values.Flag{themeFlag()}
	}
	return in
}

// themeFlag brings the theme into the values.
func themeFlag() values.Flag {
	return values.Flag{Kind: values.SetFile, Text: themeField + "=" + ThemeFile}
}

const themeField = "theme.document"

// patched reads the folder of patches, each under its key.
func (g *generation) patched() *source.Node {
	has, found := folder(g.call.Root, PatchesDir, true)
	g.add(found...)
	if !has {
		return nil
	}
	g.unread()
	entries, found := patches.LoadIn(g.call.Root, PatchesDir)
	g.add(found...)
	g.patches = entries
	if len(entries) == 0 {
		return nil
	}
	return asValues(entries)
}

// asValues puts patches where the values have them: agents.manifestPatches, each
// with the place of its file. The maps around them stand in kora.yaml: what is
// missing there belongs into that file, and not into the folder.
func asValues(entries []patches.Entry) *source.Node {
	folder := source.Pos{File: source.NewFile(PatchesDir, "")}
	file := source.Pos{File: source.NewFile(ValuesFile, ""), Line: 1, Column: 1}
	field := func(key string, value *source.Node, at source.Pos) source.Field {
		return source.Field{Key: &source.Node{Tag: "!!str", Value: key, Pos: at}, Value: value}
	}
	n := &source.Node{Kind: source.Mapping, Pos: folder}
	for _, e := range entries {
		n.Fields = append(n.Fields, field(e.Key, e.Node, e.Node.Pos))
	}
	n = &source.Node{Kind: source.Mapping, Pos: file, Fields: []source.Field{field("manifestPatches", n, folder)}}
	return &source.Node{Kind: source.Mapping, Pos: file, Fields: []source.Field{field("agents", n, file)}}
}

// values reads the parameter of that name.
func (g *generation) values() *source.Node {
	if strings.TrimSpace(g.asked.Values) == "" {
		return nil
	}
	docs, found := source.Parse(source.NewFile(valuesPlace, g.asked.Values), source.DefaultLimits)
	g.add(found...)
	if found.Refused() || len(docs) == 0 {
		return nil
	}
	if len(docs) > 1 || docs[0].Kind != source.Mapping {
		g.add(refusedParameter(valuesParameter, "the values are not one map of keys to values", "write them as in a values file"))
		return nil
	}
	return docs[0]
}

// collisions refuses a patch whose key the values have as well.
func (g *generation) collisions(in values.Input) {
	if len(g.patches) == 0 {
		return
	}
	in.More, in.Flags = nil, nil
	tree, found := values.Load(in)
	if found.Refused() {
		return // told by the render
	}
	inValues, found := patches.FromValues(tree.Patches())
	if found.Refused() {
		return
	}
	_, found = patches.Join(inValues, g.patches)
	g.add(found...)
}
