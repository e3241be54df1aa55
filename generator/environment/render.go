package environment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// A Renderer fills templates in with the facts of one environment. It knows of
// Helmfile's functions only those that kora's own templates call, and gives what
// Helmfile gives: so one text is the source of both outputs (R38).
type Renderer struct {
	values map[string]any
	// Folder is where the templates lie, for what they ask of files; nil: nowhere,
	// and there are none.
	Folder fs.FS
}

// NewRenderer returns the renderer of an environment.
func (e *Environment) NewRenderer() *Renderer {
	return &Renderer{values: numbers(e.Map()).(map[string]any)}
}

// numbers are whole, as Helmfile reads them: JSON knows no others than fractions.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			v[key] = numbers(below)
		}
	case []any:
		for i, item := range v {
			v[i] = numbers(item)
		}
	case float64:
		return int64(v)
	}
	return v
}

// Render fills a template in. A fact that does not exist is an error.
func (r *Renderer) Render(name, text string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	t, err := template.New(name).Option("missingkey=error").Funcs(r.functions()).Parse(text)
	if err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.Execute(&b, map[string]any{"Values": r.values}); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return b.String(), nil
}

func (r *Renderer) functions() template.FuncMap {
	return template.FuncMap{
		"quote":      func(v any) string { return strconv.Quote(fmt.Sprint(v)) },
		"toJson":     toJSON,
		"fail":       func(message string) (string, error) { return "", errors.New(message) },
		"regexMatch": func(pattern, s string) bool { ok, err := regexp.MatchString(pattern, s); return ok && err == nil },
		"kindOf":     func(v any) string { return reflect.ValueOf(v).Kind().String() },
		"list":       func(items ...any) []any { return items },
		"append":     func(items []any, item any) []any { return append(slices.Clone(items), item) },
		"join":       join,
		"hasPrefix":  func(prefix, s string) bool { return strings.HasPrefix(s, prefix) },
		"isFile":     r.isFile,
		"trimPrefix": func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
		"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
	}
}

// isFile is Helmfile's: a folder is no file, and a link is what it leads to.
func (r *Renderer) isFile(name string) (bool, error) {
	if r.Folder == nil {
		return false, nil
	}
	info, err := fs.Stat(r.Folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && !info.IsDir(), err
}

func join(between string, items []any) string {
	var out []string
	for _, item := range items {
		out = append(out, fmt.Sprint(item))
	}
	return strings.Join(out, between)
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}
