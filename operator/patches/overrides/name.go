package overrides

import (
	"slices"
	"strings"

	"github.com/runkora/kora/operator/agents"
)

// separator stands between the parts of a variable's name.
const separator = "__"

// split takes a name apart: KORA_MANIFEST__<Kind>__<name>__<path>.
func split(variable string) (kind, name, path string, _ *refusal) {
	rest := strings.TrimPrefix(variable, Prefix)
	kind, rest, ok := strings.Cut(rest, separator)
	if name, path, _ = strings.Cut(rest, separator); !ok || kind == "" {
		return "", "", "", refuse("its name has no kind and no path").expecting(Prefix + "<Kind>__<name>__<path>")
	}
	if path == "" {
		return "", "", "", refuse("its name has no path to a field").expecting(Prefix + "<Kind>__<name>__<path>")
	}
	return kind, name, path, nil
}

// everyName are the words that stand for each object of a kind. Those of the
// second row are for the kinds that belong to the one component alone.
var (
	everyName     = []string{"", "*", "any", "all", "every", "agent", "agents", "kora-agent", "kora-agents"}
	componentName = []string{agents.ComponentSessionManager, agents.ComponentSandbox, agents.WorkspaceVolume}
)

// slugOf reads the name of an object as the agent type it belongs to, empty
// for all of them. A bare word is an agent type's slug, the narrower reading:
// a patch for too few objects is warned about, one for too many is not.
func slugOf(name string, k *kind) (string, *refusal) {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	switch {
	case slices.Contains(everyName, name), slices.Contains(componentName, name) && component(k.name, name):
		return "", nil
	case slices.Contains(componentName, name):
		return "", refuse("there is no %s of the name %s", k.name, name).fixed("name it any, or see which kind the field belongs to")
	}
	slug, r := objectSlug(name, k.name)
	if r == nil && agents.ValidateName(slug) != nil {
		r = refuse("%q is no name of an object of kora", shown(name)).expecting("any, or a name such as " + objectName(k.name, "coder"))
	}
	return slug, r
}

// component reports whether objects of the kind belong to what the word names.
func component(kind, word string) bool {
	switch kind {
	case "Pod":
		return word == agents.ComponentSandbox
	case "PersistentVolumeClaim":
		return word != agents.ComponentSandbox
	}
	return word == agents.ComponentSessionManager
}

// objectSlug takes the slug out of an object's real name.
func objectSlug(name, kind string) (string, *refusal) {
	wrong := refuse("no %s of kora is called %s", kind, shown(name)).expecting("any, or a name such as " + objectName(kind, "coder"))
	claim, isClaim := strings.CutPrefix(name, agents.WorkspaceVolume+"-"+agents.ObjectName(""))
	sandbox, isSandbox := strings.CutPrefix(name, "sandbox-")
	agent, isAgent := strings.CutPrefix(name, agents.ObjectName(""))
	switch {
	case isClaim && kind == "PersistentVolumeClaim":
		return claimSlug(claim)
	case isSandbox && kind == "Pod":
		return strings.TrimSuffix(sandbox, "-"+agents.SampleRun), nil
	case isAgent && kind == "Pod":
		return "", wrong.fixed("patch the StatefulSet: the session-manager's pods come from its template")
	case isAgent:
		return agent, nil
	case isClaim || isSandbox:
		return "", wrong
	}
	return name, nil
}

// claimSlug leaves out the replica's number. Kora makes the claims of all
// replicas from one template, which the claim of the first stands for.
func claimSlug(rest string) (string, *refusal) {
	i := strings.LastIndexByte(rest, '-')
	if i < 0 || strings.Trim(rest[i+1:], "0123456789") != "" {
		return rest, nil
	}
	if rest[i+1:] != "0" {
		return "", refuse("the claims of all replicas come from one template").fixed("name the claim of replica 0, which stands for all")
	}
	return rest[:i], nil
}

// objectName is what kora calls the object of an agent type.
func objectName(kind, slug string) string {
	switch kind {
	case "PersistentVolumeClaim":
		return agents.ClaimName(slug)
	case "Pod":
		return agents.SandboxName(slug, agents.SampleRun)
	}
	return agents.ObjectName(slug)
}
