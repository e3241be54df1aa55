package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// running are the values that run: those of the cluster count for more.
func (r Request) running() Values {
	if runs, ok := r.deployed(); ok {
		return Values{{Plain: runs.Values}}
	}
	return r.Current
}

// values checks what may not change (R56). The facts lie over the target's files;
// without files they say the trust domain alone.
func (p *Plan) values(current, files, facts Values, missing string) faults.List {
	target := append(slices.Clone(files), facts...)
	found := target.misshapen()
	if current == nil || target == nil {
		p.check(domainStays, "not checked: "+missing, false)
		p.check(claimsStay, "not checked, for the same reason", false)
		return found
	}
	found = append(found, p.trustDomain(current, target)...)
	if files == nil {
		p.check(claimsStay, "not checked: "+missing, false)
		return found
	}
	return append(found, p.claims(current, target)...)
}

const (
	domainStays = "global.trustDomain stays"
	claimsStay  = "the claims of agents stay"
)

func (p *Plan) trustDomain(current, target Values) faults.List {
	old, _ := current.at("global", "trustDomain")
	new, at := target.at("global", "trustDomain")
	switch {
	case empty(old):
		p.check(domainStays, "not checked: the values that run have none, so something else sets it", false)
	case text(old) != text(new):
		f := at.Fault(faults.TrustDomainMove, "the trust domain would change, and every identity with it")
		f.Field, f.Found, f.Expected = "global.trustDomain", shown(new), shown(old)
		if empty(new) {
			f.Message, f.Found = "the trust domain would be taken away, and every identity with it", "none"
		}
		return faults.List{f}
	default:
		p.check(domainStays, shown(new), true)
	}
	return nil
}

func empty(v any) bool { return v == nil || v == "" }

// shown is a value as a fault or a plan repeats it: texts and numbers, also in a
// list. A map has no place in the keys that are looked at, and may hold anything.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		return kind(v)
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = shown(v[i])
		}
		return "[" + strings.Join(words, " ") + "]"
	}
	return fmt.Sprint(v)
}

// kind is what a value is, for one that is not shown.
func kind(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("the text %.80q", v)
	}
	return fmt.Sprint(v)
}

func joined(path []string) string { return strings.Join(path, ".") }
