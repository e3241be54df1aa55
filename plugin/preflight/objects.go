package preflight

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/render"
)

// placements are where the two kinds of agent pods may run, patches included.
func placements(p *render.Preview) []preflight.Placement {
	var out []preflight.Placement
	for _, o := range p.Objects {
		switch typed := o.Typed.(type) {
		case *appsv1.StatefulSet:
			out = append(out, preflight.Placement{Name: "session-manager", Spec: typed.Spec.Template.Spec})
		case *corev1.Pod:
			out = append(out, preflight.Placement{Name: "sandbox", Spec: typed.Spec})
		}
	}
	return out
}

// releaseObjects are what an install makes; what only helm test runs is no part
// of it.
func releaseObjects(r *release.Result) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, o := range r.Objects {
		if o.Test {
			continue
		}
		plain := map[string]any{}
		if yaml.Unmarshal([]byte(o.Text), &plain) == nil && len(plain) > 0 {
			out = append(out, &unstructured.Unstructured{Object: plain})
		}
	}
	return out
}

func agentObjects(p *render.Preview) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, o := range p.Objects {
		out = append(out, &unstructured.Unstructured{Object: o.Plain})
	}
	return out
}
