package registry

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
)

// Keyring holds the credentials of pull Secrets. It prints as nothing.
type Keyring struct{ keys []key }

type key struct {
	host, path string
	auth       authn.AuthConfig
}

// String keeps credentials out of whatever prints a Keyring.
func (Keyring) String() string { return "registry.Keyring" }

// GoString does the same for %#v.
func (Keyring) GoString() string { return "registry.Keyring" }

// errDockerConfig has no text of the Secret in it.
var errDockerConfig = errors.New("it is no JSON of the form {\"auths\": {\"host\": {\"auth\": base64 of user:password}}}")

// Add reads the value of .dockerconfigjson into the ring. An error means that
// nothing of it was read, and says nothing of what it holds.
func (k *Keyring) Add(config []byte) error {
	var file struct {
		Auths map[string]authn.AuthConfig `json:"auths"`
	}
	if err := json.Unmarshal(config, &file); err != nil || file.Auths == nil {
		return errDockerConfig
	}
	var added []key
	for at, auth := range file.Auths {
		if auth.Auth != "" && auth.Username == "" {
			text, err := base64.StdEncoding.DecodeString(auth.Auth)
			user, password, found := strings.Cut(string(text), ":")
			if err != nil || !found {
				return errDockerConfig
			}
			auth.Username, auth.Password = user, strings.TrimRight(password, "\x00")
		}
		auth.Auth = ""
		host, path := place(at)
		added = append(added, key{host, path, auth})
	}
	// The most specific first, as kubelets order them, and never by the map.
	slices.SortFunc(added, func(a, b key) int {
		return strings.Compare(b.host+"/"+b.path, a.host+"/"+a.path)
	})
	k.keys = append(k.keys, added...)
	return nil
}

// place is the host and the path of an entry: "https://index.docker.io/v1/",
// "ghcr.io/team", "*.example.com".
func place(at string) (host, folder string) {
	at = strings.TrimPrefix(strings.TrimPrefix(at, "https://"), "http://")
	host, folder, _ = strings.Cut(at, "/")
	folder = strings.Trim(folder, "/")
	if folder == "v1" || folder == "v2" {
		folder = ""
	}
	if host == "docker.io" {
		host = dockerHub
	}
	return strings.ToLower(host), folder
}

// credentialsTried are those of one read at most.
const credentialsTried = 4

// match gives the credentials for a repository on a host, the best first.
func (k Keyring) match(host, repository string) []authn.AuthConfig {
	var found []authn.AuthConfig
	for _, each := range k.keys {
		inside := each.path == "" || repository == each.path || strings.HasPrefix(repository, each.path+"/")
		if inside && hostMatches(each.host, strings.ToLower(host)) && !slices.Contains(found, each.auth) && len(found) < credentialsTried {
			found = append(found, each.auth)
		}
	}
	return found
}

// hostMatches compares label by label, so that "*" stands for one label, as for kubelets.
func hostMatches(pattern, host string) bool {
	patterns, labels := strings.Split(pattern, "."), strings.Split(host, ".")
	if len(patterns) != len(labels) {
		return false
	}
	for i := range labels {
		if ok, err := path.Match(patterns[i], labels[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
