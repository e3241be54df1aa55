package release

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/render"
)

// YAML returns the objects as helm template prints them, to the byte: each
// document as its template wrote it, under the name of the template. A document
// with characters that a terminal may obey, or not show, is written anew.
func YAML(objects []*Object) ([]byte, error) {
	var out bytes.Buffer
	for i, o := range objects {
		text := o.Text
		if i > 0 && objects[i-1].Text == text && objects[i-1].Template == o.Template {
			continue // two documents in one text, which Helm does not take apart
		}
		if !plainText(text) {
			safe, err := render.YAML([]*patches.Object{plainObject(o)})
			if err != nil {
				return nil, err
			}
			text = strings.TrimSuffix(strings.TrimPrefix(string(safe), "---\n"), "\n")
		}
		out.WriteString("---\n# Source: " + o.Template + "\n" + text + "\n")
	}
	return out.Bytes(), nil
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
