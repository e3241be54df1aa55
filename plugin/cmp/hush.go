package cmp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// valuesPlace is the file that faults of the parameter values name.
const valuesPlace = "parameter " + valuesParameter

// shortest is how long a value has to be to be looked for in other texts: shorter
// ones are words of every message.
const shortest = 6

var (
	located = regexp.MustCompile(`://\S*@\S*`)
	query   = regexp.MustCompile(`(://[^\s"?#]*[?#])[^\s"]+`)
)

// hushed are the faults as Argo CD's UI may show them, to more people than read
// the repository: without lines of files, whose places stay, without what the
// application's variables and parameters hold, and without what a URL may hold in
// confidence (R43).
func hushed(found faults.List, given []string) faults.List {
	out := slices.Clone(found)
	for i := range out {
		f := &out[i]
		f.Source, f.SourceFrom = "", 0
		if f.File == valuesPlace {
			f.Found = ""
		}
		f.File = masked(f.File)
		for _, text := range []*string{&f.Message, &f.Found, &f.Expected, &f.Fix, &f.Object, &f.Field, &f.Key, &f.Template} {
			for _, value := range given {
				*text = without(*text, value)
			}
			*text = masked(*text)
		}
	}
	return out
}

// masked is a text whose URLs have neither credentials nor a query.
func masked(text string) string {
	return query.ReplaceAllString(located.ReplaceAllStringFunc(text, anonymous), "$1…")
}

// anonymous is the rest of a URL, from its scheme on, without a user and a password.
// The identity of a signer has none: its @ begins the reference of a workflow.
func anonymous(url string) string {
	at := faults.LastAt(url)
	if at < 0 {
		return url
	}
	return "://***" + url[at:]
}

// without is a text without a value: where only its beginning is there, without
// all that follows.
func without(text, value string) string {
	const hidden, beginning = "***", 32
	text = strings.ReplaceAll(text, value, hidden)
	if len(value) > beginning {
		text, _, _ = strings.Cut(text, value[:beginning])
	}
	return text
}

// confided are the values that no message repeats: those of all variables of the
// application, and of its parameters, also of each line of the values among them.
func confided(environ []string) []string {
	var all []string
	given := byName(environ)
	for name, value := range given {
		if strings.HasPrefix(name, variablePrefix) {
			all = append(all, value)
			all = append(all, strings.Split(value, ",")...)
		}
	}
	parameters, _ := ParseParameters(orNull(given[parametersVariable]))
	for _, p := range parameters {
		all = append(all, p.texts()...)
	}
	for _, value := range slices.Clone(all) {
		all = append(all, strings.Trim(strconv.Quote(value), `"`))
	}
	all = slices.DeleteFunc(all, func(v string) bool {
		return len(v) < shortest || within(v) && named(v) && !strings.Contains(v, ",") // places
	})
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // a whole before its parts
	return slices.Compact(all)
}

// texts are all texts that a parameter holds.
func (p Parameter) texts() []string {
	var all []string
	if p.String != nil {
		all = append(all, *p.String)
		if p.Name == valuesParameter {
			docs, _ := source.Parse(source.NewFile(valuesPlace, *p.String), source.DefaultLimits)
			for _, doc := range docs {
				all = append(all, scalars(doc)...)
			}
		}
	}
	if p.Array != nil {
		all = append(all, *p.Array...)
	}
	if p.Map != nil {
		for _, value := range *p.Map {
			all = append(all, value)
		}
	}
	return all
}

func scalars(n *source.Node) []string {
	var all []string
	switch {
	case n == nil:
	case n.Kind == source.Scalar:
		all = append(all, n.Value)
	default:
		for _, f := range n.Fields {
			all = append(all, scalars(f.Value)...)
		}
		for _, item := range n.Items {
			all = append(all, scalars(item)...)
		}
	}
	return all
}
