package theme

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

var word = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// ignored is an entry below the map e that the table does not know (R34). Its
// value is never looked at.
func ignored(e entry, f source.Field, path string) Ignored {
	key := f.Key.Value
	out := Ignored{Path: below(path, key), Pos: f.Key.Pos, Near: nearest(e, f, path)}
	if !word.MatchString(key) || len(key) > 80 {
		out.Path = path + "[" + quoted(hidden(key)) + "]"
	}
	return out
}

// quoted is a key that is no plain word, cut and escaped.
func quoted(key string) string {
	if r := []rune(key); len(r) > 80 {
		return strconv.Quote(string(r[:80]) + "…")
	}
	return strconv.Quote(key)
}

// nearest is the path of the known entry that was most likely meant: the
// nearest key of the same map, the dotted key of a nested one and the nested
// of a dotted one, or the key's own place one map further down.
func nearest(e entry, f source.Field, path string) string {
	key := f.Key.Value
	var keys []string
	for _, known := range e.fields {
		keys = append(keys, known.key)
		if dotted(known, f) {
			return below(path, known.key)
		}
	}
	if near := fields.Nearest(key, keys); near != "" {
		return below(path, near)
	}
	for _, known := range e.fields {
		if holds(known, key) {
			return below(below(path, known.key), key)
		}
	}
	first, rest, _ := strings.Cut(key, ".")
	for _, known := range e.fields {
		if known.key == first && (holds(known, rest)) {
			return below(path, key)
		}
	}
	return ""
}

// dotted reports whether f is the nested way to write a dotted key:
// "font: {sans: …}" for "font.sans".
func dotted(known entry, f source.Field) bool {
	first, rest, has := strings.Cut(known.key, ".")
	return has && first == f.Key.Value && f.Value.Get(rest) != nil
}

func holds(e entry, key string) bool {
	for _, f := range e.fields {
		if f.key == key {
			return true
		}
	}
	return false
}
