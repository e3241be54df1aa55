package settings

import (
	"io/fs"
	"path"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Folder is where the chart mounts the modules.
const Folder = "/etc/kora/config"

// The modules, as the chart names them.
const (
	moduleOperator      = "internal/operator"
	moduleIdentity      = "internal/platform/identity"
	moduleMesh          = "internal/platform/mesh"
	moduleObservability = "internal/platform/observability"
)

// Load reads the modules of a mounted folder, which faults call by the name at. A
// key that the operator does not know and a value that it cannot use are faults,
// all of them at once, each with its file, line and column (R23): the chart checks
// the same at render time. With faults, the settings are of no use.
func Load(folder fs.FS, at string) (Settings, faults.List) {
	s := Settings{Operator: Operator{LeaderElection: LeaderElection{Enabled: true, Name: v1alpha1.Operator}}} // also where nothing is said
	l := loader{folder: folder, at: at, modules: map[string]*module{}}
	l.read(moduleOperator, &s.Operator)
	l.read(moduleIdentity, &s.Identity)
	l.read(moduleMesh, &s.Mesh)
	l.read(moduleObservability, &s.Observability)
	l.validate(s)
	if len(l.found) > 0 {
		return Settings{}, l.found.Sorted()
	}
	return s, nil
}

// loader gathers what is wrong in all modules.
type loader struct {
	folder  fs.FS
	at      string
	modules map[string]*module
	found   faults.List
}

// module is one file, as far as it could be read.
type module struct {
	file *source.File
	root *source.Node
	bad  []fields.Path // of fields that are refused already
}

// read decodes one module, less what is refused of it, so that one fault does not
// hide another.
func (l *loader) read(name string, into any) {
	file := name + ".yaml"
	text, err := regular.ReadIn(l.folder, file, int64(source.DefaultLimits.Bytes))
	if err != nil {
		l.found = append(l.found, unreadable(name, path.Join(l.at, file), err))
		return
	}
	m := &module{file: source.NewFile(path.Join(l.at, file), string(text))}
	documents, found := source.Parse(m.file, source.DefaultLimits)
	if l.found = append(l.found, found...); found.Refused() {
		return
	}
	if len(documents) > 1 {
		l.found = append(l.found, documents[1].Pos.Fault(faults.BadSetting, "a config module is one document, and this is a second one"))
	}
	if l.modules[name] = m; len(documents) == 0 {
		return
	}
	m.root = documents[0]
	found = fields.Check(m.root, fields.Of(into), "")
	for _, f := range found {
		m.bad = append(m.bad, fields.Path(f.Field))
	}
	l.found = append(l.found, found...)
	if err := decode(m.root, found, into); err != nil {
		l.found = append(l.found, m.root.Pos.Fault(faults.BadSetting, "the config module cannot be read: "+err.Error()))
	}
}
