package release

import (
	"context"
	"os"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// What a release is when nothing else is said. The Kubernetes version is always
// given to Helm: its own default follows the libraries that it was built with.
const (
	DefaultName        = "kora"
	DefaultNamespace   = "kora-system"
	DefaultKubeVersion = "1.36.0"
)

// Request says which release to render, and from what.
type Request struct {
	Values values.Input
	// Chart is "" for the chart of kora in this binary, "kora-crds" for the other
	// one, or a folder, an archive, or oci://REGISTRY/REPOSITORY:TAG.
	Chart       string
	Name        string   // of the release; "" is DefaultName
	Namespace   string   // "" is DefaultNamespace
	KubeVersion string   // such as 1.36.2; "" is DefaultKubeVersion
	APIVersions []string // besides those that Helm knows
	IncludeCRDs bool     // what the chart has under crds/
	IsUpgrade   bool
	// Root, where it is set, is the folder that the values' files and a chart on
	// disk are read in, and nothing leads out of it (R43).
	Root   *os.Root
	Limits Limits // zero fields are those of DefaultLimits
}

// Result is a rendered release.
type Result struct {
	// Chart is "NAME VERSION", empty where no chart could be read.
	Chart string
	// Objects are in Helm's order: definitions under crds/ when asked for, then
	// by kind as an install applies them, then the hooks by weight.
	Objects []*Object
	// Notes is what the chart's NOTES.txt became.
	Notes string
	// Found are the warnings, and the errors of a release that was refused.
	Found faults.List
	// Unchecked are the kinds that no type was at hand for, each once, such as
	// "networking.istio.io/v1 Gateway".
	Unchecked []string
}

// Object is one rendered document.
type Object struct {
	Template string       // that it comes from, such as "kora/templates/services.yaml"
	Hook     bool         // Helm runs it around an install
	Test     bool         // a hook that only helm test runs
	Text     string       // the document as the template wrote it
	Node     *source.Node // the document read, with lines that count in Text

	APIVersion, Kind, Namespace, Name string

	before offset // in what the template wrote
}

// Title is "Kind name", as faults name an object.
func (o *Object) Title() string { return o.Kind + " " + o.Name }

// Render renders and checks one release. Every fault that can be found is found:
// those of the values first, and only where the values hold is the chart run, and
// its objects checked. When Found refuses, the objects are not to be used.
func Render(ctx context.Context, r Request) *Result {
	p := &pass{request: r.defaulted(), out: &Result{}}
	p.run(ctx)
	return p.out
}

func (r Request) defaulted() Request {
	if r.Name == "" {
		r.Name = DefaultName
	}
	if r.Namespace == "" {
		r.Namespace = DefaultNamespace
	}
	if r.KubeVersion == "" {
		r.KubeVersion = DefaultKubeVersion
	}
	if r.Root != nil {
		r.Values.Root = r.Root
	}
	r.Limits = r.Limits.defaulted()
	return r
}
