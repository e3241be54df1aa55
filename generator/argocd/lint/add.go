package lint

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

const argoGroup = "argoproj.io"

// add takes one document: an object, or a list of them.
func (s *set) add(f file, doc *source.Node) {
	kind, version := text(doc, "kind"), text(doc, "apiVersion")
	group, _, _ := strings.Cut(version, "/")
	switch {
	case strings.HasSuffix(kind, "List") && doc.Get("items") != nil && (version == "v1" || group == argoGroup):
		for _, item := range items(doc.Get("items")) {
			s.add(f, whole(item, version, strings.TrimSuffix(kind, "List")))
		}
	case version == argoGroup+"/v1alpha1" && kind == "Application":
		s.apps = append(s.apps, newApp(f, doc, doc))
	case version == argoGroup+"/v1alpha1" && kind == "ApplicationSet":
		s.template(f, doc)
	case s.nearly(doc, kind, version):
	default:
		s.objects = append(s.objects, object{f.at, doc})
	}
	s.enliven(doc)
}

// whole is an item of a typed list, which may leave out what the list says.
func whole(item *source.Node, version, kind string) *source.Node {
	if item.Kind != source.Mapping || kind == "" || item.Get("kind") != nil {
		return item
	}
	said := func(name, value string) source.Field {
		return source.Field{
			Key:   &source.Node{Tag: "!!str", Value: name, Pos: item.Pos},
			Value: &source.Node{Tag: "!!str", Value: value, Pos: item.Pos},
		}
	}
	return item.With(append([]source.Field{said("apiVersion", version), said("kind", kind)}, item.Fields...), nil)
}

// nearly tells an object that was meant for Argo CD and that it does not know:
// nothing of it can be checked. Its other kinds are left alone, and so is the
// Application of another group.
func (s *set) nearly(doc *source.Node, kind, version string) bool {
	group, _, _ := strings.Cut(version, "/")
	known := []string{"Application", "ApplicationSet", "AppProject"}
	near := fields.Nearest(kind, known)
	ours := group == argoGroup || fields.Nearest(group, []string{argoGroup, "argocd." + argoGroup}) != ""
	if !ours || near == "" || near == kind && version == argoGroup+"/v1alpha1" {
		return false
	}
	at, message := doc.Get("kind"), fmt.Sprintf("Argo CD knows no kind %q", kind)
	found, expected := kind, near
	if near == kind {
		at, message = doc.Get("apiVersion"), fmt.Sprintf("Argo CD knows no %s of %q", kind, version)
		found, expected = version, argoGroup+"/v1alpha1"
	}
	f := at.Pos.Fault(faults.AppShape, message)
	f.Object, f.Field, f.Found, f.Expected = kind+" "+text(doc.Get("metadata"), "name"), "kind", found, expected
	f.Fix = `did you mean "` + expected + `"?`
	s.found = append(s.found, f)
	return true
}

// template takes the template of an ApplicationSet, and what is patched into it.
func (s *set) template(f file, doc *source.Node) {
	t := doc.Get("spec").Get("template")
	if t == nil {
		return
	}
	whole, doubtful := patched(f, t, doc.Get("spec").Get("templatePatch"))
	a := newApp(f, doc, whole)
	a.doubtful = doubtful
	s.templates = append(s.templates, a)
}
