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
	taken   string         // what to say of one that never is for; empty as of others
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
	const port = `:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	const server = `[A-Za-z0-9][A-Za-z0-9.-]*(` + port + `)?` // without a user
	// A name without a point or a port would be a folder of Docker Hub's.
	const registry = `((localhost|` + label + `(\.` + label + `)+)(` + port + `)?|` + label + port + `)`
	const folder = `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`
	const word = `[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?`
	// As many digits as the API keeps unchanged, whatever comes behind the point.
	const amount = `([0-9]{1,18}|[0-9]{1,15}(\.[0-9]{1,9})?Ki|[0-9]{1,12}(\.[0-9]{1,9})?Mi?|[0-9]{1,9}(\.[0-9]{1,9})?Gi?|[0-9]{1,6}(\.[0-9]{1,9})?Ti?|[0-9]{1,3}(\.[0-9]{1,9})?Pi?|[0-7](\.[0-9]{1,9})?Ei?)`
	const unclean = `(^|/)\.\.?(/|$)|//|/$` // a path that could be spelt otherwise, or leads out
	return map[string]form{
		"trust domain":     {pattern: `[a-z0-9]([a-z0-9._-]{0,253}[a-z0-9])?`, says: "a trust domain in lower case, such as example.com, without spiffe://"},
		"host":             {pattern: host, never: `(^|\.)[0-9]+$`, most: 249, says: "a host name such as example.com, and no address"}, // api. comes in front
		"name":             {pattern: label, says: "a DNS label such as kora-system"},
		"system namespace": {pattern: label, never: Reserved, taken: "is a namespace of others", says: "a DNS label such as kora-system, and no namespace of others"},
		"dns name":         {pattern: host, most: 253, says: "a name such as fast.example.com"},
		"registry":         {pattern: registry + `(/` + folder + `)*`, most: 200, says: "a registry such as registry.example.com/kora, without https://"},
		"file":             {pattern: `[A-Za-z0-9][A-Za-z0-9._/-]*\.ya?ml`, never: unclean, says: "the path of a YAML file below the values file's folder, such as theme.yaml"},
		"access mode":      {values: []string{"ReadWriteOnce", "ReadWriteMany"}},
		"size":             {pattern: amount, never: `^[0.]+([KMGTPE]i?)?$`, says: "a size such as 10Gi, below 8Ei"},
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
		labelKey:      {pattern: `(` + host + `/)?` + word, never: `^[^/]{254}`, says: "the key of a label, such as example.com/team"},
		labelValue:    {pattern: word, says: "the value of a label: at most 63 letters, digits, hyphens, underscores and points"},
		"duration":    {pattern: `([0-9]+(ms|s|m|h))+`, says: "a duration such as 10s or 5m"},
	}
}

// The forms of what is in a map of labels, and in a toleration.
const (
	labelKey   = "label key"
	labelValue = "label value"
)

// IsChartRepository says whether a text is an oci:// or https:// URL of charts, in
// which no user, password or query stands.
func IsChartRepository(text string) bool { return forms()["chart repository"].takes(text) }

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
