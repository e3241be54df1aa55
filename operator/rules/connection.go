package rules

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Connection gives the faults of a connection (R51).
func Connection(c *v1alpha1.Connection) field.ErrorList {
	spec := field.NewPath("spec")
	var faults field.ErrorList
	for i, host := range c.Spec.Hosts {
		at := spec.Child("hosts").Index(i)
		faults = append(faults, outside(at, string(host), string(host))...)
		faults = append(faults, suffix(at, string(host))...)
	}
	return append(faults, external(spec.Child("authentication", "tokenURL"), c.Spec.Authentication.TokenURL)...)
}

// suffix refuses "*." before a suffix under which anybody registers names: the
// connection's credentials would go to whoever an agent is talked into reaching.
func suffix(at *field.Path, host string) field.ErrorList {
	below, wildcard := strings.CutPrefix(host, "*.")
	if !wildcard {
		return nil
	}
	if public, _ := publicsuffix.PublicSuffix(below); public == below {
		return field.ErrorList{invalid(at, host, "stands for every name below %s, where anybody may register one and would be sent the credentials; name the hosts of the one service", below)}
	}
	return nil
}

// Admits reports whether a connection's hosts admit a host: the name itself, or
// "*." before a parent of it. The parent itself is not admitted by a wildcard.
func Admits(hosts []v1alpha1.Host, host string) bool {
	for _, h := range hosts {
		if string(h) == host || covers(string(h), host) {
			return true
		}
	}
	return false
}

func covers(pattern, host string) bool {
	parent, wildcard := strings.CutPrefix(pattern, "*")
	return wildcard && strings.HasSuffix(host, parent) && len(host) > len(parent)
}

func connectionWarnings(c *v1alpha1.Connection) []string {
	var words []string
	for i, host := range c.Spec.Hosts {
		for _, other := range c.Spec.Hosts {
			if covers(string(other), strings.TrimPrefix(string(host), "*.")) && host != other {
				words = append(words, fmt.Sprintf("spec.hosts[%d]: %s is already admitted by %s", i, host, other))
				break
			}
		}
	}
	for i, path := range c.Spec.AllowedPaths {
		for _, other := range c.Spec.AllowedPaths {
			if parent, all := strings.CutSuffix(string(other), "*"); all && path != other && strings.HasPrefix(string(path), parent) {
				words = append(words, fmt.Sprintf("spec.allowedPaths[%d]: %s is already admitted by %s", i, path, other))
				break
			}
		}
	}
	return words
}
