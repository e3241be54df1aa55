package environment

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

// A Renderer fills templates in with the facts of one environment. It knows of
// Helmfile's functions only those that kora's own templates call, and gives what
// Helmfile gives: so one text is the source of both outputs (R38).
type Renderer struct{ values map[string]any }

// NewRenderer returns the renderer of an environment.
func (e *Environment) NewRenderer() *Renderer { return &Renderer{e.Map()} }

// Render fills a template in. A fact that does not exist is an error.
func (r *Renderer) Render(name, text string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	t, err := template.New(name).Option("missingkey=error").Funcs(functions()).Parse(text)
	if err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.Execute(&b, map[string]any{"Values": r.values}); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return b.String(), nil
}

func functions() template.FuncMap {
	return template.FuncMap{
		"quote":      func(v any) string { return strconv.Quote(fmt.Sprint(v)) },
		"toJson":     toJSON,
		"fail":       func(message string) (string, error) { return "", errors.New(message) },
		"regexMatch": func(pattern, s string) bool { ok, err := regexp.MatchString(pattern, s); return ok && err == nil },
		"kindOf":     func(v any) string { return reflect.ValueOf(v).Kind().String() },
		"hasPrefix":  func(prefix, s string) bool { return strings.HasPrefix(s, prefix) },
		"trimPrefix": func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
		"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
	}
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}
