package cmp

import (
	"fmt"

	"sigs.k8s.io/json"

	"github.com/runkora/kora/internal/faults"
)

// The variable that holds the parameters of an application, and its bounds.
const (
	parametersVariable = "ARGOCD_APP_PARAMETERS"
	mostParameterBytes = 128 << 10 // what one variable of a process may hold
	mostParameters     = 100
	mostListed         = 100
)

// Parameter is one that an application gives, in the form that Argo CD has for it:
// a text, a list or a map.
type Parameter struct {
	Name   string             `json:"name"`
	String *string            `json:"string,omitempty"`
	Array  *[]string          `json:"array,omitempty"`
	Map    *map[string]string `json:"map,omitempty"`
}

// ParseParameters reads ARGOCD_APP_PARAMETERS strictly: one JSON list of known
// fields, each parameter once and in one form. Argo CD writes "null" for none.
// Names and values are not trusted and are never repeated but for short names.
func ParseParameters(text string) ([]Parameter, faults.List) {
	if len(text) > mostParameterBytes {
		f := fault(faults.PluginParameters, parametersVariable, "the parameters are too long")
		f.Found, f.Expected = fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("at most %d bytes", mostParameterBytes)
		f.Fix = "keep values in files of the repository"
		return nil, faults.List{f}
	}
	var all []Parameter
	if strict, err := json.UnmarshalStrict([]byte(text), &all); err != nil || len(strict) > 0 {
		f := fault(faults.PluginParameters, parametersVariable, "the parameters are not what Argo CD writes")
		f.Expected = `a JSON list such as [{"name":"values-files","array":["values-production.yaml"]}]`
		return nil, faults.List{f}
	}
	if len(all) > mostParameters {
		f := fault(faults.PluginParameters, parametersVariable, "there are too many parameters")
		f.Found, f.Expected = fmt.Sprint(len(all)), fmt.Sprintf("at most %d", mostParameters)
		return nil, faults.List{f}
	}
	return all, twice(all)
}

func twice(all []Parameter) faults.List {
	var found faults.List
	seen := map[string]bool{}
	for _, p := range all {
		if seen[p.Name] {
			found = append(found, refusedParameter(p.Name, "the parameter is given twice", "give it once"))
		}
		seen[p.Name] = true
	}
	return found
}

// forms is how many of its three forms a parameter has.
func (p Parameter) forms() int {
	n := 0
	for _, has := range []bool{p.String != nil, p.Array != nil, p.Map != nil} {
		if has {
			n++
		}
	}
	return n
}

func refusedParameter(name, message, fix string) faults.Fault {
	f := fault(faults.PluginParameters, parametersVariable, message)
	f.Field, f.Fix = short(name), fix
	return f
}

// short bounds what is repeated of a name that anybody may have chosen.
func short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
