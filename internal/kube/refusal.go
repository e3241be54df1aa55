package kube

import (
	"net/http"
	"regexp"
	"sync"
)

// form is a regular expression that is made when it is first needed.
func form(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Parts of what an API server says that may be told.
const (
	name = `[a-z0-9](?:[-a-z0-9.:]{0,251}[a-z0-9])?`
	user = `[A-Za-z0-9][A-Za-z0-9@._:+/-]{0,252}`
)

var (
	rbac       = form(`User "([^"]*)" cannot (get|list|watch|create|update|patch|delete) (?:resource|path) "`)
	account    = form(`^` + user + `$`)
	escalating = form(`user "(` + user + `)" \(groups=\[[^\]]*\]\) is attempting to grant RBAC permissions not currently held`)
	policy     = form(`(ValidatingAdmissionPolicy|MutatingAdmissionPolicy) '(` + name + `)' with binding '(` + name + `)' denied request`)
	webhook    = form(`admission webhook "(` + name + `)" denied the request`)
	silent     = form(`failed calling webhook "(` + name + `)"`)
	service    = form(`failed to call webhook: Post "https://([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\.([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\.svc(?::[0-9]{1,5})?[/"]`)
	quota      = form(`exceeded quota: (` + name + `),`)
	lacking    = form(`failed quota: (` + name + `): must specify `)
	limit      = form(`(minimum|maximum) (cpu|memory|storage|ephemeral-storage) usage per (Container|Pod|PersistentVolumeClaim) is ([0-9]{1,19}(?:\.[0-9]{1,9})?[A-Za-z]{0,2})(?:[^A-Za-z0-9]|$)`)
	ratio      = form(`(cpu|memory|ephemeral-storage) max limit to request ratio per (Container|Pod) is ([0-9]{1,19}(?:\.[0-9]{1,9})?)`)
	level      = form(`violates? PodSecurity "(privileged|baseline|restricted):(latest|v1\.[0-9]{1,3})"`)
	deprecated = form(`^((?:[a-z0-9.-]{1,60}/)?v[0-9][0-9a-z]{0,10}) ([A-Z][A-Za-z]{0,60}) is deprecated in v1\.([0-9]{1,3})\+`)
	fieldForm  = form(`^[A-Za-z][A-Za-z0-9_.\[\]-]{0,200}$`)
	causeForm  = form(`^[A-Z][A-Za-z]{0,40}$`)
	git        = form(`^v\d+\.\d+\.\d+([+-][0-9A-Za-z.+-]{1,60})?$`)
)

// denied is RBAC's refusal in its usual form, made of the request: the server's
// is the name of the account alone, and the verb where it is one of a few.
func (r request) denied(message string, h *hidden) string {
	said := rbac().FindStringSubmatch(message)
	if said == nil {
		return ""
	}
	out := "this account cannot " + said[2]
	if account().MatchString(said[1]) && !h.in(said[1]) {
		out = `User "` + said[1] + `" cannot ` + said[2]
	}
	if r.resource == "" {
		return out + ` path "` + r.path + `"`
	}
	resource := r.resource
	if r.sub != "" {
		resource += "/" + r.sub
	}
	out += ` resource "` + resource + `" in API group "` + r.group + `"`
	if r.namespace != "" {
		return out + ` in the namespace "` + r.namespace + `"`
	}
	return out + " at the cluster scope"
}

// ruled is which rule of the cluster refused, by its name.
func ruled(message string, h *hidden) string {
	for _, known := range []struct {
		form *regexp.Regexp
		told func(m []string) string
	}{
		{policy(), func(m []string) string { return m[1] + " '" + m[2] + "' with binding '" + m[3] + "' denied request" }},
		{webhook(), func(m []string) string { return `admission webhook "` + m[1] + `" denied the request` }},
		{quota(), func(m []string) string { return "exceeded quota: " + m[1] + ", which holds no more" }},
		{lacking(), func(m []string) string {
			return "failed quota: " + m[1] + ", which takes no pod without the requests or limits that it counts"
		}},
		{limit(), func(m []string) string {
			return "a LimitRange: " + m[1] + " " + m[2] + " per " + m[3] + " is " + m[4]
		}},
		{ratio(), func(m []string) string {
			return "a LimitRange: " + m[1] + " max limit to request ratio per " + m[2] + " is " + m[3]
		}},
		{level(), func(m []string) string { return `violates PodSecurity "` + m[1] + ":" + m[2] + `"` }},
		{escalating(), func(m []string) string {
			return `user "` + m[1] + `" (groups left out) is attempting to grant RBAC permissions not currently held`
		}},
	} {
		if m := known.form.FindStringSubmatch(message); m != nil && !h.in(m[1:]...) {
			return known.told(m)
		}
	}
	return ""
}

// uncalled is which webhook of admission gave no answer, and its Service where it
// has one: no rule refused anything, and nobody was asked.
func uncalled(message string, h *hidden) string {
	m := silent().FindStringSubmatch(message)
	if m == nil || h.in(m[1]) {
		return ""
	}
	if to := service().FindStringSubmatch(message); to != nil && !h.in(to[1:]...) {
		return `webhook "` + m[1] + `" of Service ` + to[2] + "/" + to[1] + " does not answer"
	}
	return `webhook "` + m[1] + `" does not answer`
}

// Warned is what an API server warns of, as far as it has a known form.
func Warned(text string) string {
	if m := deprecated().FindStringSubmatch(text); m != nil {
		return m[1] + " " + m[2] + " is deprecated in v1." + m[3] + "+"
	}
	if m := level().FindStringSubmatch(text); m != nil {
		return `would violate PodSecurity "` + m[1] + ":" + m[2] + `"`
	}
	return "it warns in words of its own, which are left out"
}

// Version is a server's version as it may be told, empty for what has not the
// form of one or holds a secret that the client knows.
func Version(client *http.Client, text string) string {
	if b, ok := client.Transport.(*bounded); !git().MatchString(text) || ok && b.hidden.in(text) {
		return ""
	}
	return text
}
