package preflight

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	if fix := v.grant(why); fix != "" {
		return fix
	}
	if fix := v.answering(why); fix != "" {
		return fix
	}
	if fix := v.settle(why); fix != "" {
		return fix
	}
	if strings.Contains(why, "does not know this account") {
		return v.on("kubectl", "auth", "whoami")
	}
	return v.again("--only", v.id, "--timeout", "5m")
}

// granted are the verbs that a look and an install need; those that make an
// account another, or more than it is, are in none of them.
var granted = []string{"get", "list", "watch", "create", "update", "patch", "delete"}

var resourceName = regexp.MustCompile(`^[a-z0-9]+(/[a-z]+)?$`)

// grant gives the account of this run the one right that a refusal names, and
// nothing more: empty where the text is no refusal of RBAC. Whose right it is the
// text does not decide, since anybody may have written it.
func (v *verdict) grant(why string) string {
	said := forbidden.FindStringSubmatch(why)
	if said == nil {
		return ""
	}
	user, verb, resource, group := said[1], said[2], said[3], said[4]
	if v.Account == "" || user != v.Account || !slices.Contains(granted, verb) || !resourceName.MatchString(resource) {
		return ungranted(fmt.Sprintf("%q to %s %q of API group %q", user, verb, resource, group))
	}
	name, kind, in := "kora-preflight-"+verb+"-"+strings.ReplaceAll(resource, "/", "-"), "clusterrole", []string(nil)
	var names []spelled
	if where := inNamespace.FindStringSubmatch(why); where != nil {
		kind, in, names = "role", []string{"-n", where[1]}, append(names, label(where[1]))
	}
	full, sub, nested := strings.Cut(resource, "/")
	if group != "" {
		full, name, names = full+"."+group, name+"."+group, append(names, subdomain(group))
	}
	if nested {
		full += "/" + sub
	}
	var only []string
	if object := ofName.FindStringSubmatch(why); object != nil && verb == "get" {
		name, only, names = name+"-"+object[1], []string{"--resource-name=" + object[1]}, append(names, rbacName(object[1]))
	}
	role := v.reconciled(slices.Concat([]string{"create", kind, name, "--verb=" + verb, "--resource=" + full}, in, only)...)
	return sound(role+" && "+v.bound(kind, name, name, in...)+remark(byWhom), names...)
}

// byWhom says who runs a grant: the account that lacks a right may not give it.
const byWhom = "run by somebody who may give rights in this cluster: no account gives itself one"

// giver is a command of kubectl that is not for the account of this run: where
// flags name its kubeconfig, another one of the same cluster stands in their place.
func (v *verdict) giver(words ...string) string {
	if len(v.Place) == 0 {
		return v.on("kubectl", words...)
	}
	return "kubectl --kubeconfig " + ownWord("ADMIN_KUBECONFIG") + " " + command(words...)
}

// ungranted says which right is missing, where no command gives it.
func ungranted(right string) string {
	return words("whoever may give rights decides whether to allow " + right + ": a right is granted by command only to the account that this run asks as")
}

// installer gives the account of this run what makes roles.
func (v *verdict) installer(user string) string {
	if v.Account == "" || user != v.Account {
		return ungranted(fmt.Sprintf("%q what the roles of the release grant", user))
	}
	return v.bound("clusterrole", "cluster-admin", "kora-install") + remark(byWhom+". Or install with an account that has it: who makes roles needs what they grant")
}

// bound binds the account of this run to a role, by a binding that is its own.
func (v *verdict) bound(kind, role, name string, in ...string) string {
	sum := sha256.Sum256([]byte(v.Account))
	return v.reconciled(slices.Concat([]string{"create", kind + "binding", name + "-" + hex.EncodeToString(sum[:4]), "--" + kind + "=" + role, subject(v.Account)}, in)...)
}

// reconciled makes what is not there yet and adds to what is, taking nothing from
// it, so that it holds however often it runs.
func (v *verdict) reconciled(create ...string) string {
	return v.giver(append(create, "--dry-run=client", "-o", "yaml")...) + " | " + v.giver("auth", "reconcile", "-f", "-")
}

// subject is a user as kubectl create rolebinding takes one.
func subject(user string) string {
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		return "--serviceaccount=" + account
	}
	return "--user=" + user
}
