package main

import (
	"fmt"
	"strings"
)

// kind is the type of a value in words.
func (s valueSchema) kind(of valueSchema) string {
	if name, ok := strings.CutPrefix(of.Ref, "#/$defs/"); ok {
		if name == "quantity" {
			return "quantity"
		}
		return s.kind(s.Defs[name])
	}
	if names, ok := strings.CutPrefix(of.Ref, "#/properties/"); ok && of.Type == nil {
		value := s
		for name := range strings.SplitSeq(names, "/properties/") {
			value = value.Properties[name]
		}
		return s.kind(value)
	}
	if of.Enum != nil {
		var words []string
		for _, each := range of.Enum {
			words = append(words, fmt.Sprintf("`%v`", each))
			if each == "" {
				words[len(words)-1] = "empty"
			}
		}
		return "one of " + strings.Join(words, ", ")
	}
	words := map[any]string{"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "array": "list", "object": "map"}
	kind := words["object"]
	switch t := of.Type.(type) {
	case string:
		kind = words[t]
	case []any:
		var all []string
		for _, each := range t {
			all = append(all, words[each])
		}
		kind = strings.Join(all, " or ")
	}
	if of.Minimum != "" && of.Maximum != "" {
		kind += fmt.Sprintf(", %s to %s", of.Minimum, of.Maximum)
	}
	return kind
}
