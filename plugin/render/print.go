package render

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/operator/patches"
)

// YAML returns the objects as one stream of documents, keys in alphabetical
// order as kubectl prints them, each valid for kubectl apply.
func YAML(objects []*patches.Object) ([]byte, error) {
	out, err := documents(objects, func(o *patches.Object) any { return ordered(o.Plain) })
	if err != nil || !bytes.ContainsFunc(out, Driving) {
		return out, err
	}
	out, err = documents(objects, func(o *patches.Object) any { return quoted(ordered(o.Plain)) })
	return escaped(out, yamlEscape), err
}

func documents(objects []*patches.Object, form func(*patches.Object) any) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("---\n")
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	for _, o := range objects {
		if err := enc.Encode(form(o)); err != nil {
			return nil, fmt.Errorf("write %s: %w", o.Title(), err)
		}
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write the manifests: %w", err)
	}
	return out.Bytes(), nil
}

// JSON returns the objects as one v1 List, which kubectl apply takes too.
func JSON(objects []*patches.Object) ([]byte, error) {
	items := make([]any, len(objects))
	for i, o := range objects {
		items[i] = o.Plain
	}
	return indented(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Items      []any  `json:"items"`
	}{"v1", "List", items})
}

func indented(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return escaped(out.Bytes(), jsonEscape), err
}
