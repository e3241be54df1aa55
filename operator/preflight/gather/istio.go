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

// istio reads its control planes, their tags and their webhooks. Revisions are read from the pods
// that run, not from what anybody labelled: in the midst of an upgrade two
// versions of one revision may. A pod elsewhere than where the cluster sends pods
// to be injected is nobody's control plane, whatever its labels say.
func (r *reader) istio(ctx context.Context) (facts.Part[[]facts.Revision], facts.Part[map[string]string], facts.Part[[]facts.Injector]) {
	tags, injectors := r.injectors(ctx)
	trusted := map[string]bool{istioNamespace: true}
	for _, one := range injectors.Value {
		trusted[one.Namespace] = true
	}
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
		return unread[[]facts.Revision](err), tags, injectors
	}
	out := []facts.Revision{}
	for _, one := range byKey {
		slices.Sort(one.Versions)
		one.Versions = slices.Compact(one.Versions)
		if err := r.mesh(ctx, one); err != nil {
			return unread[[]facts.Revision](err), tags, injectors
		}
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b facts.Revision) int { return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name) })
	return facts.Known(out), tags, injectors
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
	if name := p.Labels[labelRevision]; name != "" {
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

// versionOfTag reads 1.31.1 of "1.31.1-distroless" and "v1.31.1", and 1.31.0-rc.1 of
// "1.31.0-rc.1-debug"; empty for what does not begin with a version.
func versionOfTag(tag string) string {
	text, variant, _ := strings.Cut(strings.TrimPrefix(tag, "v"), "-")
	before, _, _ := strings.Cut(variant, "-")
	if stage, _, _ := strings.Cut(before, "."); stage == "alpha" || stage == "beta" || stage == "rc" {
		before = "-" + before
	} else {
		before = ""
	}
	major, rest, ok := strings.Cut(text, ".")
	if !ok || major == "" || rest == "" || strings.Trim(major+strings.ReplaceAll(rest, ".", ""), "0123456789") != "" {
		return ""
	}
	return text + before
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
func (r *reader) mesh(ctx context.Context, one *facts.Revision) error {
	suffix := ""
	if one.Name != "default" {
		suffix = "-" + one.Name
	}
	one.TrustDomain = r.trustDomain(ctx, one.Namespace, "istio"+suffix)
	config, err := r.typed.CoreV1().ConfigMaps(one.Namespace).Get(ctx, "istio-sidecar-injector"+suffix, metav1.GetOptions{})
	if err != nil {
		one.CNI, one.Injection = unread[bool](err), unread[*facts.Injection](err)
		return nil
	}
	one.CNI, one.Injection = cniOf(config), injectionOf(config)
	if i := one.Injection.Value; i != nil {
		return r.kept.Keep(sizeOf(i))
	}
	return nil
}

func sizeOf(i *facts.Injection) int {
	size := len(i.Policy) + perItem
	for _, s := range slices.Concat(i.Never, i.Always) {
		size += s.Size() + perItem
	}
	return size
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

func cniOf(config *corev1.ConfigMap) facts.Part[bool] {
	var values struct {
		Pilot struct {
			CNI struct {
				Enabled bool `json:"enabled"`
			} `json:"cni"`
		} `json:"pilot"`
	}
	if err := json.Unmarshal([]byte(config.Data["values"]), &values); err != nil {
		return facts.Unknown[bool]("the key values of ConfigMap " + config.Namespace + "/" + config.Name + " is not JSON")
	}
	return facts.Known(values.Pilot.CNI.Enabled)
}

// injectionOf reads which pods istiod injects, as it does itself.
func injectionOf(config *corev1.ConfigMap) facts.Part[*facts.Injection] {
	out := &facts.Injection{}
	if text, there := config.Data["config"]; !there || yaml.Unmarshal([]byte(text), out) != nil {
		return facts.Unknown[*facts.Injection]("the key config of ConfigMap " + config.Namespace + "/" + config.Name + " is not there, or says no rules of injection in YAML")
	}
	return facts.Known(out)
}
