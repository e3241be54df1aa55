package lint

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// Lint checks the app-of-apps in a file or a folder. Faults have the place in
// the file, and come all at once (R40, R41). Where nothing is found that could be
// checked, that is told as a fault whose exit status is 3.
func Lint(name string) (Seen, faults.List) {
	files, found := read(name)
	s := &set{}
	seen := Seen{Files: len(files)}
	for _, f := range files {
		if f.chart() {
			found = append(found, calls(f)...)
		}
		if f.template() {
			seen.Templates++
			if inTemplate.MatchString(f.text) {
				s.health = append(s.health, "")
			}
		}
	}
	s.overlays = overlays(files)
	s.enlivened()
	for _, f := range files {
		for _, doc := range f.docs {
			if !s.patch(f) {
				s.add(f, doc)
			}
		}
	}
	seen.count(s)
	found = append(found, append(s.found, s.check()...)...)
	if seen.nothing() && !found.Refused() {
		found = append(found, nothing(name, seen))
	}
	return seen, found
}

// set is everything that was read, by what it is to Argo CD.
type set struct {
	apps, templates []*app
	objects         []object
	health          []string // the namespaces whose argocd-cm has a health check of Applications
	overlays        []overlay
	repositories    map[string]int // of how many Applications each is a source
	found           faults.List
}

// app is one Application, or the template of those of an ApplicationSet.
type app struct {
	at    string // the file, below the folder
	root  *source.Node
	meta  *source.Node
	spec  *source.Node
	wave  int
	waved bool
	paths *budget // of all Applications together
	// doubtful is an Application of which not all could be read as it will be:
	// what it is told are warnings.
	doubtful bool
}

func (s *set) check() faults.List {
	var found faults.List
	paths := &budget{left: allEffort}
	s.repositories = shared(s.apps)
	for _, a := range slices.Concat(s.apps, s.templates) {
		a.paths = paths
	}
	for _, a := range s.apps {
		a.doubtful = s.patched(a)
		own := slices.Concat(typos(a), a.check(s.parent(a)), a.words(), s.definitions(a), annotated(a.root, a.meta))
		found = append(append(found, a.doubted(own)...), s.applied(a)...)
	}
	found = append(found, s.repeated()...)
	for _, a := range s.templates {
		own := slices.Concat(a.unordered(), a.check(never), a.words(), s.definitions(a), annotated(a.root, a.meta))
		found = append(found, a.doubted(own)...)
	}
	found = append(found, s.waves()...)
	found = append(found, s.waits()...)
	for _, o := range s.objects {
		found = append(found, s.big(o)...)
		found = append(found, annotated(o.root, o.root.Get("metadata"))...)
		found = append(found, o.recreated()...)
	}
	return found
}

// doubted are faults of an Application, which only warn where it is doubtful.
func (a *app) doubted(found faults.List) faults.List {
	for i := range found {
		if a.doubtful {
			found[i].Severity = faults.Warning
		}
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
			for _, f := range fields.CheckText(n, t.Field(name).Type, fields.Path(name)) {
				if f.Code != faults.UnknownField || !newer(f.Field) {
					found = append(found, f)
				}
			}
		}
	}
	return found
}

// indices are those of lists in a field's path.
var indices = regexp.MustCompile(`\[[^\]]*\]`)

// newer reports a field that the types of Argo CD 2 do not have and a later
// version knows, by that version.
func newer(field string) bool {
	switch indices.ReplaceAllString(field, "") {
	case "spec.source.name", "spec.sources.name", // 3.0
		"spec.source.helm.skipTests", "spec.sources.helm.skipTests",
		"spec.syncPolicy.automated.enabled", // 3.1
		"spec.source.kustomize.ignoreMissingComponents", "spec.sources.kustomize.ignoreMissingComponents",
		"spec.syncPolicy.retry.refresh", // 3.2
		"spec.sourceHydrator.drySource.helm", "spec.sourceHydrator.drySource.kustomize",
		"spec.sourceHydrator.drySource.directory", "spec.sourceHydrator.drySource.plugin":
		return true
	}
	return false
}

// tooBig is the API server's limit for all annotations of an object together.
const tooBig = 262144

func (s *set) big(o object) faults.List {
	meta := o.root.Get("metadata")
	copied, err := json.Marshal(o.root.Any())
	if err != nil || len(copied) < tooBig || option(text(meta.Get("annotations"), optionsKey), "ServerSideApply=true", "Replace=true") {
		return nil
	}
	if slices.ContainsFunc(s.apps, func(a *app) bool { return a.has("ServerSideApply=true") != nil && s.of(a, o.at) }) {
		return nil
	}
	f := o.root.Pos.Fault(faults.BigAnnotation, "client-side apply cannot keep its copy of this object in an annotation")
	f.Object = text(o.root, "kind") + " " + text(meta, "name")
	f.Found, f.Expected = fmt.Sprintf("%d bytes", len(copied)), fmt.Sprintf("less than %d", tooBig)
	return faults.List{f}
}

// recreated is a definition that says of itself that it may be made anew.
func (o object) recreated() faults.List {
	at := o.root.Get("metadata").Get("annotations").Get(optionsKey)
	if !o.definition() || at == nil || !option(at.Value, "Force=true") {
		return nil
	}
	f := at.Pos.Fault(faults.PrunedCRDs, "a definition that cannot be changed in place is deleted and made anew, and every object of its kind goes with it")
	f.Object, f.Field, f.Found = "CustomResourceDefinition "+text(o.root.Get("metadata"), "name"), "metadata.annotations", at.Value
	return faults.List{f}
}
