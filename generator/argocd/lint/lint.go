package lint

import (
	"encoding/json"
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// Seen says what a run looked at.
type Seen struct{ Files, Applications, Templates int }

// String says it in words.
func (s Seen) String() string {
	text := fmt.Sprintf("%d Applications in %d files", s.Applications, s.Files)
	if s.Templates > 0 {
		text += fmt.Sprintf("; of %d templates of charts only the calls were looked at", s.Templates)
	}
	return text
}

// Lint checks the app-of-apps in a file or a folder. Faults have the place in
// the file, and come all at once (R40, R41).
func Lint(name string) (Seen, faults.List) {
	files, found := read(name)
	s := &set{}
	seen := Seen{Files: len(files)}
	for _, f := range files {
		if f.template() {
			seen.Templates++
			found = append(found, calls(f)...)
			continue
		}
		for _, doc := range f.docs {
			s.add(f, doc)
		}
	}
	seen.Applications = len(s.apps)
	return seen, append(found, s.check()...)
}

// set is everything that was read, by what it is to Argo CD.
type set struct {
	apps, templates []*app
	objects         []*source.Node
	health          bool // argocd-cm has a health check of Applications
}

// app is one Application, or the template of those of an ApplicationSet.
type app struct {
	at    string // the file, below the folder
	root  *source.Node
	meta  *source.Node
	spec  *source.Node
	wave  int
	waved bool
}

func (s *set) add(f file, doc *source.Node) {
	kind := text(doc, "kind")
	switch {
	case text(doc, "apiVersion") == "argoproj.io/v1alpha1" && kind == "Application":
		s.apps = append(s.apps, newApp(f, doc, doc))
	case text(doc, "apiVersion") == "argoproj.io/v1alpha1" && kind == "ApplicationSet":
		if t := doc.Get("spec").Get("template"); t != nil {
			s.templates = append(s.templates, newApp(f, doc, t))
		}
	default:
		s.objects = append(s.objects, doc)
		s.health = s.health || kind == "ConfigMap" && text(doc.Get("metadata"), "name") == "argocd-cm" && hasHealth(doc.Get("data"))
	}
}

func (s *set) check() faults.List {
	var found faults.List
	for _, a := range s.apps {
		found = append(found, typos(a)...)
		found = append(found, a.check(s.parent(a))...)
	}
	for _, a := range s.templates {
		found = append(found, a.unordered()...)
		found = append(found, a.check(false)...)
	}
	found = append(found, s.waves()...)
	found = append(found, s.waits()...)
	for _, o := range s.objects {
		found = append(found, big(o)...)
	}
	return found
}

// typos are the fields that Argo CD's own type does not have: the API server
// drops them without a word.
func typos(a *app) faults.List {
	t := fields.Of(argo.Application{})
	var found faults.List
	for _, name := range []string{"metadata", "spec"} {
		if n := a.root.Get(name); n != nil {
			found = append(found, fields.CheckText(n, t.Field(name).Type, fields.Path(name))...)
		}
	}
	return found
}

// tooBig is the API server's limit for all annotations of an object together.
const tooBig = 262144

func big(o *source.Node) faults.List {
	copied, err := json.Marshal(o.Any())
	if err != nil || len(copied) < tooBig || option(text(o.Get("metadata").Get("annotations"), "argocd.argoproj.io/sync-options"), "ServerSideApply=true", "Replace=true") {
		return nil
	}
	f := o.Pos.Fault(faults.BigAnnotation, "client-side apply cannot keep its copy of this object in an annotation")
	f.Object = text(o, "kind") + " " + text(o.Get("metadata"), "name")
	f.Found, f.Expected = fmt.Sprintf("%d bytes", len(copied)), fmt.Sprintf("less than %d", tooBig)
	return faults.List{f}
}
