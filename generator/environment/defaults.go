package environment

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Defaults is the text of defaults.yaml: every fact that a file may leave out,
// its default and what it is (R39). Helmfile reads it before the file.
func Defaults() string {
	var b strings.Builder
	b.WriteString("# Every fact that an environment may leave out, and what it is then. Edit your\n" +
		"# own file beside this one; required and without a default are:\n")
	for _, s := range specs() {
		if s.required {
			b.WriteString("#   " + s.key + "\n")
		}
	}
	write(&b, specs(), "")
	return b.String()
}

func write(b *strings.Builder, all []spec, indent string) {
	for _, s := range all {
		if s.required {
			continue
		}
		b.WriteString(indent + "# " + s.about + "\n" + indent + s.key + ":")
		if s.kind == reflect.Struct {
			b.WriteString("\n")
			write(b, s.fields, indent+"  ")
			continue
		}
		b.WriteString(" " + flow(s.value()) + "\n")
	}
}

// flow is a value in one line: JSON, which is YAML too.
func flow(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("environment: a default is made of texts and numbers: " + err.Error())
	}
	return string(text)
}
