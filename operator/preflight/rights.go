package preflight

import (
	"regexp"
	"slices"
	"strings"
)

// What the API server says to an account that may not.
var (
	forbidden   = regexp.MustCompile(`User "([^"]*)" cannot (\w+) resource "([^"]*)" in API group "([^"]*)"`)
	inNamespace = regexp.MustCompile(`in the namespace "([^"]*)"`)
	ofName      = regexp.MustCompile(`"([^"]*)" is forbidden`)
)

// wayOut says how to get what could not be read: the right that the server's
// sentence names, for whoever may give it, or else another look.
func (v *verdict) wayOut(why string) string {
	if fix := grant(why); fix != "" {
		return fix
	}
	if strings.Contains(why, "does not know this account") {
		return command("kubectl", "auth", "whoami")
	}
	return v.again("--only", v.id, "--timeout", "5m")
}

// grant gives an account the one right that a refusal names, and nothing more:
// empty where the text is no refusal of RBAC.
func grant(why string) string {
	said := forbidden.FindStringSubmatch(why)
	if said == nil {
		return ""
	}
	user, verb, resource, group := said[1], said[2], said[3], said[4]
	name, kind, in := "kora-preflight-"+verb+"-"+strings.ReplaceAll(resource, "/", "-"), "clusterrole", []string(nil)
	if where := inNamespace.FindStringSubmatch(why); where != nil {
		kind, in = "role", []string{"-n", where[1]}
	}
	full, sub, nested := strings.Cut(resource, "/")
	if group != "" {
		full += "." + group
	}
	if nested {
		full += "/" + sub
	}
	var only []string
	if object := ofName.FindStringSubmatch(why); object != nil && verb == "get" {
		name, only = name+"-"+object[1], []string{"--resource-name=" + object[1]}
	}
	role := slices.Concat([]string{"kubectl", "create", kind, name, "--verb=" + verb, "--resource=" + full}, in, only)
	bind := append([]string{"kubectl", "create", kind + "binding", name, "--" + kind + "=" + name, subject(user)}, in...)
	return command(role...) + " && " + command(bind...)
}

// subject is a user as kubectl create rolebinding takes one.
func subject(user string) string {
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		return "--serviceaccount=" + account
	}
	return "--user=" + user
}
