package release

import (
	"bytes"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/render"
)

// YAML returns the objects as helm template prints them, to the byte: each
// document as its template wrote it, under the name of the template. Only in a
// document with characters that a terminal may obey, or not show, these are written
// as escapes, which mean the same; see safe.
func YAML(objects []*Object) ([]byte, error) {
	var out bytes.Buffer
	for i, o := range objects {
		text := o.Text
		if i > 0 && objects[i-1].Text == text && objects[i-1].Template == o.Template {
			continue // two documents in one text, which Helm does not take apart
		}
		if !plainText(text) {
			var err error
			if text, err = safe(o); err != nil {
				return nil, err
			}
		}
		out.WriteString("---\n# Source: " + o.Template + "\n" + text + "\n")
	}
	return out.Bytes(), nil
}

// safe is the text of an object with escapes. In double quotes an escape takes the
// character's place, and nothing else of the text moves. Elsewhere YAML has none: then
// the document is written anew, its keys in their order, that text in double quotes,
// and without comments.
func safe(o *Object) (string, error) {
	read := func(text string) *source.Node {
		nodes, found := source.Parse(source.NewFile("", text+"\n"), documentLimits) // as it is printed
		if found.Refused() || len(nodes) != 1 || !utf8.ValidString(text) {
			return nil
		}
		return nodes[0]
	}
	was, text := read(o.Text), render.Escaped(o.Text)
	if now := read(text); was != nil && now != nil && reflect.DeepEqual(now.Any(), was.Any()) {
		return text, nil
	}
	if was == nil {
		was = o.Node
	}
	out, err := render.Document(was.YAML())
	return strings.TrimSuffix(string(out), "\n"), err
}

// JSON returns the objects as one v1 List.
func JSON(objects []*Object) ([]byte, error) {
	all := make([]*patches.Object, len(objects))
	for i, o := range objects {
		all[i] = plainObject(o)
	}
	return render.JSON(all)
}

func plainObject(o *Object) *patches.Object {
	plain, _ := o.Node.Any().(map[string]any)
	return &patches.Object{Kind: o.Kind, Plain: plain}
}

// plainText is true of a text that can be shown as it is.
func plainText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, render.Driving)
}
