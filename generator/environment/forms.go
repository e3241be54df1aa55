package environment

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// form is the rule of a text, in terms that editors and the guard of the Helmfile
// know as well: what it is like, what is nowhere in it, and how long it may be.
type form struct {
	pattern string
	never   string         // a pattern that no part may match
	most    int            // bytes
	whole   *regexp.Regexp // pattern, from end to end
	no      *regexp.Regexp // never
	says    string         // "a DNS label such as kora-system"
	values  []string
}

// forms are the rules by the name in a field's tag. None lets a quote, a brace,
// a blank or a line break through: what is written here ends in templates,
// command lines and URLs.
var forms = sync.OnceValue(func() map[string]form {
	all := table()
	for name, f := range all {
		if f.pattern != "" {
			f.whole = regexp.MustCompile(`^(?:` + f.pattern + `)$`)
		}
		if f.never != "" {
			f.no = regexp.MustCompile(f.never)
		}
		if f.most == 0 {
			f.most = 2048
		}
		all[name] = f
	}
	return all
})

func table() map[string]form {
	const label = `[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?`
	const host = label + `(\.` + label + `)*`
	const server = `[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?` // without a user
	const unclean = `(^|/)\.\.?(/|$)|//|/$`                  // a path that could be spelt otherwise, or leads out
	return map[string]form{
		"trust domain":     {pattern: `[a-z0-9]([a-z0-9._-]{0,253}[a-z0-9])?`, says: "a trust domain in lower case, such as example.com, without spiffe://"},
		"host":             {pattern: host, most: 249, says: "a host name such as example.com"}, // api. comes in front
		"name":             {pattern: label, says: "a DNS label such as kora-system"},
		"dns name":         {pattern: host, says: "a name such as fast.example.com"},
		"registry":         {pattern: host + `(:[0-9]{1,5})?(/[a-z0-9][a-z0-9._/-]*)?`, says: "a registry such as registry.example.com/kora, without https://"},
		"file":             {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*\.ya?ml`, never: unclean, says: "the path of a YAML file below the values file's folder, such as theme.yaml"},
		"access mode":      {values: []string{"ReadWriteOnce", "ReadWriteMany"}},
		"size":             {pattern: `[0-9]+(\.[0-9]+)?(Ki|[MGTPE]i?)?`, never: `^[0.]+([KMGTPE]i?)?$`, says: "a size such as 10Gi"},
		"outbound policy":  {values: []string{"ALLOW_ANY", "REGISTRY_ONLY"}},
		"platform":         {values: []string{"gke", "k3d", "k3s", "microk8s", "minikube", "openshift"}},
		"absolute path":    {pattern: `/[A-Za-z0-9._/-]+`, never: unclean, says: "an absolute path on the nodes, such as /opt/cni/bin"},
		"chart repository": {pattern: `(oci|https?)://` + server + `(/[A-Za-z0-9._~/-]*)?`, says: "an https:// or oci:// URL without a user or a password"},
		"server":           {pattern: `https://` + server + `(/[A-Za-z0-9._~/-]*)?`, says: "the https:// URL of an API server"},
		// The user of ssh, who is "git" as a rule, and no other.
		"git url":     {pattern: `((https?://|ssh://([a-z0-9._-]+@)?)` + server + `/|[a-z0-9._-]+@[A-Za-z0-9][A-Za-z0-9.-]*:)[A-Za-z0-9._~/-]+`, says: "the URL of a git repository, such as https://git.example.com/platform.git, without a password"},
		"path":        {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*`, never: unclean, says: "a folder in the repository, such as clusters/example"},
		"revision":    {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*`, never: `\.\.`, says: "a branch, a tag or a commit"},
		"sync option": {pattern: `[A-Za-z]+=[A-Za-z]+`, says: "a sync option such as PruneLast=true"},
		"duration":    {pattern: `([0-9]+(ms|s|m|h))+`, says: "a duration such as 10s or 5m"},
	}
}

// takes says whether a text has the form; an empty one stands for nothing set.
func (f form) takes(text string) bool {
	if f.values != nil {
		return slices.Contains(f.values, text)
	}
	return len(text) <= f.most && f.whole.MatchString(text) && (f.no == nil || !f.no.MatchString(text))
}

func (f form) expected() string {
	if f.values != nil {
		return "one of " + strings.Join(f.values, ", ")
	}
	return f.says
}
