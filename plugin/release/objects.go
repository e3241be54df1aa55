package release

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// documentLimits fit every document that a chart may reasonably write.
var documentLimits = source.Limits{Bytes: 5 << 20, Nodes: 500_000, Depth: 100, Aliases: 500}

// objects reads, orders and checks what the templates wrote.
func (p *pass) objects(texts map[string]string) {
	names := slices.Sorted(maps.Keys(texts))
	read := make([]documents, len(names))
	each(len(names), func(i int) { read[i] = p.documents(names[i], texts[names[i]]) })
	var plain, hooks []*Object
	for _, d := range read {
		p.tell(d)
		for _, o := range d.objects {
			if o.Hook {
				hooks = append(hooks, o)
			} else {
				plain = append(plain, o)
			}
		}
	}
	p.twice(plain)
	p.out.Objects = slices.Concat(p.definitions(), installOrder(plain), installOrder(hooks))
	p.check()
}

func (p *pass) tell(d documents) {
	for _, each := range d.found {
		p.add(p.rendered(each.fault, each.of))
	}
}

// definitions are the objects under crds/, when asked for.
func (p *pass) definitions() []*Object {
	if !p.request.IncludeCRDs {
		return nil
	}
	var all []*Object
	for _, crd := range p.chart.CRDObjects() {
		d := p.documents(crd.Filename, string(crd.File.Data))
		p.tell(d)
		all = append(all, d.objects...)
	}
	return all
}

// documents are the objects of one template, and what is wrong with their form.
type documents struct {
	objects []*Object
	found   []finding
}

// finding is a fault at a line of one document.
type finding struct {
	fault faults.Fault
	of    *Object
}

func (d *documents) add(o *Object, found ...faults.Fault) {
	for _, f := range found {
		d.found = append(d.found, finding{f, o})
	}
}

// documents splits what one template wrote as Helm does, and reads each part.
func (p *pass) documents(template, text string) documents {
	var d documents
	if strings.TrimSpace(text) == "" {
		return d
	}
	parts := releaseutil.SplitManifests(text)
	keys := slices.Collect(maps.Keys(parts))
	sort.Sort(releaseutil.BySplitManifestsOrder(keys))
	end := 0
	for _, key := range keys {
		o := &Object{Template: template, Text: parts[key]}
		o.before, end = before(text, o.Text, end)
		nodes, found := source.Parse(source.NewFile(template, o.Text), documentLimits)
		d.unread(o, found)
		for _, n := range nodes {
			each := *o
			each.Node = n
			d.object(&each)
		}
	}
	return d
}

// unread are the faults of a document that is not YAML. Their sentences name lines
// too, so the document is read again with what stands before it as empty lines.
func (d *documents) unread(o *Object, found faults.List) {
	const most = 1 << 16
	if n := o.before.lines; len(found) > 0 && n > 0 && n < most {
		_, found = source.Parse(source.NewFile(o.Template, strings.Repeat("\n", n)+o.Text), documentLimits)
		o = &Object{Template: o.Template, Text: o.Text}
	}
	d.add(o, found...)
}

// object takes what every object has from a document.
func (d *documents) object(o *Object) {
	n := o.Node
	o.APIVersion, o.Kind = textAt(n, "apiVersion"), textAt(n, "kind")
	o.Name, o.Namespace = textAt(n, "metadata", "name"), textAt(n, "metadata", "namespace")
	for _, need := range []struct{ what, has string }{{"apiVersion", o.APIVersion}, {"kind", o.Kind}, {"metadata.name", o.Name}} {
		if need.has == "" && !(need.what == "metadata.name" && isList(o)) {
			f := n.Pos.Fault(faults.ObjectShape, "the document has no text at "+need.what)
			f.Object, f.Field = strings.TrimSpace(o.Title()), need.what
			d.add(o, f)
			return
		}
	}
	d.hook(o)
	d.objects = append(d.objects, o)
}

func isList(o *Object) bool { return strings.HasSuffix(o.Kind, "List") && o.Node.Get("items") != nil }

// hook looks for Helm's annotation. Helm leaves a hook of an unknown name out
// without a word.
func (d *documents) hook(o *Object) {
	at := nodeAt(o.Node, "metadata", "annotations", release.HookAnnotation)
	if at == nil {
		return
	}
	o.Hook = true
	for event := range strings.SplitSeq(at.Value, ",") {
		switch event = strings.ToLower(strings.TrimSpace(event)); {
		case event == "test", event == "test-success":
			o.Test = true
		case !slices.Contains(hookEvents, event):
			f := at.Pos.Fault(faults.ObjectShape, fmt.Sprintf("%q is no hook that Helm knows, and Helm would leave the object out", event))
			f.Object, f.Field, f.Expected = o.Title(), "metadata.annotations", strings.Join(hookEvents, ", ")
			d.add(o, f)
		}
	}
}

var hookEvents = []string{
	"pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade",
	"pre-rollback", "post-rollback", "test",
}

// installOrder sorts as Helm installs: by its list of kinds, then unknown kinds by
// name, and otherwise as the templates stand.
func installOrder(all []*Object) []*Object {
	place := make(map[string]int, len(releaseutil.InstallOrder))
	for i, kind := range releaseutil.InstallOrder {
		place[kind] = i - len(releaseutil.InstallOrder)
	}
	slices.SortStableFunc(all, func(a, b *Object) int {
		if x, y := place[a.Kind], place[b.Kind]; x != y || x < 0 {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a.Kind, b.Kind)
	})
	return all
}

// twice finds objects that stand there two times.
func (p *pass) twice(all []*Object) {
	first := map[string]*Object{}
	for _, o := range all {
		key := strings.Join([]string{o.APIVersion, o.Kind, o.Namespace, o.Name}, " ")
		if before := first[key]; before != nil && !isList(o) {
			f := o.Node.Pos.Fault(faults.SameObject, "another document is the same object: one is in "+before.Template)
			f.Object = o.Title()
			p.add(p.rendered(f, o))
			continue
		}
		first[key] = o
	}
}

func nodeAt(n *source.Node, path ...string) *source.Node {
	for _, key := range path {
		n = n.Get(key)
	}
	return n
}

// textAt is a text in a document, empty where there is none.
func textAt(n *source.Node, path ...string) string {
	if n = nodeAt(n, path...); n != nil && n.Kind == source.Scalar && n.Tag == "!!str" {
		return n.Value
	}
	return ""
}
