package preflight

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/render"
)

// placements are where the two kinds of agent pods may run, patches included; of other
// agent types those that are placed in another way.
func placements(p *render.Preview, others []*render.Preview) []preflight.Placement {
	out := placementsOf(p, "")
	for _, other := range others {
		for i, one := range placementsOf(other, " of the agent type "+other.Type()) {
			if i >= len(out) || !alike(out[i].Spec, one.Spec) {
				out = append(out, one)
			}
		}
	}
	return out
}

func placementsOf(p *render.Preview, whose string) []preflight.Placement {
	var out []preflight.Placement
	for _, o := range p.Objects {
		switch typed := o.Typed.(type) {
		case *appsv1.StatefulSet:
			out = append(out, preflight.Placement{Name: "session-manager" + whose, Spec: typed.Spec.Template.Spec})
		case *corev1.Pod:
			out = append(out, preflight.Placement{Name: "sandbox" + whose, Spec: typed.Spec})
		}
	}
	return out
}

// alike reports whether two pods are placed alike.
func alike(a, b corev1.PodSpec) bool {
	of := func(s corev1.PodSpec) corev1.PodSpec {
		return corev1.PodSpec{NodeSelector: s.NodeSelector, Affinity: s.Affinity, Tolerations: s.Tolerations, RuntimeClassName: s.RuntimeClassName}
	}
	return equality.Semantic.DeepEqual(of(a), of(b))
}

func anyRefused(all []*render.Preview) bool {
	return slices.ContainsFunc(all, func(p *render.Preview) bool { return p.Found.Refused() })
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

func agentObjects(all []*render.Preview) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, p := range all {
		for _, o := range p.Objects {
			out = append(out, &unstructured.Unstructured{Object: o.Plain})
		}
	}
	return out
}
