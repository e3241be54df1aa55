package cmp

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

// Asked is what an application asks for, with the defaults that were announced.
type Asked struct {
	ValuesFiles []string
	Values      string // YAML
	Chart       string // "", oci://… or ./…
	Verify      bool
	ReleaseName string

	App         string // the Application's name, for messages
	Namespace   string // of the destination, "" where it has none
	KubeVersion string
	APIVersions []string
}

const variablePrefix = "ARGOCD_ENV_"

// variables are those of an application that are read, besides its parameters.
// All others are Argo CD's or somebody else's, and nobody looks at them.
var variables = map[string]string{
	"KORA_VALUES_FILES": valuesFilesParameter, // with commas between them
	"KORA_CHART":        chartParameter,
	"KORA_VERIFY":       verifyParameter,
	"KORA_RELEASE_NAME": releaseParameter,
}

// ReadAsked reads the parameters and variables of a call. A variable that the
// application gives ends in the same place as the parameter of its name, and the
// two must not both be there.
func ReadAsked(environ []string) (Asked, faults.List) {
	given := byName(environ)
	out := Asked{ReleaseName: release.DefaultName}
	all, found := ParseParameters(orNull(given[parametersVariable]))
	byParameter := map[string]bool{}
	for _, p := range all {
		byParameter[p.Name] = true
		if f, ok := p.form(); !ok {
			found = append(found, f)
			continue
		}
		found = append(found, out.take(p, parametersVariable)...)
	}
	found = append(found, out.variables(given, byParameter)...)
	return out, append(found, out.surroundings(given)...)
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// variables takes the application's own variables KORA_.
func (a *Asked) variables(given map[string]string, byParameter map[string]bool) faults.List {
	var found faults.List
	for _, name := range slices.Sorted(maps.Keys(given)) {
		own, ok := strings.CutPrefix(name, variablePrefix)
		if !ok || !strings.HasPrefix(own, "KORA_") || given[name] == "" {
			continue
		}
		to, known := variables[own]
		if !known {
			f := fault(faults.PluginVariable, short(name), "kora reads no such variable")
			f.Fix = suggestion("", own, slices.Sorted(maps.Keys(variables)))
			found = append(found, f)
			continue
		}
		if byParameter[to] {
			f := fault(faults.PluginVariable, name, "the variable is given, and the parameter "+to+" as well")
			f.Fix = "leave one of the two out"
			found = append(found, f)
			continue
		}
		found = append(found, a.take(parameterOf(to, given[name]), name)...)
	}
	return found
}

func parameterOf(name, value string) Parameter {
	if a, _ := announced(name); a.CollectionType != listed {
		return Parameter{Name: name, String: &value}
	}
	var list []string
	for part := range strings.SplitSeq(value, ",") {
		list = append(list, strings.TrimSpace(part))
	}
	return Parameter{Name: name, Array: &list}
}

var (
	releaseName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,51}[a-z0-9])?$`)
	label       = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	kubeVersion = regexp.MustCompile(`^v?[0-9]{1,3}\.[0-9]{1,4}(\.[0-9]{1,4})?([-+][0-9A-Za-z.+-]{1,60})?$`)
	apiVersion  = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z./-]{0,300}$`)
)

// take takes one parameter whose form is right; from is where it stood.
func (a *Asked) take(p Parameter, from string) faults.List {
	bad := func(message, expected string) faults.List {
		f := fault(faults.PluginParameters, from, message)
		f.Field, f.Expected = p.Name, expected
		return faults.List{f}
	}
	switch p.Name {
	case valuesFilesParameter:
		a.ValuesFiles = *p.Array
		return valuesNames(*p.Array, from)
	case valuesParameter:
		a.Values = *p.String
	case chartParameter:
		a.Chart = *p.String
		return chartName(a.Chart, from)
	case verifyParameter:
		if *p.String != "true" && *p.String != "false" && *p.String != "" {
			return bad("the parameter says neither yes nor no", "true or false")
		}
		a.Verify = *p.String == "true"
	case releaseParameter:
		if !releaseName.MatchString(*p.String) {
			return bad("this is no name of a release", "at most 53 lower-case letters, digits and dashes")
		}
		a.ReleaseName = *p.String
	}
	return nil
}

const mostAPIVersions = 20_000

// surroundings takes what Argo CD itself says of the application and its cluster.
func (a *Asked) surroundings(given map[string]string) faults.List {
	var found faults.List
	refuse := func(name, message, expected string) {
		f := fault(faults.PluginVariable, name, message)
		f.Expected = expected
		found = append(found, f)
	}
	a.App = short(given["ARGOCD_APP_NAME"])
	namespace, told := given["ARGOCD_APP_NAMESPACE"]
	switch a.Namespace = namespace; {
	case told && namespace == "": // whatever namespace were chosen here, nobody would see which
		refuse("ARGOCD_APP_NAMESPACE", "the application's destination names no namespace", "spec.destination.namespace, such as "+release.DefaultNamespace)
	case namespace != "" && !label.MatchString(namespace):
		refuse("ARGOCD_APP_NAMESPACE", "this is no name of a namespace", "at most 63 lower-case letters, digits and dashes")
	}
	if a.KubeVersion = given["KUBE_VERSION"]; a.KubeVersion != "" && !kubeVersion.MatchString(a.KubeVersion) {
		refuse("KUBE_VERSION", "this is no version of Kubernetes", "a version such as "+release.DefaultKubeVersion)
	}
	for each := range strings.SplitSeq(given["KUBE_API_VERSIONS"], ",") {
		if each = strings.TrimSpace(each); each == "" {
			continue
		}
		if !apiVersion.MatchString(each) || len(a.APIVersions) == mostAPIVersions {
			refuse("KUBE_API_VERSIONS", "these are not the APIs of a cluster", "names such as monitoring.coreos.com/v1 with commas between them")
			break
		}
		a.APIVersions = append(a.APIVersions, each)
	}
	return found
}
