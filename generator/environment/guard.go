package environment

import (
	"fmt"
	"reflect"
	"strings"
)

// Guard is a template that stops Helmfile before its first release where a fact
// is missing, unknown or without its form (R39): Helmfile reads whatever file is
// named, and what is wrong in it would else be noticed with half of a cluster
// installed. It writes nothing.
func Guard() string {
	var b strings.Builder
	guard(&b, specs(), nil)
	return b.String()
}

func guard(b *strings.Builder, all []spec, path []string) {
	holder, names := strings.Join(append([]string{".Values"}, path...), "."), make([]string, len(all))
	for i, s := range all {
		names[i] = s.key
	}
	fmt.Fprintf(b, "{{- range $key, $_ := %s }}{{ if not (regexMatch %q $key) }}{{ fail (print %q $key) }}{{ end }}{{ end }}\n",
		holder, "^("+strings.Join(names, "|")+")$", "environment: unknown field "+strings.Join(append(path, ""), "."))
	for _, s := range all {
		at := append(append([]string(nil), path...), s.key)
		field := strings.Join(at, ".")
		switch {
		case s.kind == reflect.Struct:
			fmt.Fprintf(b, "{{- if not (regexMatch \"^map\" (print (kindOf .Values.%s))) }}{{ fail %q }}{{ end }}\n", field, "environment: "+field+" must be a map")
			guard(b, s.fields, at)
		case s.kind == reflect.String:
			rule := forms()[s.form]
			pattern, optional := rule.pattern, "?"
			if rule.values != nil {
				pattern = strings.Join(rule.values, "|")
			}
			if s.required {
				optional = ""
			}
			fmt.Fprintf(b, "{{- if not (regexMatch %q (print (index %s %q))) }}{{ fail %q }}{{ end }}\n",
				"^(?:"+pattern+")"+optional+"$", holder, s.key, "environment: "+field+" must be "+rule.expected())
		}
	}
}
