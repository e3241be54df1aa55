package upgrade

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Values are those of a release, in layers: a later one wins, as Helm's files do.
type Values []Layer

// Layer is one values file, or what a cluster has.
type Layer struct {
	// Plain is the content.
	Plain map[string]any
	// Node is where it stands, nil for what comes from a cluster.
	Node *source.Node
}

// LayerOf is the layer of a file's document.
func LayerOf(n *source.Node) Layer {
	plain, _ := n.Any().(map[string]any)
	return Layer{plain, n}
}

// at is the value of a path, and its place where it has one.
func (v Values) at(path ...string) (any, source.Pos) {
	for i := len(v) - 1; i >= 0; i-- {
		var value any = v[i].Plain
		node := v[i].Node
		for _, key := range path {
			m, _ := value.(map[string]any)
			value, node = m[key], node.Get(key)
		}
		if value != nil {
			if node != nil {
				return value, node.Pos
			}
			return value, source.Pos{}
		}
	}
	return nil, source.Pos{}
}

// standard are the defaults of agents.workspace in the chart.
func standard() map[string]string {
	return map[string]string{"storageClassName": `""`, "accessModes": `["ReadWriteOnce"]`, "size": `"10Gi"`}
}

// values checks what may not change (R56).
func (p *Plan) values(r Request) faults.List {
	current := r.Current
	if r.Live != nil && len(r.Live.Kora) > 0 {
		current = Values{{Plain: r.Live.Kora[len(r.Live.Kora)-1].Values}}
	}
	if current == nil || r.Target == nil {
		p.check("global.trustDomain stays", "not checked: it needs the values that run (--current or --kubeconfig) and the new ones (-f)", false)
		p.check("the claims of agents stay", "not checked, for the same reason", false)
		return nil
	}
	return append(p.trustDomain(current, r.Target), p.claims(current, r.Target)...)
}

func (p *Plan) trustDomain(current, target Values) faults.List {
	const rule = "global.trustDomain stays"
	old, _ := current.at("global", "trustDomain")
	new, at := target.at("global", "trustDomain")
	switch {
	case old == nil || new == nil:
		p.check(rule, "not checked: it is not in both sets of values, so something else sets it", false)
	case old != new:
		f := at.Fault(faults.TrustDomainMove, "the trust domain would change, and every identity with it")
		f.Field, f.Found, f.Expected = "global.trustDomain", fmt.Sprint(new), fmt.Sprint(old)
		return faults.List{f}
	default:
		p.check(rule, fmt.Sprint(new), true)
	}
	return nil
}

// claims are what volumeClaimTemplates are made of: the settings of the
// workspace, and patches of claims.
func (p *Plan) claims(current, target Values) faults.List {
	var found faults.List
	for _, key := range []string{"accessModes", "size", "storageClassName"} {
		old, _ := current.at("agents", "workspace", key)
		new, at := target.at("agents", "workspace", key)
		if a, b := text(old, standard()[key]), text(new, standard()[key]); a != b {
			f := at.Fault(faults.ClaimsMove, "the claims of agents that are there cannot change")
			f.Field, f.Found, f.Expected = "agents.workspace."+key, b, a
			found = append(found, f)
		}
	}
	old, _ := current.at("agents", "manifestPatches")
	new, at := target.at("agents", "manifestPatches")
	if a, b := ofClaims(old), ofClaims(new); a != b {
		f := at.Fault(faults.ClaimsMove, "a patch of the claims of agents would change")
		f.Field = "agents.manifestPatches"
		found = append(found, f)
	}
	if len(found) == 0 {
		p.check("the claims of agents stay", "agents.workspace and the patches of PersistentVolumeClaims are equal", true)
	}
	return found
}

func text(v any, standard string) string {
	if v == nil {
		return standard
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// ofClaims is the part of the patches whose target is the claim.
func ofClaims(patches any) string {
	all, _ := patches.(map[string]any)
	claims := map[string]any{}
	for key, entry := range all {
		e, _ := entry.(map[string]any)
		target, _ := e["target"].(map[string]any)
		if kind, _ := target["kind"].(string); strings.EqualFold(kind, "PersistentVolumeClaim") {
			claims[key] = entry
		}
	}
	return text(claims, "")
}
