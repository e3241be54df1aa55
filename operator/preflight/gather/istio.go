package gather

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight/facts"
)

// istio reads its control planes and their tags. Revisions are read from the pods
// that run, not from what anybody labelled: in the midst of an upgrade two
// versions of one revision may. A pod elsewhere than where the cluster sends pods
// to be injected is nobody's control plane, whatever its labels say.
func (r *reader) istio(ctx context.Context) (facts.Part[[]facts.Revision], facts.Part[map[string]string]) {
	tags, trusted := r.injectors(ctx)
	byKey := map[string]*facts.Revision{}
	err := r.eachPod(ctx, metav1.NamespaceAll, "app=istiod", func(p *corev1.Pod) error {
		switch {
		case p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed:
		case !trusted[p.Namespace]:
			r.stranger("istio", "Namespace "+p.Namespace, "pods in it have the label app=istiod, and no webhook of injection leads there")
		default:
			return r.count(byKey, p)
		}
		return nil
	})
	if err != nil {
		return unread[[]facts.Revision](err), tags
	}
	out := []facts.Revision{}
	for _, one := range byKey {
		slices.Sort(one.Versions)
		one.Versions = slices.Compact(one.Versions)
		one.TrustDomain, one.CNI = r.mesh(ctx, one)
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b facts.Revision) int { return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name) })
	return facts.Known(out), tags
}

func (r *reader) count(byKey map[string]*facts.Revision, p *corev1.Pod) error {
	key := p.Namespace + "/" + revisionOf(p)
	if byKey[key] == nil {
		byKey[key] = &facts.Revision{Name: r.once(revisionOf(p)), Namespace: r.once(p.Namespace)}
	}
	one, kept := byKey[key], 0
	if len(one.Versions) == 0 {
		kept = len(key) + perItem
	}
	if v := istioVersion(p); !slices.Contains(one.Versions, v) {
		one.Versions, kept = append(one.Versions, v), kept+len(v)+perText
	}
	if podReady(p) {
		one.Ready++
	}
	return r.kept.Keep(kept)
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

// injectors reads Istio's webhooks of injection: the tags, which are stable names
// for a revision, and the namespaces that pods are sent to. Only who rules the
// cluster writes such a webhook. Istio's own namespace is trusted without.
func (r *reader) injectors(ctx context.Context) (facts.Part[map[string]string], map[string]bool) {
	tags, trusted := map[string]string{}, map[string]bool{istioNamespace: true}
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.AdmissionregistrationV1().MutatingWebhookConfigurations().List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{LabelSelector: "istio.io/rev"}, list, func(o runtime.Object) error {
		w := o.(*admissionv1.MutatingWebhookConfiguration)
		if tag := w.Labels["istio.io/tag"]; tag != "" && w.Labels["istio.io/rev"] != "" {
			tags[tag] = w.Labels["istio.io/rev"]
			if err := r.kept.Keep(len(tag) + len(tags[tag]) + perItem); err != nil {
				return err
			}
		}
		for _, hook := range w.Webhooks {
			if to := hook.ClientConfig.Service; to != nil && strings.HasSuffix(hook.Name, "sidecar-injector.istio.io") && !trusted[to.Namespace] {
				trusted[r.once(to.Namespace)] = true
				if err := r.kept.Keep(len(to.Namespace) + perItem); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return unread[map[string]string](err), trusted
	}
	return facts.Known(tags), trusted
}

const istioNamespace = "istio-system"
