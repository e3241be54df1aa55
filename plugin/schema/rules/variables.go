package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/overrides"
)

// variables are from Secrets alone, each name once, and none that kora sets
// itself (R22, R23).
func (j *judge) variables(service string) {
	seen := map[string]bool{}
	for i, item := range items(j.tree.Get(service, "extraEnv")) {
		if item.Kind != source.Mapping {
			continue
		}
		at := fields.Path(service).Child("extraEnv").Index(i)
		j.fromSecret(service, item, at)
		if n := item.Get("name"); n != nil && n.Kind == source.Scalar && n.Value != "" {
			j.variable(service, n, at.Child("name"), seen[n.Value])
			seen[n.Value] = true
		}
	}
}

// variable judges the name of one.
func (j *judge) variable(service string, n *source.Node, at fields.Path, again bool) {
	f := n.Pos.Fault(faults.BadValue, "")
	switch {
	case slices.Contains(Variables(service), n.Value):
		f.Message, f.Fix = fmt.Sprintf("%q is set by kora in this service", n.Value), "use another name, or remove the entry: kora gives it its value"
	case again:
		f.Message, f.Fix = fmt.Sprintf("%q stands in the list twice", n.Value), "remove one of the two"
	case strings.HasPrefix(n.Value, overridePrefix):
		f = n.Pos.Fault(faults.EnvOverride, fmt.Sprintf("the variable %s is not read any more", overrides.Shown(n.Value)))
		f.Fix = "turn it into a patch: kora patches migrate-env"
	default:
		return
	}
	f.Field, f.Found, f.Expected = string(at), n.Value, "each name once, and none of kora's own"
	j.refuse(f)
}

const overridePrefix = "KORA_MANIFEST__"

// Variables are those that kora itself sets in the container of a service: of its
// pod, of its memory, and from the platform's Secrets, as kora.services of the chart
// has them.
func Variables(service string) []string {
	return append([]string{"POD_NAME", "POD_NAMESPACE"}, map[string][]string{
		"agents":           {"DB_PASSWORD", "REDIS_PASSWORD"},
		"frontend":         {"BFF_SESSION_SECRET", "REDIS_PASSWORD"},
		"identityService":  {"DB_PASSWORD", "KORA_TOKEN_SIGNING_KEY", "REDIS_PASSWORD"},
		"inferenceService": {"REDIS_PASSWORD"},
		"mcpService":       {"REDIS_PASSWORD"},
		"operator":         {"KORA_MEMORY_LIMIT"},
		"policyService":    {"DB_PASSWORD"},
		"triggersService":  {"DB_PASSWORD", "KORA_TRIGGERS_ENCRYPTION_KEY"},
	}[service]...)
}

// fromSecret refuses a variable with another source than a Secret. Its value, most
// likely a secret, is hidden with all others, by values.Tree.Hushed.
func (j *judge) fromSecret(service string, item *source.Node, at fields.Path) {
	from, name := item.Get("valueFrom"), ""
	if n := item.Get("name"); n != nil {
		name = n.Value
	}
	f := item.Pos.Fault(faults.SecretsOnly, "")
	switch secret := from.Get("secretKeyRef"); {
	case secret.Get("name").Null() || secret.Get("name").Value == "":
		f.Message = fmt.Sprintf("%.80q has no valueFrom.secretKeyRef, and extraEnv is for secrets only", name)
		f.Fix = "settings belong into " + service + ".configOverrides"
	case item.Get("value") != nil || len(from.Fields) != 1:
		f.Message = fmt.Sprintf("%.80q has another source than valueFrom.secretKeyRef, and extraEnv is for secrets only", name)
		f.Fix = "remove the other source"
	default:
		return
	}
	f.Field, f.Expected = string(at), "valueFrom.secretKeyRef with name and key"
	j.refuse(f)
}
