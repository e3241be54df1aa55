package argocd

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

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

// source says where the chart and its values are. A chart with a person's own
// values has a second source, which only the paths of the first name.
func (b builder) source(app *argo.Application, r releases.Release) error {
	chart, err := b.chart(r)
	if err != nil {
		return err
	}
	if chart.Helm, err = b.helm(r); err != nil {
		return err
	}
	if !r.Own {
		app.Spec.Source = &chart
		return nil
	}
	repo := b.env.ArgoCD.Values
	app.Spec.Sources = argo.ApplicationSources{chart, {RepoURL: repo.URL, TargetRevision: repo.Revision, Ref: valuesRef}}
	return nil
}

// chart is written by version as a Helm repository, which every Argo CD reads;
// by digest as an OCI artifact, which Argo CD 3.1 and later do.
func (b builder) chart(r releases.Release) (argo.ApplicationSource, error) {
	url, err := b.facts.Render(r.Name, r.Repository.Fact)
	if err != nil {
		return argo.ApplicationSource{}, err
	}
	url = strings.TrimSuffix(url, "/")
	if r.Digest != "" {
		return argo.ApplicationSource{RepoURL: url + "/" + r.Chart, Path: ".", TargetRevision: r.Digest}, nil
	}
	return argo.ApplicationSource{RepoURL: strings.TrimPrefix(url, "oci://"), Chart: r.Chart, TargetRevision: r.Version}, nil
}

func isOCI(url string) bool { return strings.HasPrefix(url, "oci://") }

// helm holds the facts as valuesObject, which wins over every file: as in the
// Helmfile they come last (R44).
func (b builder) helm(r releases.Release) (*argo.ApplicationSourceHelm, error) {
	helm := &argo.ApplicationSourceHelm{ReleaseName: r.Name}
	if r.Values != "" {
		values, err := b.values(r.Values)
		if err != nil {
			return nil, err
		}
		helm.ValuesObject = &runtime.RawExtension{Raw: values}
	}
	if r.Own {
		helm.ValueFiles = []string{b.valuesPath(r.Name + ".yaml")}
	}
	if r.Theme && b.env.Theme != "" {
		helm.FileParameters = []argo.HelmFileParameter{{Name: "theme.document", Path: b.valuesPath(b.env.Theme)}}
	}
	return helm, nil
}

func (b builder) values(name string) ([]byte, error) {
	text, err := releases.Template(name)
	if err != nil {
		return nil, err
	}
	rendered, err := b.facts.Render(name, text)
	if err != nil {
		return nil, err
	}
	values, err := yaml.YAMLToJSONStrict([]byte(rendered))
	if err != nil {
		return nil, fmt.Errorf("values %s: %w", name, err)
	}
	return values, nil
}

// valuesPath begins with the ref of the second source: there alone Argo CD
// takes $values for that repository (R40).
func (b builder) valuesPath(file string) string {
	return "$" + valuesRef + "/" + path.Join(b.env.ArgoCD.Values.Path, file)
}

func orRoot(path string) string {
	if path == "" {
		return "."
	}
	return path
}
