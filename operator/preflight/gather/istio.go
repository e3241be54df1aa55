package gather

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight/facts"
)

// revisions are read from the pods that run, not from what anybody labelled:
// in the midst of an upgrade two versions of one revision may.
func (r *reader) revisions(ctx context.Context) facts.Part[[]facts.Revision] {
	pods, err := r.typed.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{LabelSelector: "app=istiod"})
	if err != nil {
		return unread[[]facts.Revision](err)
	}
	byKey := map[string]*facts.Revision{}
	for i := range pods.Items {
		p := &pods.Items[i]
		if p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		key := p.Namespace + "/" + revisionOf(p)
		if byKey[key] == nil {
			byKey[key] = &facts.Revision{Name: revisionOf(p), Namespace: p.Namespace}
		}
		one := byKey[key]
		one.Versions = append(one.Versions, istioVersion(p))
		if podReady(p) {
			one.Ready++
		}
	}
	out := []facts.Revision{}
	for _, one := range byKey {
		slices.Sort(one.Versions)
		one.Versions = slices.Compact(one.Versions)
		one.TrustDomain, one.CNI = r.mesh(ctx, one)
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b facts.Revision) int { return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name) })
	return facts.Known(out)
}

func revisionOf(p *corev1.Pod) string {
	if name := p.Labels["istio.io/rev"]; name != "" {
		return name
	}
	return "default"
}

// istioVersion is the tag of the pod's image without its variant, else what its
// labels say; empty when neither tells.
func istioVersion(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if c.Name == "discovery" {
			if v := versionOfTag(tagOf(c.Image)); v != "" {
				return v
			}
		}
	}
	return versionOfTag(p.Labels["app.kubernetes.io/version"])
}

// tagOf is an image reference's tag; a digest is none.
func tagOf(image string) string {
	name, _, _ := strings.Cut(image, "@")
	base := name[strings.LastIndex(name, "/")+1:]
	_, tag, _ := strings.Cut(base, ":")
	return tag
}

// versionOfTag reads 1.31.1 of "1.31.1-distroless" and "v1.31.1"; empty for
// what does not begin with a version.
func versionOfTag(tag string) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(tag, "v"), "-")
	major, rest, ok := strings.Cut(text, ".")
	if !ok || major == "" || rest == "" || strings.Trim(major+strings.ReplaceAll(rest, ".", ""), "0123456789") != "" {
		return ""
	}
	return text
}

func podReady(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue && p.DeletionTimestamp == nil
		}
	}
	return false
}

// mesh reads the two ConfigMaps of a revision.
func (r *reader) mesh(ctx context.Context, one *facts.Revision) (facts.Part[string], facts.Part[bool]) {
	suffix := ""
	if one.Name != "default" {
		suffix = "-" + one.Name
	}
	return r.trustDomain(ctx, one.Namespace, "istio"+suffix), r.cni(ctx, one.Namespace, "istio-sidecar-injector"+suffix)
}

func (r *reader) trustDomain(ctx context.Context, namespace, name string) facts.Part[string] {
	config, err := r.typed.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return unread[string](err)
	}
	var mesh struct {
		TrustDomain string `json:"trustDomain"`
	}
	if err := yaml.Unmarshal([]byte(config.Data["mesh"]), &mesh); err != nil {
		return facts.Unknown[string]("the key mesh of ConfigMap " + namespace + "/" + name + " is not YAML")
	}
	return facts.Known(mesh.TrustDomain)
}

func (r *reader) cni(ctx context.Context, namespace, name string) facts.Part[bool] {
	config, err := r.typed.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return unread[bool](err)
	}
	var values struct {
		Pilot struct {
			CNI struct {
				Enabled bool `json:"enabled"`
			} `json:"cni"`
		} `json:"pilot"`
	}
	if err := json.Unmarshal([]byte(config.Data["values"]), &values); err != nil {
		return facts.Unknown[bool]("the key values of ConfigMap " + namespace + "/" + name + " is not JSON")
	}
	return facts.Known(values.Pilot.CNI.Enabled)
}

// tags are Istio's stable names for a revision.
func (r *reader) tags(ctx context.Context) facts.Part[map[string]string] {
	list, err := r.typed.AdmissionregistrationV1().MutatingWebhookConfigurations().List(ctx, metav1.ListOptions{LabelSelector: "istio.io/tag"})
	if err != nil {
		return unread[map[string]string](err)
	}
	out := map[string]string{}
	for _, w := range list.Items {
		if revision := w.Labels["istio.io/rev"]; revision != "" {
			out[w.Labels["istio.io/tag"]] = revision
		}
	}
	return facts.Known(out)
}
