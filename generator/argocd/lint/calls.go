package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// changing reports a function whose result is another with every render.
func changing(name string) bool {
	switch name {
	case "shuffle", "uuidv4", "htpasswd", "bcrypt", "encryptAES", "now", "ago",
		"randAlphaNum", "randAlpha", "randNumeric", "randAscii", "randBytes", "randInt":
		return true
	}
	return strings.HasPrefix(name, "gen") && strings.ContainsAny(name, "CSP") && !strings.ContainsAny(name, "._-")
}

// dated are the functions that take the time of day for whatever is no date.
func dated(name string) bool {
	switch name {
	case "date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone":
		return true
	}
	return false
}

// finder collects what the tree of one template calls that Argo CD answers
// otherwise.
type finder struct {
	src   *source.File
	text  string
	found faults.List
}

// calls looks through a template of a chart as Helm parses it: comments are
// not in its tree, and conditions may go over several lines.
func calls(f file) faults.List {
	if len(f.text) > limits.Bytes {
		fault := source.NewFile(f.name, "").At(1, 1).Fault(faults.YAMLLimit, "the template is too long to be looked through")
		return faults.List{fault}
	}
	w := &finder{src: source.NewFile(f.name, f.text), text: f.text}
	trees, tree := map[string]*parse.Tree{}, parse.New("template")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(f.text, "", "", trees); err != nil {
		fault := w.src.At(1, 1).Fault(faults.NothingToLint, "the template does not parse, and was not looked through")
		fault.Found = strings.TrimPrefix(err.Error(), "template: ")
		return faults.List{fault}
	}
	trees["template"] = tree
	for _, t := range trees {
		if t.Root != nil {
			w.list(t.Root)
		}
	}
	w.hooks()
	return w.found.Sorted()
}

func (w *finder) tell(at int, word, message string) {
	at = min(max(at, 0), len(w.text))
	line := strings.LastIndexByte(w.text[:at], '\n') + 1
	if strings.HasPrefix(strings.TrimSpace(w.text[line:at]), "#") {
		return // in a comment of the result
	}
	f := w.src.At(1+strings.Count(w.text[:at], "\n"), 1+utf8.RuneCountInString(w.text[line:at])).Fault(faults.RendersOtherly, message)
	f.Found = word
	if !slices.ContainsFunc(w.found, func(o faults.Fault) bool { return o.Line == f.Line && o.Column == f.Column }) {
		w.found = append(w.found, f)
	}
}

// word finds a node's word from where its parser says that it begins.
func (w *finder) word(at parse.Pos, word, message string) {
	from := min(int(at), len(w.text))
	begin := strings.LastIndexByte(w.text[:from], '\n') + 1
	switch i, before := strings.Index(w.text[from:], word), strings.LastIndex(w.text[begin:min(from+len(word), len(w.text))], word); {
	case i == 0 || before < 0 && i > 0:
		from += i
	case before >= 0:
		from = begin + before
	}
	w.tell(from, word, message)
}

var (
	hookLine = regexp.MustCompile(`(?m)^[ \t]*(?:- )?["']?helm\.sh/hook["']?[ \t]*:[ \t]*["']?([a-z][a-z, -]*)`)
	hookName = regexp.MustCompile(`(?m)^\s*generateName:`)
	hookEnd  = regexp.MustCompile(`(?m)^---`)
)

// hooks are judged by the text around them: one object each.
func (w *finder) hooks() {
	for _, m := range hookLine.FindAllStringSubmatchIndex(w.text, -1) {
		list := w.text[m[2]:m[3]]
		for each := range strings.SplitSeq(list, ",") {
			if message := hooked(strings.TrimSpace(each), list); message != "" {
				w.tell(m[2]+strings.Index(list, strings.TrimSpace(each)), strings.TrimSpace(each), message)
			}
		}
		if around := w.around(m[0]); strings.Contains(around, "hook-delete-policy") && !strings.Contains(around, "before-hook-creation") && !hookName.MatchString(around) {
			at := m[0] + len(w.text[m[0]:m[2]]) - len(strings.TrimLeft(w.text[m[0]:m[2]], " \t"))
			w.tell(at, "helm.sh/hook", fmt.Sprintf("a hook with a fixed name and without %s runs on the first sync alone", "before-hook-creation"))
		}
	}
}

// hooked says what Argo CD does otherwise with one hook of a list.
func hooked(each, list string) string {
	phase, moment, _ := strings.Cut(each, "-")
	switch other := map[string]string{"install": "upgrade", "upgrade": "install"}[moment]; {
	case (phase == "pre" || phase == "post") && (moment == "delete" || moment == "rollback"):
		return "Argo CD does not run this hook as Helm does"
	case other != "" && !strings.Contains(list, phase+"-"+other):
		return "Argo CD runs this hook on every sync, the first and all later ones"
	}
	return ""
}

// around is the document that an offset is in.
func (w *finder) around(at int) string {
	from, to := 0, len(w.text)
	for _, m := range hookEnd.FindAllStringIndex(w.text, -1) {
		switch {
		case m[0] <= at:
			from = m[0]
		case m[0] < to:
			to = m[0]
		}
	}
	return w.text[from:to]
}
