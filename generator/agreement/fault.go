package agreement

import (
	"fmt"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// fault is one of a fact that stands in the values: at its place there, and with
// the place that it has in the environment. said is what the environment says, or
// what holds when it says nothing.
func (c *checker) fault(f fact, path string, n *source.Node, said any) faults.Fault {
	out := n.Pos.Fault(faults.EnvironmentSplit, "")
	out.Field, out.Found, out.Expected = path, shown(n.Any()), shown(said)
	at := c.env.At(f.env)
	switch {
	case f.env == "":
		out.Message = fmt.Sprintf("%s is not that of the reference install: its %s has another", path, f.who)
		out.Fix = "remove it here: the generated values say what it is"
	case f.sort == document:
		out.Found = "a text"
		out.Message = fmt.Sprintf("%s stands here, and the file that the environment names at %s would take its place", path, place(at))
		out.Fix = fmt.Sprintf("keep one of the two: remove it here, or %s at %s", f.env, place(at))
	case f.alone != "" && empty(environment.At(c.said, f.env)):
		out.Message = fmt.Sprintf("%s is said here alone, and %s would have %s", path, f.who, f.alone)
		out.Expected += ", for " + c.silent(at) + " says nothing else"
		out.Fix = fmt.Sprintf("move it into the environment: write %s: %s in %s, and remove it here", f.env, out.Found, c.env.File)
	case at.File == nil:
		out.Message = fmt.Sprintf("%s is not what it is when %s leaves %s out", path, c.env.File, f.env)
		out.Fix = fmt.Sprintf("move it into the environment: write %s: %s in %s, and remove it here", f.env, out.Found, c.env.File)
	default:
		out.Message = fmt.Sprintf("%s is not what the environment says at %s", path, place(at))
		out.Fix = fmt.Sprintf("remove it here, and correct %s at %s if that is what is wrong", f.env, place(at))
	}
	return out
}

// silent names the environment that says nothing, and where.
func (c *checker) silent(at source.Pos) string {
	if at.File == nil {
		return c.env.File
	}
	return place(at)
}

func place(at source.Pos) string {
	if at.File == nil {
		return "its default"
	}
	return fmt.Sprintf("%s:%d:%d", at.File.Name, at.Line, at.Column)
}

// shown is a value in one short line.
func shown(v any) string {
	const most = 80
	r := []rune(asText(v))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}
