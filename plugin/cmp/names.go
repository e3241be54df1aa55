package cmp

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/reference"
)

const (
	ociScheme = "oci://"
	onDisk    = "./"
)

// valuesNames refuses values files that are not named from the application's
// folder on, before anything is opened.
func valuesNames(names []string, from string) faults.List {
	var found faults.List
	if len(names) > mostListed {
		f := fault(faults.PluginParameters, from, "there are too many values files")
		f.Field, f.Found, f.Expected = valuesFilesParameter, fmt.Sprint(len(names)), fmt.Sprintf("at most %d", mostListed)
		return faults.List{f}
	}
	for i, name := range names {
		f := fault(faults.PluginOutside, from, "a values file is not named from the application's folder on")
		f.Field, f.Expected = fmt.Sprintf("%s[%d]", valuesFilesParameter, i), "a path such as values-production.yaml, without .. and not from the root"
		if !within(name) {
			found = append(found, f)
			continue
		}
		if !named(name) {
			f.Code, f.Message, f.Expected = faults.PluginParameters, "a values file has another ending", "a name that ends in .yaml or .yml"
			found = append(found, f)
		}
	}
	return found
}

// named is true of the name of a values file, which is a place of faults.
func named(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// within is true of a plain relative path that stays below where it begins.
func within(name string) bool {
	return len(name) <= 1024 && filepath.IsLocal(name) && !strings.ContainsFunc(name, unicode.IsControl) && !strings.Contains(name, `\`) &&
		!strings.Contains("/"+name+"/", "/../")
}

// chartName refuses a chart that is neither in a registry nor in the folder.
func chartName(chart, from string) faults.List {
	refuse := func(code faults.Code, message string) faults.List {
		f := fault(code, from, message)
		f.Field = chartParameter
		f.Expected = "oci://REGISTRY/REPOSITORY:TAG, or ./PATH in the application's folder"
		return faults.List{f}
	}
	switch rest, inRegistry := strings.CutPrefix(chart, ociScheme); {
	case chart == "":
		return nil
	case inRegistry:
		// A tag has no plus sign, and Helm writes an underscore for it.
		if _, ok := reference.Parse(strings.ReplaceAll(rest, "+", "_")); !ok {
			return refuse(faults.PluginParameters, "the chart is not named with its registry and a tag or a digest")
		}
	case !strings.HasPrefix(chart, onDisk):
		return refuse(faults.PluginParameters, "this names no chart")
	case !within(strings.TrimPrefix(chart, onDisk)):
		return refuse(faults.PluginOutside, "the chart is not in the application's folder")
	}
	return nil
}
