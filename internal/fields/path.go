package fields

import (
	"strconv"
	"strings"
)

// Path names a field from the root of an object or of the values, as people
// read it: spec.template.spec.containers[name=session-manager].image.
type Path string

// Child returns the path of a field or of a map's key; a key that is no plain
// word stands in brackets and quotes.
func (p Path) Child(name string) Path {
	switch {
	case strings.ContainsAny(name, ".[]/=\" ") || name == "":
		return p + Path("["+strconv.Quote(name)+"]")
	case p == "":
		return Path(name)
	}
	return p + "." + Path(name)
}

// Index returns the path of an item that only its place tells apart.
func (p Path) Index(i int) Path { return p + Path("["+strconv.Itoa(i)+"]") }

// Item returns the path of an item that a merge key tells apart.
func (p Path) Item(key, value string) Path {
	if strings.ContainsAny(value, "[]\"") {
		value = strconv.Quote(value)
	}
	return p + Path("["+key+"="+value+"]")
}

// Within reports whether p is parent or a field below it.
func (p Path) Within(parent Path) bool {
	rest, ok := strings.CutPrefix(string(p), string(parent))
	return ok && (rest == "" || parent == "" || rest[0] == '.' || rest[0] == '[')
}

// Step is one part of a path: a field's name, or an item's key and value, or
// an item's place.
type Step struct {
	Name       string // of a field or of a map's key
	Key, Value string // of an item told apart by a key
	Index      int    // of any other item; -1 where it is none
}

// Steps takes a path apart; a text that is none gives what could be read.
func (p Path) Steps() []Step {
	var out []Step
	for rest := string(p); rest != ""; {
		if rest[0] != '[' {
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			out = append(out, Step{Name: rest[:end], Index: -1})
			rest = rest[end:]
			if end == 0 && !strings.HasPrefix(rest, "[") {
				return out
			}
			continue
		}
		var s Step
		s, rest = bracket(rest[1:])
		out = append(out, s)
	}
	return out
}

// bracket reads what stands in brackets, and the rest behind them.
func bracket(text string) (Step, string) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		name, _ := strconv.Unquote(quoted)
		return Step{Name: name, Index: -1}, strings.TrimPrefix(text[len(quoted):], "]")
	}
	key, value, ok := strings.Cut(text, "=")
	if end := strings.IndexByte(text, ']'); !ok || end >= 0 && end < len(key) {
		inside, rest, _ := strings.Cut(text, "]")
		i, err := strconv.Atoi(inside)
		if err != nil {
			return Step{Name: inside, Index: -1}, rest
		}
		return Step{Index: i}, rest
	}
	if quoted, err := strconv.QuotedPrefix(value); err == nil {
		v, _ := strconv.Unquote(quoted)
		return Step{Key: key, Value: v, Index: -1}, strings.TrimPrefix(value[len(quoted):], "]")
	}
	value, rest, _ := strings.Cut(value, "]")
	return Step{Key: key, Value: value, Index: -1}, rest
}
