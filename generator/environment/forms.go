package environment

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
)

// form is the rule of a text: a pattern that editors know too, and what a
// pattern cannot say.
type form struct {
	pattern string
	whole   *regexp.Regexp // pattern, from end to end
	says    string         // "a DNS label such as kora-system"
	values  []string
	also    func(string) bool
}

// forms are the rules by the name in a field's tag. None lets a quote, a brace,
// a blank or a line break through: what is written here ends in templates,
// command lines and URLs.
var forms = sync.OnceValue(func() map[string]form {
	all := table()
	for name, f := range all {
		if f.pattern != "" {
			f.whole = regexp.MustCompile(`^(?:` + f.pattern + `)$`)
			all[name] = f
		}
	}
	return all
})

func table() map[string]form {
	const label = `[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?`
	const host = label + `(\.` + label + `)*`
	return map[string]form{
		"trust domain":     {pattern: `[a-z0-9]([a-z0-9._-]{0,253}[a-z0-9])?`, says: "a trust domain in lower case, such as example.com, without spiffe://"},
		"host":             {pattern: host, says: "a host name such as example.com", also: atMost(249)}, // api. comes in front
		"name":             {pattern: label, says: "a DNS label such as kora-system"},
		"dns name":         {pattern: host, says: "a name such as fast.example.com"},
		"registry":         {pattern: host + `(:[0-9]{1,5})?(/[a-z0-9][a-z0-9._/-]*)?`, says: "a registry such as registry.example.com/kora, without https://"},
		"file":             {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*\.ya?ml`, says: "the path of a YAML file below the values file's folder, such as theme.yaml", also: below},
		"access mode":      {values: []string{"ReadWriteOnce", "ReadWriteMany"}},
		"size":             {pattern: `[0-9]+(\.[0-9]+)?([KMGTPE]i?)?`, says: "a size such as 10Gi", also: positive},
		"outbound policy":  {values: []string{"ALLOW_ANY", "REGISTRY_ONLY"}},
		"platform":         {values: []string{"gke", "k3d", "k3s", "microk8s", "minikube", "openshift"}},
		"absolute path":    {pattern: `/[A-Za-z0-9._/-]+`, says: "an absolute path on the nodes, such as /opt/cni/bin", also: func(s string) bool { return path.Clean(s) == s }},
		"chart repository": {pattern: `(oci|https?)://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~/-]*)?`, says: "an https:// or oci:// URL without a user or a password", also: plainURL},
		"server":           {pattern: `https://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~/-]*)?`, says: "the https:// URL of an API server", also: plainURL},
		"git url":          {pattern: `((https?|ssh)://([a-z0-9._-]+@)?[A-Za-z0-9][A-Za-z0-9.:-]*/|[a-z0-9._-]+@[A-Za-z0-9][A-Za-z0-9.-]*:)[A-Za-z0-9._~/-]+`, says: "the URL of a git repository, such as https://git.example.com/platform.git, without a password", also: noPassword},
		"path":             {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*`, says: "a folder in the repository, such as clusters/example", also: below},
		"revision":         {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*`, says: "a branch, a tag or a commit", also: func(s string) bool { return !strings.Contains(s, "..") }},
		"sync option":      {pattern: `[A-Za-z]+=[A-Za-z]+`, says: "a sync option such as PruneLast=true"},
		"duration":         {pattern: `([0-9]+(ms|s|m|h))+`, says: "a duration such as 10s or 5m"},
	}
}

// takes says whether a text has the form; an empty one stands for nothing set.
func (f form) takes(text string) bool {
	if f.values != nil {
		for _, v := range f.values {
			if text == v {
				return true
			}
		}
		return false
	}
	return len(text) <= 2048 && f.whole.MatchString(text) && (f.also == nil || f.also(text))
}

func (f form) expected() string {
	if f.values != nil {
		return "one of " + strings.Join(f.values, ", ")
	}
	return f.says
}

func atMost(n int) func(string) bool { return func(s string) bool { return len(s) <= n } }

// below is a path that is spelt plainly and does not lead out.
func below(s string) bool { return path.Clean(s) == s && !strings.HasPrefix(s, "..") }

func positive(s string) bool {
	q, err := resource.ParseQuantity(s)
	return err == nil && q.Sign() > 0
}

func plainURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.User == nil && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

// noPassword lets the user of ssh through, who is "git" as a rule, and no other.
func noPassword(s string) bool {
	if !strings.Contains(s, "://") {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.User == nil || u.Scheme == "ssh")
}
