package overrides

import (
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/source"
)

// reader walks a .env file: KEY=VALUE lines, with or without export, comments,
// and values in single or double quotes that may take several lines.
type reader struct {
	file *source.File
	text string
	off  int
	line int // of off, from 1
}

// dotenv returns the overrides of a .env file. Other variables are read only
// to be passed by, and lines that are none are not ours to judge.
func dotenv(f *source.File) []Variable {
	r := &reader{file: f, text: strings.TrimPrefix(f.Text(), "\ufeff"), line: 1}
	var out []Variable
	for r.off < len(r.text) {
		if v := r.variable(); strings.HasPrefix(v.Name, Prefix) {
			out = append(out, v)
		}
	}
	return out
}

// variable reads one line, or more where a quoted value goes on.
func (r *reader) variable() Variable {
	line := r.rest()
	start := len(line) - len(strings.TrimLeft(line, " \t"))
	if after, ok := strings.CutPrefix(line[start:], "export"); ok && strings.TrimLeft(after, " \t") != after {
		start = len(line) - len(strings.TrimLeft(after, " \t"))
	}
	name, raw, assigned := strings.Cut(line[start:], "=")
	column := utf8.RuneCountInString(line[:start]) + 1
	v := Variable{Name: strings.TrimSpace(name), Pos: r.file.At(r.line, column)}
	if !assigned || strings.HasPrefix(v.Name, "#") {
		r.skip(len(line))
		return unassigned(v)
	}
	r.value(&v, raw, start+len(name)+1)
	return v
}

// unassigned is a line without an equals sign. What stands behind the name may
// well be the value, so it is no part of the name from here on (R17).
func unassigned(v Variable) Variable {
	v.Unreadable = "it stands there without a value"
	if end := plainEnd(v.Name); end < len(v.Name) {
		v.Name, v.Unreadable = v.Name[:end], `there is no "=" behind its name`
	}
	return v
}

// rest is the line at off, without its end.
func (r *reader) rest() string {
	line, _, _ := strings.Cut(r.text[r.off:], "\n")
	return line
}

// skip passes n bytes by, and the line's end behind them.
func (r *reader) skip(n int) {
	end := strings.IndexByte(r.text[r.off+n:], '\n')
	if end < 0 {
		end = len(r.text) - r.off - n
	}
	next := min(r.off+n+end+1, len(r.text))
	r.line += strings.Count(r.text[r.off:next], "\n")
	r.off = next
}

// value reads what stands behind the "=", at byte from of the line.
func (r *reader) value(v *Variable, raw string, from int) {
	text := strings.TrimLeft(raw, " \t")
	from += len(raw) - len(text)
	if text == "" || text[0] != '"' && text[0] != '\'' {
		v.Value = plain(raw)
		r.skip(len(r.rest()))
		return
	}
	value, length, ok := quoted(r.text[r.off+from:])
	if !ok { // the lines behind it are read as if it had been closed
		v.Unreadable = "the quotes around its value are not closed"
		r.skip(len(r.rest()))
		return
	}
	v.Value = value
	r.skip(from + length)
}

// plain is a value without quotes: a comment begins with a blank and a "#".
func plain(raw string) string {
	for i := range len(raw) {
		if raw[i] == '#' && i > 0 && (raw[i-1] == ' ' || raw[i-1] == '\t') {
			raw = raw[:i]
			break
		}
	}
	return strings.TrimSpace(raw)
}

// quoted reads a text from its opening to its closing quote, and says how long
// it was. Within double quotes a backslash escapes, as in a shell.
func quoted(text string) (value string, length int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return b.String(), i + 1, true
		case c == '\\' && text[0] == '"' && i+1 < len(text):
			i++
			b.WriteString(unescaped(text[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

func unescaped(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '"', '\\', '$', '`':
		return string(c)
	case '\n':
		return ""
	}
	return "\\" + string(c)
}
