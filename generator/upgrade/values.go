package upgrade

import (
	"fmt"
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

// values checks what may not change (R56).
func (p *Plan) values(current, target Values, missing string) faults.List {
	if current == nil || target == nil {
		p.check("global.trustDomain stays", "not checked: "+missing, false)
		p.check("the claims of agents stay", "not checked, for the same reason", false)
		return nil
	}
	return append(p.trustDomain(current, target), p.claims(current, target)...)
}

func (p *Plan) trustDomain(current, target Values) faults.List {
	const rule = "global.trustDomain stays"
	old, _ := current.at("global", "trustDomain")
	new, at := target.at("global", "trustDomain")
	switch {
	case empty(old):
		p.check(rule, "not checked: the values that run have none, so something else sets it", false)
	case text(old) != text(new):
		f := at.Fault(faults.TrustDomainMove, "the trust domain would change, and every identity with it")
		f.Field, f.Found, f.Expected = "global.trustDomain", shown(new), shown(old)
		if empty(new) {
			f.Message, f.Found = "the trust domain would be taken away, and every identity with it", "none"
		}
		return faults.List{f}
	default:
		p.check(rule, shown(new), true)
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
		return "a map"
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = shown(v[i])
		}
		return "[" + strings.Join(words, " ") + "]"
	}
	return fmt.Sprint(v)
}
