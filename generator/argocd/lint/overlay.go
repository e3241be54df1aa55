package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// overlay is a kustomization that changes Applications.
type overlay struct {
	at      string   // its folder
	bases   []string // files and folders that it takes
	patches []change
	others  bool // it changes objects by other means, which are not read

	namespace string // of all its objects, where it says one
	lives     bool   // it makes a health check of Applications itself
}

// change is one patch of an overlay.
type change struct {
	file    string // where it is in a file of its own
	at      *source.Node
	text    string
	target  *source.Node
	wanted  map[string]*regexp.Regexp // of the target, by field
	named   map[string]bool           // "Kind name" of objects in it
	applies bool                      // it asks for server-side apply
}

func overlays(files []file) []overlay {
	texts := map[string]string{}
	for _, f := range files {
		texts[f.at] = f.text
	}
	var all []overlay
	for _, f := range files {
		for _, doc := range f.docs {
			if name := path.Base(f.at); strings.HasPrefix(name, "kustomization.") || text(doc, "kind") == "Kustomization" && strings.HasPrefix(text(doc, "apiVersion"), "kustomize.config.k8s.io/") {
				all = append(all, newOverlay(path.Dir(f.at), doc, texts))
			}
		}
	}
	return all
}

func newOverlay(at string, doc *source.Node, texts map[string]string) overlay {
	o := overlay{at: at, namespace: text(doc, "namespace"), lives: generates(doc)}
	for _, name := range []string{"resources", "bases"} {
		for _, n := range items(doc.Get(name)) {
			o.bases = append(o.bases, path.Join(at, n.Value))
		}
	}
	for _, name := range []string{"patches", "patchesJson6902"} {
		for _, n := range items(doc.Get(name)) {
			file := text(n, "path")
			c := change{at: n, text: text(n, "patch"), target: n.Get("target")}
			if file != "" {
				c.at, c.file, c.text = n.Get("path"), path.Join(at, file), texts[path.Join(at, file)]
			}
			o.patches = append(o.patches, c)
		}
	}
	for _, n := range items(doc.Get("patchesStrategicMerge")) {
		c := change{at: n, text: n.Value}
		if !strings.Contains(n.Value, "\n") {
			c.file = path.Join(at, n.Value)
			c.text = texts[c.file]
		}
		o.patches = append(o.patches, c)
	}
	for i := range o.patches {
		o.patches[i].read()
	}
	for _, name := range []string{"components", "transformers", "replacements", "vars", "configurations"} {
		o.others = o.others || doc.Get(name) != nil
	}
	return o
}

// takes reports a file that the overlay may change.
func (o overlay) takes(at string) bool {
	return slices.ContainsFunc(o.bases, func(base string) bool { return at == base || base == "." || strings.HasPrefix(at, base+"/") })
}

// patch reports a file that is one of the patches of an overlay, and so no
// Application although it looks like one.
func (s *set) patch(f file) bool {
	return slices.ContainsFunc(s.overlays, func(o overlay) bool {
		return slices.ContainsFunc(o.patches, func(c change) bool { return c.file == f.at })
	})
}

// patched reports an Application of which an overlay may make another.
func (s *set) patched(a *app) bool {
	return slices.ContainsFunc(s.overlays, func(o overlay) bool {
		return o.takes(a.at) && (o.others || slices.ContainsFunc(o.patches, func(c change) bool { return c.mayMeet(a) }))
	})
}

// read takes what the patch is compared by.
func (c *change) read() {
	c.applies, c.wanted, c.named = serverSide.MatchString(c.text), map[string]*regexp.Regexp{}, map[string]bool{}
	for _, field := range []string{"group", "kind", "name"} {
		if want := text(c.target, field); want != "" {
			c.wanted[field], _ = regexp.Compile("^(?:" + want + ")$") // nil of what is none
		}
	}
	if c.target == nil {
		docs, _ := source.Parse(source.NewFile("patch", c.text), limits)
		for _, doc := range docs {
			c.named[text(doc, "kind")+" "+text(doc.Get("metadata"), "name")] = true
		}
	}
}

// mayMeet reports whether a patch is for the Application, or may be: without a
// target it names what it is for itself.
func (c change) mayMeet(a *app) bool {
	if c.target == nil {
		return c.text == "" || c.named[text(a.root, "kind")+" "+text(a.meta, "name")]
	}
	for field, want := range c.wanted {
		own := map[string]string{"group": argoGroup, "kind": text(a.root, "kind"), "name": text(a.meta, "name")}[field]
		if want == nil || !want.MatchString(own) {
			return false
		}
	}
	return true
}

var serverSide = regexp.MustCompile(`(?m)^[^#\n]*\bServerSideApply=true\b`)

// applied tells a patch that brings server-side apply to a parent.
func (s *set) applied(a *app) faults.List {
	var found faults.List
	for _, o := range s.overlays {
		for _, c := range o.patches {
			if !c.applies || !o.takes(a.at) || !c.mayMeet(a) || s.parent(a) == never {
				continue
			}
			f := a.fault(c.at, faults.ParentApply, "patches", "the patch has the parent of Applications applied by server-side apply")
			if text(c.target, "name") != text(a.meta, "name") && c.target != nil || s.parent(a) == perhaps {
				f.Severity = faults.Warning // it may be meant for others as well, or be no parent
			}
			found = append(found, f)
		}
	}
	return found
}
