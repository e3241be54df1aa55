package overrides

import (
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
)

// kind is one kind of object that patches may target, and the object that kora
// builds of it: where a variable names an item by its place, that decides.
type kind struct {
	name, version string // StatefulSet, apps/v1
	t             *fields.Type
	built         map[string]any
}

// kinds are those that kora builds (A: "What you can patch").
func kinds(version string) []kind {
	set, _ := patches.Compile(nil)
	result, _ := set.Render(settings(version, sampleSlug))
	if result == nil {
		return nil
	}
	var out []kind
	for _, o := range result.Objects {
		api, _ := o.Plain["apiVersion"].(string)
		out = append(out, kind{o.Kind, api, o.Type, o.Plain})
	}
	return out
}

// sampleSlug stands for an agent type where a variable names none.
const sampleSlug = "sample"

// settings are an install's that sets nothing.
func settings(version, slug string) agents.Settings {
	s := agents.Defaults(version)
	s.Slug, s.TypeID, s.Namespace = slug, agents.DefaultTypeID(slug), "tenant-example"
	return s
}

// short are kubectl's names.
func short(word string) string {
	switch word {
	case "sts":
		return "StatefulSet"
	case "svc":
		return "Service"
	case "sa":
		return "ServiceAccount"
	case "pvc":
		return "PersistentVolumeClaim"
	case "hpa":
		return "HorizontalPodAutoscaler"
	case "pdb":
		return "PodDisruptionBudget"
	case "po":
		return "Pod"
	}
	return word
}

// findKind reads the kind in a variable's name, without regard to case.
func findKind(word string, all []kind) (*kind, *refusal) {
	name := short(folded(word))
	names := make([]string, len(all))
	for i := range all {
		if folded(all[i].name) == folded(name) {
			return &all[i], nil
		}
		names[i] = all[i].name
	}
	r := refuse("kora provisions no %q that could be patched", shown(word)).expecting("one of " + strings.Join(names, ", "))
	if near := fields.Nearest(word, names); near != "" {
		r.fixed("did you mean %s?", near)
	}
	return nil, r
}

// folded makes NODE_SELECTOR and nodeSelector the same.
func folded(word string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(word))
}
