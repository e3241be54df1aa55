package values

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/strvals"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// FlagKind is one of Helm's flags that set values.
type FlagKind int

// The flags, by what they read on the right of the equals sign.
const (
	Set       FlagKind = iota // --set: a value typed by its looks
	SetString                 // --set-string: text
	SetJSON                   // --set-json: JSON
	SetFile                   // --set-file: the path of a file whose text is the value
)

// String is the flag as it is typed.
func (k FlagKind) String() string {
	return [...]string{"--set", "--set-string", "--set-json", "--set-file"}[k]
}

// Flag is one --set, --set-string, --set-json or --set-file.
type Flag struct {
	Kind FlagKind
	Text string // as typed, "a.b=c,d=e"
}

// String names the flag in faults: as typed, but short and without credentials.
func (f Flag) String() string {
	const most = 160
	text := []rune(withoutCredentials(f.hushed()))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return f.Kind.String() + " " + string(text)
}

// parse lets Helm's own parser write the assignments into a plain tree.
func (f Flag) parse(into map[string]any, read strvals.RunesValueReader) error {
	switch f.Kind {
	case SetString:
		return strvals.ParseIntoString(f.Text, into)
	case SetJSON:
		if text := strings.TrimSpace(f.Text); strings.HasPrefix(text, "{") {
			return wholeJSON(text, into)
		}
		return strvals.ParseJSON(f.Text, into)
	case SetFile:
		return strvals.ParseIntoFile(f.Text, into, read)
	}
	return strvals.ParseInto(f.Text, into)
}

// wholeJSON merges an object that --set-json gives without a key, as Helm 4 does;
// Helm 3 refuses it.
func wholeJSON(text string, into map[string]any) error {
	var given map[string]any
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return err
	}
	merged(into, given)
	return nil
}

// merged puts the values of one map over those of another, key by key.
func merged(into, given map[string]any) {
	for key, v := range given {
		over, ok := v.(map[string]any)
		under, there := into[key].(map[string]any)
		if ok && there {
			merged(under, over)
			continue
		}
		into[key] = v
	}
}

// errUnread ends the parse of a --set-file whose file is already a fault.
var errUnread = errors.New("the file cannot be read")

// errNothing is what an assignment to an empty key comes to.
var errNothing = errors.New("it sets nothing")

// flag applies one flag to the tree, or refuses it and applies nothing of it.
func (l *loader) flag(f Flag) {
	if strings.TrimSpace(f.Text) == "" {
		return // as Helm: an empty variable in a script
	}
	root, err := l.assign(f)
	l.partial = l.partial || err != nil
	switch {
	case err == nil:
		l.root = root
	case !errors.Is(err, errUnread):
		l.refuse(unparsed(f, err))
	}
}

// assign parses twice: first on its own, to see what the flag touches, then over
// the plain values of just that part. So a flag costs what it changes and not
// what the values hold, and nothing is lost when it fails half way.
func (l *loader) assign(f Flag) (*source.Node, error) {
	if err := l.indexes(f); err != nil {
		return nil, err
	}
	unread := false
	read, touched := l.texts(f, &unread), map[string]any{}
	if err := f.parse(touched, read); err != nil {
		return nil, err
	}
	if unread {
		return nil, errUnread
	}
	if len(touched) == 0 {
		return nil, errNothing
	}
	l.refuse(f.twice()...)
	l.nothingRemoved(f, touched)
	part := exposed{}
	plain := part.of(l.root, touched).(map[string]any)
	if err := f.parse(plain, read); err != nil {
		return nil, err
	}
	at := source.Pos{File: source.NewFile(f.String(), "")}
	r := &rebuild{exposed: part, origin: at}
	root := r.value(l.root, plain, 0)
	if r.err == nil {
		l.nullsOfFlag(at, touched, "")
	}
	return root, r.err
}

// texts returns what reads the files of one --set-file, each of them once.
func (l *loader) texts(flag Flag, unread *bool) strvals.RunesValueReader {
	known := map[string]*source.File{}
	return func(path []rune) (any, error) {
		name := string(path)
		if known[name] == nil {
			f, found := l.files.read(name)
			l.refuse(flag.named(name, found)...)
			if f == nil {
				f, *unread = source.NewFile(name, ""), true // so that the next one is read too (R15)
			}
			known[name] = f
		}
		return known[name], nil
	}
}

// named tells of the file of a flag under its key, and at the flag where there is no
// file to point into.
func (f Flag) named(path string, found faults.List) faults.List {
	for i := range found {
		if key := f.keyOf(path); key != "" {
			found[i].Field = key
		}
		if found[i].Line == 0 && f.Kind == SetFile {
			found[i].File, found[i].Found = f.String(), path
		}
	}
	return found
}

// keyOf is the key that a flag gives a text, empty where only the parser knows.
func (f Flag) keyOf(text string) string {
	for part := range strings.SplitSeq(f.Text, ",") {
		if key, value, ok := strings.Cut(part, "="); ok && value == text {
			return strings.TrimSpace(key)
		}
	}
	return ""
}

var index = regexp.MustCompile(`\[(\d{1,9})\][.=\[]`)

// indexes bounds the lists that flags may make: Helm's parser fills everything
// below an index, so a short flag could take a lot of memory.
func (l *loader) indexes(f Flag) error {
	for _, m := range index.FindAllStringSubmatch(f.Text, -1) {
		i, _ := strconv.Atoi(m[1])
		l.indexed += i
	}
	if l.indexed > source.DefaultLimits.Nodes {
		return errTooMany
	}
	return nil
}

// fixes show what each flag reads.
var fixes = map[FlagKind]string{
	Set:       "write --set key=value, and a backslash before a dot or comma that belongs to a key or value",
	SetString: "write --set-string key=text, and a backslash before a dot or comma that belongs to a key or text",
	SetJSON:   `write --set-json key=JSON, in quotes that keep the shell's hands off, such as 'agents.workspace={"size":"20Gi"}'`,
	SetFile:   "write --set-file key=path, and a backslash before a dot or comma that belongs to a key or path",
}

func unparsed(f Flag, err error) faults.Fault {
	out := faults.New(faults.BadSet, f.Kind.String()+" does not parse: "+short(err.Error()))
	out.File, out.Fix = f.String(), fixes[f.Kind]
	if f.hushed() != f.Text { // the parser's words hold what it could not read
		out.Message = f.Kind.String() + " does not parse"
	}
	out.Expected = map[FlagKind]string{SetJSON: "key=JSON", SetFile: "key=path"}[f.Kind]
	if out.Expected == "" {
		out.Expected = "key=value"
	}
	switch {
	case errors.Is(err, errTooMany):
		out.Fix = "put large values into a file and give it with -f"
	case strings.Contains(err.Error(), "interface conversion"):
		out.Message = f.Kind.String() + " sets a key below a value that is no map, or an item of what is no list"
		out.Fix = "set a key of the map that is there, or set the whole value"
	}
	return out
}
