package fields

import (
	"strconv"
	"strings"
)

// Path names a field from the root of an object or of the values, as people
// read it: spec.template.spec.containers[name=session-manager].image.
type Path string

// Child returns the path of a field or of a map's key; a key that is no plain
// word stands in brackets.
func (p Path) Child(name string) Path {
	switch {
	case strings.ContainsAny(name, ".[]/ \"") || name == "":
		return p + Path("["+strconv.Quote(name)+"]")
	case p == "":
		return Path(name)
	}
	return p + "." + Path(name)
}

// Index returns the path of an item that only its place tells apart.
func (p Path) Index(i int) Path { return p + Path("["+strconv.Itoa(i)+"]") }

// Item returns the path of an item that a merge key tells apart.
func (p Path) Item(key, value string) Path { return p + Path("["+key+"="+value+"]") }
