package gather

import (
	"cmp"
	"context"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/operator/preflight/facts"
)

// injectors reads Istio's webhooks of injection, and the tags, which are stable
// names for a revision. Only who rules the cluster writes such a webhook: where one
// leads, Istio's control plane is. Istio's own namespace is trusted without.
func (r *reader) injectors(ctx context.Context) (facts.Part[map[string]string], facts.Part[[]facts.Injector]) {
	tags, out := map[string]string{}, []facts.Injector{}
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.AdmissionregistrationV1().MutatingWebhookConfigurations().List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{LabelSelector: labelRevision}, list, func(o runtime.Object) error {
		w := o.(*admissionv1.MutatingWebhookConfiguration)
		if tag := w.Labels[labelTag]; tag != "" && w.Labels[labelRevision] != "" {
			tags[tag] = w.Labels[labelRevision]
			if err := r.kept.Keep(len(tag) + len(tags[tag]) + perItem); err != nil {
				return err
			}
		}
		for i := range w.Webhooks {
			if !strings.HasSuffix(w.Webhooks[i].Name, "sidecar-injector.istio.io") {
				continue
			}
			one, size := r.injector(w, &w.Webhooks[i])
			out = append(out, one)
			if err := r.kept.Keep(size); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return unread[map[string]string](err), unread[[]facts.Injector](err)
	}
	return facts.Known(tags), facts.Known(out)
}

// injector is what is kept of one webhook, and how much that is.
func (r *reader) injector(w *admissionv1.MutatingWebhookConfiguration, hook *admissionv1.MutatingWebhook) (facts.Injector, int) {
	out := facts.Injector{
		Config: r.once(w.Name), Webhook: r.once(hook.Name), Revision: r.once(cmp.Or(w.Labels[labelRevision], "default")), Tag: r.once(w.Labels[labelTag]),
		Namespaces: hook.NamespaceSelector, Pods: hook.ObjectSelector,
	}
	if to := hook.ClientConfig.Service; to != nil {
		out.Namespace = r.once(to.Namespace)
	}
	size := len(out.Config) + len(out.Webhook) + len(out.Revision) + len(out.Tag) + len(out.Namespace) + perItem
	for _, s := range []*metav1.LabelSelector{out.Namespaces, out.Pods} {
		if s != nil {
			size += s.Size()
		}
	}
	return out, size
}

// The labels of Istio's for a revision, and for a stable name of one.
const (
	labelRevision = "istio.io/rev"
	labelTag      = "istio.io/tag"
)

const istioNamespace = "istio-system"
