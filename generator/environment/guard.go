package environment

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/runkora/kora/internal/fields"
)

// Guard is a template that stops Helmfile before its first release where a fact
// is missing, unknown, of another kind or without its form, and tells all of them
// (R39): Helmfile reads whatever file is named, and what is wrong in it would else
// be noticed with half of a cluster installed. What it refuses is what Read
// refuses, less what only the text of a file shows, such as a key that stands
// twice. It writes nothing. More are checks that add to $wrong as its own do, and
// that find the facts in $facts.
func Guard(more ...string) string {
	g := &guard{}
	g.line("$wrong := list")
	g.line("$facts := .Values")
	g.facts(specs(), "facts", "")
	g.shared()
	for _, text := range more {
		g.b.WriteString(text)
	}
	g.b.WriteString(`{{- if $wrong }}{{ fail (print "the environment is wrong:\n  " (join "\n  " $wrong)) }}{{ end }}` + "\n")
	return g.b.String()
}

// Wrong is an action of a template that tells what a condition, in the language of
// templates, finds wrong.
func Wrong(condition, says string) string {
	return fmt.Sprintf("{{- if %s }}{{ $wrong = append $wrong %s }}{{ end }}\n", condition, quoted(says))
}

type guard struct{ b strings.Builder }

func (g *guard) line(action string) { g.b.WriteString("{{- " + action + " }}\n") }

func (g *guard) wrong(condition, says string) { g.b.WriteString(Wrong(condition, says)) }

// facts checks those of one map, which is in the variable $of; path is where it
// stands, with a point at its end.
func (g *guard) facts(all []spec, of, path string) {
	g.keys(keysOf(all), of, `(print `+quoted("unknown field "+path)+` $key)`)
	for _, s := range all {
		at := path + s.key
		switch s.kind {
		case reflect.Struct:
			name := strings.ReplaceAll(at, ".", "_")
			g.line(fmt.Sprintf("$%s := index $%s %q", name, of, s.key))
			g.inside("map", name, at+" must be a map", func() { g.facts(s.fields, name, at+".") })
		case reflect.Slice, reflect.Map:
			g.line(fmt.Sprintf("$all := index $%s %q", of, s.key))
			g.items(s, at)
		default:
			g.line(fmt.Sprintf("$v := index $%s %q", of, s.key))
			g.wrong("not ("+s.holds()+")", at+" must be "+s.wanted())
		}
	}
}

func keysOf(all []spec) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = s.key
	}
	return out
}

// keys refuses others in the map $of; says is an expression that names $key.
func (g *guard) keys(names []string, of, says string) {
	g.line(fmt.Sprintf("range $key, $_ := $%s", of))
	g.b.WriteString(fmt.Sprintf("{{- if not (regexMatch %s (print $key)) }}{{ $wrong = append $wrong %s }}{{ end }}\n", quoted("^("+strings.Join(names, "|")+")$"), says))
	g.line("end")
}

// inside checks what is in a value of a kind, and refuses one of another.
func (g *guard) inside(kind, of, says string, checks func()) {
	g.b.WriteString(fmt.Sprintf("{{- if ne (kindOf $%s) %q }}{{ $wrong = append $wrong %s }}{{ else }}\n", of, kind, quoted(says)))
	checks()
	g.line("end")
}

// items checks a list or a map of names that are no facts, which is in $all.
func (g *guard) items(s spec, at string) {
	switch {
	case s.kind == reflect.Map:
		g.inside("map", "all", at+" must be a map of texts", func() {
			g.line("range $key, $v := $all")
			g.label(at)
			g.line("end")
		})
	case s.item != nil:
		g.inside("slice", "all", at+" must be a list of maps", func() { g.objects(fields.Of(reflect.Zero(s.item).Interface()), at) })
	default:
		item := spec{kind: reflect.String, form: s.form, required: true}
		g.inside("slice", "all", at+" must be a list of texts", func() {
			g.line("range $i, $v := $all")
			g.each("not ("+item.holds()+")", fmt.Sprintf(`(printf %s $i)`, quoted(at+"[%d] must be "+item.wanted())))
			g.line("end")
		})
	}
}

// each tells what an expression says.
func (g *guard) each(condition, says string) {
	g.b.WriteString(fmt.Sprintf("{{- if %s }}{{ $wrong = append $wrong %s }}{{ end }}\n", condition, says))
}

// objects checks the items of $all, each of a type whose fields are texts and
// numbers; a field that is null is none.
func (g *guard) objects(t *fields.Type, at string) {
	g.line("range $i, $item := $all")
	g.b.WriteString(fmt.Sprintf("{{- if ne (kindOf $item) \"map\" }}{{ $wrong = append $wrong (printf %s $i) }}{{ else }}\n", quoted(at+"[%d] must be a map")))
	g.keys(t.Names(), "item", fmt.Sprintf(`(printf %s $i $key)`, quoted("unknown field "+at+"[%d].%v")))
	for _, f := range t.Fields {
		g.line(fmt.Sprintf("$v := index $item %q", f.Name))
		holds, wanted := `eq (kindOf $v) "string"`, "a text"
		switch {
		case f.Type.Kind == fields.Int:
			holds, wanted = whole(fmt.Sprintf("-?[0-9]{1,%d}", mostDigits)), wholeNumber
		case len(f.Type.Values) > 0:
			holds, wanted = matched("("+strings.Join(f.Type.Values, "|")+")?"), "one of "+strings.Join(f.Type.Values, ", ")
		}
		g.each(`not (or (eq (kindOf $v) "invalid") (`+holds+`))`, fmt.Sprintf(`(printf %s $i)`, quoted(at+"[%d]."+f.Name+" must be "+wanted)))
	}
	if t.Field("tolerationSeconds") != nil {
		g.toleration(at)
	}
	g.line("end")
	g.line("end")
}
