package cmp

import (
	"encoding/json"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/plugin/release"
)

// Announcement is one parameter as Argo CD's UI shows it. Argo CD does not send
// the defaults back: they are what Asked holds when nothing is given.
type Announcement struct {
	Name           string   `json:"name"`
	Title          string   `json:"title"`
	Tooltip        string   `json:"tooltip"`
	Required       bool     `json:"required,omitempty"`
	ItemType       string   `json:"itemType,omitempty"`
	CollectionType string   `json:"collectionType,omitempty"`
	String         string   `json:"string,omitempty"`
	Array          []string `json:"array,omitempty"`
}

// The parameters by name. Each is also a variable of the application, for which
// see variables.
const (
	valuesFilesParameter = "values-files"
	valuesParameter      = "values"
	chartParameter       = "chart"
	verifyParameter      = "verify"
	releaseParameter     = "release-name"
)

const listed = "array"

// Announcements are all parameters.
func Announcements() []Announcement {
	return []Announcement{
		{
			Name: valuesFilesParameter, Title: "Values files", CollectionType: listed,
			Tooltip: "more values files of the application's folder, each over those before it and all over kora.yaml",
		},
		{
			Name: valuesParameter, Title: "Values",
			Tooltip: "values in YAML, over those of all files",
		},
		{
			Name: chartParameter, Title: "Chart",
			Tooltip: "oci://REGISTRY/REPOSITORY:TAG of a registry that the plugin allows, or ./PATH of a chart in the application's folder; by default the chart of the plugin's own version of kora",
		},
		{
			Name: verifyParameter, Title: "Verify the chart's signature", ItemType: "boolean", String: "false",
			Tooltip: "render nothing but a chart of a registry whose signature was verified, by its digest",
		},
		{
			Name: releaseParameter, Title: "Release name", String: release.DefaultName,
			Tooltip: "the name of the release",
		},
	}
}

// Announced is what "kora cmp parameters" prints.
func Announced() ([]byte, error) {
	text, err := json.MarshalIndent(Announcements(), "", "  ")
	return append(text, '\n'), err
}

func announced(name string) (Announcement, bool) {
	all := Announcements()
	if i := slices.IndexFunc(all, func(a Announcement) bool { return a.Name == name }); i >= 0 {
		return all[i], true
	}
	return Announcement{}, false
}

// form refuses a parameter that nobody announced, or in another form.
func (p Parameter) form() (faults.Fault, bool) {
	a, known := announced(p.Name)
	if !known {
		var names []string
		for _, each := range Announcements() {
			names = append(names, each.Name)
		}
		f := refusedParameter(p.Name, "there is no such parameter", suggestion("", p.Name, names))
		if near := fields.Nearest(p.Name, names); near == "" {
			f.Expected = "a parameter that kora cmp parameters lists"
		}
		return f, false
	}
	right, want := p.String != nil, "string"
	if a.CollectionType == listed {
		right, want = p.Array != nil, listed
	}
	if p.forms() != 1 || !right {
		f := refusedParameter(p.Name, "the parameter is not in its form", "")
		f.Expected = "the field " + want + " and no other"
		return f, false
	}
	return faults.Fault{}, true
}
