// Package releases is the one list of what kora's reference install consists of:
// the releases, what each needs first, and their values (R38). Both outputs, the
// Helmfile and the app-of-apps, are written from it; no second list exists.
//
// Texts of a release may be templates over the facts of an environment, in the
// part of Helmfile's language that environment.Renderer knows: Helmfile gets
// them as they are, Argo CD's Applications what they render to.
package releases

// Release is one Helm release, or under Argo CD one Application.
type Release struct {
	// Name is that of the release; Chart the chart's name in its repository.
	Name, Chart string
	// Repository is where the chart comes from: one of the environment's charts.
	Repository Repository
	// Version is the chart's, without "v". Digest pins an OCI artifact, empty
	// where only the version does.
	Version, Digest string
	// Namespace is a template.
	Namespace string
	// Needs are the releases that must be ready first.
	Needs []string
	// Values is the name of the template that [Template] gives; empty where the chart takes
	// none.
	Values string
	// Own reports a chart of kora: values/<name>.yaml is a person's own file.
	Own bool
	// Theme reports that the chart takes theme.document.
	Theme bool
	// CRDs reports that the chart's objects are custom resource definitions,
	// which nobody may delete by the way.
	CRDs bool
	// Labels are the namespace's.
	Labels []Label
	// Webhooks reports admission webhooks whose caBundle and failurePolicy the
	// program itself writes once it runs.
	Webhooks bool
	// Why says in one sentence what the release is for.
	Why string
}

// Label is one label of a namespace. Value is a template; When, where it is not
// empty, the condition of an {{ if }} without which there is no such label.
type Label struct{ Name, Value, When string }

// Repository is one of the chart repositories of an environment.
type Repository struct {
	// Name is what Helm calls it.
	Name string
	// Fact is the template of its URL.
	Fact string
}

// Graph is the releases, each after all that it needs.
type Graph struct{ Releases []Release }

// Release returns the release of that name, nil where there is none.
func (g *Graph) Release(name string) *Release {
	for i := range g.Releases {
		if g.Releases[i].Name == name {
			return &g.Releases[i]
		}
	}
	return nil
}
