package overrides

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// fromYAML returns the overrides of every document of a file.
func fromYAML(f *source.File) ([]Variable, faults.List) {
	docs, found := source.Parse(f, source.DefaultLimits)
	found = silent(found)
	if found.Refused() {
		return nil, found
	}
	w := &walker{}
	for _, doc := range docs {
		w.node(doc, "", "")
	}
	return w.out, found
}

// silent leaves of faults what cannot hold a value: their place and their rule.
// The parser's own words quote an anchor, a tag or a key, and a password that
// begins with * or ! is one to it (R17).
func silent(found faults.List) faults.List {
	var out faults.List
	for _, f := range found {
		entry, _ := faults.Lookup(f.Code)
		told := faults.New(f.Code, entry.Title)
		told.Severity, told.File, told.Line, told.Column, told.Fix = f.Severity, f.File, f.Line, f.Column, entry.Fix
		out = append(out, told)
	}
	return out
}

// walker looks for overrides everywhere: the lists and maps that carry them
// stand at other places in a Deployment, a Pod, a List and in values.
type walker struct{ out []Variable }

// node takes the kind of the object that it is in, and the key that it has.
func (w *walker) node(n *source.Node, kind, key string) {
	if k := n.Get("kind"); k != nil && k.Kind == source.Scalar {
		kind = k.Value
	}
	if name := n.Get("name"); name != nil && name.Kind == source.Scalar && strings.HasPrefix(name.Value, Prefix) {
		w.out = append(w.out, item(n, name))
		return
	}
	for _, f := range n.Fields {
		if strings.HasPrefix(f.Key.Value, Prefix) {
			w.out = append(w.out, entry(f, kind, key))
			continue
		}
		w.node(f.Value, kind, f.Key.Value)
	}
	for _, i := range n.Items {
		w.node(i, kind, key)
	}
}

// item is a variable of a container: {name, value} or {name, valueFrom}.
func item(n, name *source.Node) Variable {
	v := Variable{Name: name.Value, Pos: name.Pos}
	from, value := n.Get("valueFrom"), n.Get("value")
	switch {
	case !from.Null():
		v.Unreadable = "its value comes from " + origin(from)
	case value.Null(): // an empty text, to Kubernetes
	case value.Kind != source.Scalar:
		v.Unreadable = "its value is " + value.Kind.String() + " and no text"
	case reference.MatchString(strings.ReplaceAll(value.Value, "$$", "")):
		v.Unreadable = "its value refers to another variable, which only the kubelet fills in"
	default:
		v.Value = strings.ReplaceAll(value.Value, "$$", "$")
	}
	return v
}

// reference is what the kubelet replaces in a container's variables; "$$" is
// its escape of a single "$".
var reference = regexp.MustCompile(`\$\([-._a-zA-Z][-._a-zA-Z0-9]*\)`)

// origin names what a valueFrom reads, and never its content.
func origin(from *source.Node) string {
	for ref, what := range map[string]string{"configMapKeyRef": "ConfigMap", "secretKeyRef": "Secret"} {
		n := from.Get(ref)
		name, key := n.Get("name"), n.Get("key")
		if !name.Null() && !key.Null() && name.Kind == source.Scalar && key.Kind == source.Scalar {
			return fmt.Sprintf("key %s of %s %s", key.Value, what, name.Value)
		}
	}
	return "elsewhere (valueFrom)"
}

// entry is a variable that is a key of a map, such as a ConfigMap's data.
func entry(f source.Field, kind, parent string) Variable {
	v := Variable{Name: f.Key.Value, Pos: f.Key.Pos}
	switch {
	case kind == "Secret" && parent == "data":
		v.Unreadable = "its value stands in a Secret, in base64"
	case f.Value.Null():
	case f.Value.Kind != source.Scalar:
		v.Unreadable = "its value is " + f.Value.Kind.String() + " and no text"
	default:
		v.Value = f.Value.Value
	}
	return v
}
