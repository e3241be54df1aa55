package preflight

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/runkora/kora/operator/preflight"
)

// digest is one of everything that would be installed: what the API server said
// to other objects tells nothing of these.
func digest(all []*unstructured.Unstructured) string {
	sum := sha256.New()
	out := json.NewEncoder(sum)
	for _, o := range all {
		if out.Encode(o.Object) != nil {
			return ""
		}
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// pods are those that the objects make, by the labels of their templates.
func pods(all []*unstructured.Unstructured, tenant bool) []preflight.Pod {
	var out []preflight.Pod
	for _, o := range all {
		at := []string{"spec", "template", "metadata", "labels"}
		switch o.GetKind() {
		case "Pod":
			at = at[2:]
		case "CronJob":
			at = append([]string{"spec", "jobTemplate"}, at...)
		}
		if labels, there, err := unstructured.NestedStringMap(o.Object, at...); there && err == nil {
			out = append(out, preflight.Pod{Name: o.GetKind() + " " + o.GetName(), Namespace: o.GetNamespace(), Tenant: tenant, Labels: labels})
		}
	}
	return out
}

// claims are all that the objects claim of storage: claims, templates of claims,
// and those of ephemeral volumes, as patches left them.
func claims(all []*unstructured.Unstructured) []preflight.Claim {
	var out []preflight.Claim
	for _, o := range all {
		title := o.GetKind() + " " + o.GetName()
		if o.GetKind() == "PersistentVolumeClaim" {
			out = append(out, claimOf(title, o.Object))
			continue
		}
		out = append(out, within(title, o.Object)...)
	}
	return out
}

func within(title string, tree any) []preflight.Claim {
	var out []preflight.Claim
	switch t := tree.(type) {
	case map[string]any:
		for key, value := range t {
			switch of := value.(type) {
			case map[string]any:
				if key == "volumeClaimTemplate" {
					out = append(out, claimOf(title, of))
					continue
				}
			case []any:
				if key == "volumeClaimTemplates" {
					for _, one := range of {
						if m, ok := one.(map[string]any); ok {
							out = append(out, claimOf(title, m))
						}
					}
					continue
				}
			}
			out = append(out, within(title, value)...)
		}
	case []any:
		for _, item := range t {
			out = append(out, within(title, item)...)
		}
	}
	return out
}

// claimOf is a claim by its class. An annotation that says it counts before the field,
// as it does to Kubernetes.
func claimOf(title string, claim map[string]any) preflight.Claim {
	out := preflight.Claim{Object: title}
	if class, there, err := unstructured.NestedString(claim, "metadata", "annotations", corev1.BetaStorageClassAnnotation); there && err == nil {
		out.Class, out.Field = &class, "metadata.annotations."+strconv.Quote(corev1.BetaStorageClassAnnotation)
		return out
	}
	if class, there, err := unstructured.NestedString(claim, "spec", "storageClassName"); there && err == nil {
		out.Class = &class
	}
	return out
}

// flags are kora's own that give the values, the facts over them, and the namespace.
func (s Source) flags() []string {
	var out []string
	for _, f := range s.Values.Files {
		out = append(out, "-f", f)
	}
	for _, n := range s.Values.More {
		out = append(out, "-e", n.Pos.File.Name)
	}
	for _, f := range s.Values.Flags {
		out = append(out, f.Kind.String(), f.Text)
	}
	return append(out, "--namespace", s.Namespace)
}

// place are kubectl's flags that say which cluster, and as whom but for a token.
func (s Source) place() []string {
	var out []string
	if file := s.kubeconfig(); file != "" {
		out = append(out, "--kubeconfig", file)
	}
	if name := cmp.Or(s.Place.Context, s.Place.Given.Context); name != "" {
		out = append(out, "--context", name)
	}
	return append(out, s.Place.Given.Flags()...)
}
