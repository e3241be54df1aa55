package overrides

import (
	"strings"
)

// maxShown bounds a name in a message; what is longer names no field of ours.
const maxShown = 300

// Shown is a variable's name as messages may show it: up to the first character
// that no name has. Behind it there may be the value: somebody wrote a blank or
// a colon for the "=" (R17: its name, and never its value).
func Shown(name string) string {
	if end := nameEnd(name); end < len(name) {
		return shown(name[:end] + "…")
	}
	return shown(name)
}

func shown(name string) string {
	if r := []rune(name); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return name
}

// nameEnd is where a name ends: behind its letters, digits and the signs that
// paths are written with. A quote is one in brackets alone, an equals sign too:
// ["key"] and [name=x].
func nameEnd(name string) int {
	inside := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '[' && !inside, c == ']' && inside:
			inside = !inside
		case plainByte(c), strings.IndexByte("/*", c) >= 0:
		case c == '"' && inside && (name[i-1] == '[' || name[i-1] == '=' || strings.HasPrefix(name[i+1:], "]")):
		case c == '=' && inside:
		default:
			return i
		}
	}
	return len(name)
}

// plainEnd is where a name ends that nothing is assigned to: there are no signs
// in it but those that Kubernetes has in every variable's name.
func plainEnd(name string) int {
	for i := range len(name) {
		if !plainByte(name[i]) {
			return i
		}
	}
	return len(name)
}

func plainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}
