package upgrade

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// standard are the defaults of agents.workspace in the chart.
func standard() map[string]any {
	return map[string]any{"storageClassName": "", "accessModes": []any{"ReadWriteOnce"}, "size": "10Gi"}
}

// claims are what volumeClaimTemplates are made of: the settings of the
// workspace, and patches of claims.
func (p *Plan) claims(current, target Values) faults.List {
	var found faults.List
	for _, key := range []string{"accessModes", "size", "storageClassName"} {
		old, _ := current.at("agents", "workspace", key)
		new, at := target.at("agents", "workspace", key)
		if a, b := setting(key, old), setting(key, new); a != b {
			f := at.Fault(faults.ClaimsMove, "the claims of agents that are there cannot change")
			f.Field, f.Found, f.Expected = "agents.workspace."+key, shown(or(new, key)), shown(or(old, key))
			found = append(found, f)
		}
	}
	old, _ := current.at("agents", "manifestPatches")
	new, at := target.at("agents", "manifestPatches")
	if ofClaims(old) != ofClaims(new) {
		f := at.Fault(faults.ClaimsMove, "a patch of the claims of agents would change")
		f.Field = "agents.manifestPatches"
		found = append(found, f)
	}
	if len(found) == 0 {
		p.check(claimsStay, "agents.workspace and the patches of PersistentVolumeClaims are equal", true)
	}
	return found
}

func or(v any, key string) any {
	if v == nil {
		return standard()[key]
	}
	return v
}

// setting is a value of agents.workspace in the one form that is compared.
func setting(key string, v any) string {
	if key == "size" {
		return text(amount(or(v, key)))
	}
	return text(or(v, key))
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// ofClaims is the part of the patches that reaches claims or their templates, in the
// order in which they apply and in the one form that is compared: their names do not
// count.
func ofClaims(patches any) string {
	all, _ := patches.(map[string]any)
	var claims []any
	for _, key := range slices.Sorted(maps.Keys(all)) {
		entry, _ := all[key].(map[string]any)
		target, _ := entry["target"].(map[string]any)
		kind, _ := target["kind"].(string)
		patch, _ := entry["patch"].(string)
		if reaches(kind, "PersistentVolumeClaim") || reaches(kind, "StatefulSet") && strings.Contains(patch, "volumeClaimTemplates") {
			claims = append(claims, readEntry(entry))
		}
	}
	return text(claims)
}

// reaches is true where a target's kind, an anchored expression, is that of a
// kind; one that is none is compared, to be safe: the chart refuses it.
func reaches(expression, kind string) bool {
	e, err := regexp.Compile("^(?:" + expression + ")$")
	return err != nil || strings.EqualFold(expression, kind) || e.MatchString(kind)
}
