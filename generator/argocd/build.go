package argocd

import (
	"strconv"
	"strings"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
)

// Names that Argo CD and its users know.
const (
	waveAnnotation = "argocd.argoproj.io/sync-wave"
	finalizer      = "resources-finalizer.argocd.argoproj.io"
	parentName     = "kora-platform"
	tenants        = "kora-tenants"
	valuesRef      = "values"
)

type builder struct {
	env   *environment.Environment
	facts *environment.Renderer
	graph *releases.Graph
}

// app is what every Application has in common.
func (b builder) app(name, namespace string) *argo.Application {
	a := b.env.ArgoCD
	return &argo.Application{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "Application"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: a.Namespace, Finalizers: []string{finalizer}},
		Spec: argo.ApplicationSpec{
			Project:     a.Project,
			Destination: argo.ApplicationDestination{Server: a.Destination, Namespace: namespace},
			SyncPolicy:  &argo.SyncPolicy{Automated: b.automated(true), Retry: b.retry(), SyncOptions: a.SyncOptions},
		},
	}
}

func (b builder) automated(prune bool) *argo.SyncPolicyAutomated {
	if !b.env.ArgoCD.Automated {
		return nil
	}
	return &argo.SyncPolicyAutomated{Prune: prune, SelfHeal: b.env.ArgoCD.SelfHeal}
}

func (b builder) retry() *argo.RetryStrategy {
	r, two := b.env.ArgoCD.Retry, int64(2)
	return &argo.RetryStrategy{Limit: r.Limit, Backoff: &argo.Backoff{Duration: r.Duration, Factor: &two, MaxDuration: r.MaxDuration}}
}

// parent holds the children. It must not use server-side apply (R41).
func (b builder) parent() *argo.Application {
	app := b.app(parentName, b.env.ArgoCD.Namespace)
	repo := b.env.ArgoCD.Apps
	app.Spec.Source = &argo.ApplicationSource{RepoURL: repo.URL, Path: orRoot(repo.Path), TargetRevision: repo.Revision}
	return app
}

// tenants is the Application of the custom resources: after the definitions,
// and after the operator whose webhooks judge them (R40).
func (b builder) tenants() *argo.Application {
	app := b.app(tenants, "")
	wave := max(b.graph.Wave(releases.KoraCRDs), b.graph.Wave(releases.Kora)) + 1
	app.Annotations = map[string]string{waveAnnotation: strconv.Itoa(wave)}
	repo := b.env.ArgoCD.Tenants
	app.Spec.Source = &argo.ApplicationSource{
		RepoURL: repo.URL, Path: orRoot(repo.Path), TargetRevision: repo.Revision,
		Directory: &argo.ApplicationSourceDirectory{Recurse: true},
	}
	app.Spec.SyncPolicy.SyncOptions = append(argo.SyncOptions{"SkipDryRunOnMissingResource=true"}, app.Spec.SyncPolicy.SyncOptions...)
	return app
}

// child is the Application of one release.
func (b builder) child(r releases.Release) (*argo.Application, error) {
	namespace, err := b.facts.Render(r.Name, r.Namespace)
	if err != nil {
		return nil, err
	}
	labels, err := b.labels(r)
	if err != nil {
		return nil, err
	}
	app := b.app(r.Name, namespace)
	app.Annotations = map[string]string{waveAnnotation: strconv.Itoa(b.graph.Wave(r.Name))}
	app.Spec.SyncPolicy.ManagedNamespaceMetadata = &argo.ManagedNamespaceMetadata{Labels: labels}
	app.Spec.SyncPolicy.SyncOptions = append(options(r), app.Spec.SyncPolicy.SyncOptions...)
	if r.CRDs {
		app.Finalizers, app.Spec.SyncPolicy.Automated = nil, b.automated(false)
	}
	if r.Webhooks {
		app.Spec.IgnoreDifferences = webhookFields()
	}
	return app, b.source(app, r)
}

func options(r releases.Release) argo.SyncOptions {
	out := argo.SyncOptions{"CreateNamespace=true"}
	if r.Webhooks {
		out = append(out, "RespectIgnoreDifferences=true")
	}
	if r.CRDs {
		out = append(out, "ServerSideApply=true")
	}
	return out
}

// ownOption names the option that options or tenants may set, of the same name.
func ownOption(option string) string {
	name, _, _ := strings.Cut(option, "=")
	for _, own := range []string{"CreateNamespace", "RespectIgnoreDifferences", "ServerSideApply", "SkipDryRunOnMissingResource"} {
		if name == own {
			return own
		}
	}
	return ""
}

// webhookFields are what a program writes into its own webhooks, in every entry.
func webhookFields() argo.IgnoreDifferences {
	var out argo.IgnoreDifferences
	for _, kind := range []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"} {
		out = append(out, argo.ResourceIgnoreDifferences{
			Group: "admissionregistration.k8s.io", Kind: kind,
			JQPathExpressions: []string{".webhooks[]?.clientConfig.caBundle", ".webhooks[]?.failurePolicy"},
		})
	}
	return out
}

func (b builder) labels(r releases.Release) (map[string]string, error) {
	out := map[string]string{}
	for _, l := range r.Labels {
		text := l.Value
		if l.When != "" {
			text = "{{ if " + l.When + " }}" + l.Value + "{{ end }}"
		}
		value, err := b.facts.Render(l.Name, text)
		if err != nil {
			return nil, err
		}
		if value != "" {
			out[l.Name] = value
		}
	}
	return out, nil
}
