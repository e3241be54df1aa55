package source

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/faults"
)

var syntaxLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(?s:(.*))$`)

// syntax turns the parser's refusal into a fault at what a person would point
// at (R13).
func syntax(f *File, dec *yaml.Decoder, err error) faults.Fault {
	b := breach{file: f, marks: marksOf(dec), message: err.Error()}
	if m := syntaxLine.FindStringSubmatch(b.message); m != nil {
		b.line, _ = strconv.Atoi(m[1])
		b.message = m[2]
	}
	line, column := b.place()
	fault := f.At(line, column).Fault(faults.YAMLSyntax, "not YAML: "+b.message)
	fault.Fix = b.fix(line, column)
	return fault
}

// breach is one refusal of the parser.
type breach struct {
	file    *File
	marks   marks
	message string
	line    int // as the message has it
}

func (b breach) says(parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(b.message, p) {
			return true
		}
	}
	return false
}

// place chooses among the places that the parser knows.
func (b breach) place() (line, column int) {
	switch {
	case b.says("octet", "control characters", "surrogate", "Unicode character", "UTF-8") && !b.says("escape"):
		return b.file.place(unreadable(b.file.text))
	case !b.marks.known:
		return b.word(min(max(b.line, 1), len(b.file.lines.starts)))
	case b.says("unknown anchor"):
		return b.marks.event.place()
	case b.says("mapping values"):
		return b.key()
	case b.says("',' or"):
		return b.bracket()
	case b.says("end of stream", "document indicator", "could not find expected ':'",
		"alphabetic or numeric", "the expected '>'", "directive name"):
		return b.marks.context.place()
	}
	return b.inside(b.marks.problem.place())
}

// place counts from 1.
func (m mark) place() (line, column int) { return m.line + 1, m.column + 1 }

// inside keeps a place within the text: the parser may stop behind its last line.
func (b breach) inside(line, column int) (int, int) {
	last := len(b.file.lines.starts)
	if line > last || line == last && line > 1 && b.file.Line(line) == "" {
		line--
		return b.word(min(line, last))
	}
	return line, column
}

// word is the first word of a line.
func (b breach) word(line int) (int, int) {
	text := b.file.Line(line)
	return line, utf8.RuneCountInString(text[:len(text)-len(strings.TrimLeft(text, " \t"))]) + 1
}

// bracket is where a list or map in brackets goes wrong on its own line, or
// else the bracket that nobody closed: what follows is read as a part of it.
func (b breach) bracket() (line, column int) {
	problem, context := b.marks.problem, b.marks.context
	if problem.line == context.line || b.at(problem) != "" && strings.Contains("]}", b.at(problem)) {
		return b.inside(problem.place())
	}
	return context.place()
}

// key is the colon that has nothing to belong to; where it is the first of its
// line, the key before it, which then stands in the wrong column; and where the
// line above is no key and stands as deep, that line.
func (b breach) key() (line, column int) {
	line, column = b.marks.problem.place()
	_, first := b.word(line)
	if first >= column || !bare(b.file.text[b.file.offset(line, first):b.file.offset(line, column)]) {
		return line, column
	}
	above := line - 1
	for above > 0 && strings.TrimSpace(b.file.Line(above)) == "" {
		above--
	}
	text := b.file.Line(above)
	if text != "" && blanks(text) == blanks(b.file.Line(line)) && !pair(text) && !strings.HasPrefix(strings.TrimSpace(text), "#") {
		return b.word(above)
	}
	return line, first
}

// bare reports whether what a line begins with is a word and no more.
func bare(before string) bool {
	return !pair(before) && !strings.ContainsAny(before, `"'{[`) &&
		!strings.HasPrefix(before, "- ") && !strings.HasPrefix(before, "? ")
}

// pair reports whether a text holds a key.
func pair(text string) bool {
	return strings.Contains(text, ": ") || strings.HasSuffix(strings.TrimSpace(text), ":")
}

// at is the character at a mark, empty at the end of its line.
func (b breach) at(m mark) string {
	line, column := m.place()
	if line > len(b.file.lines.starts) {
		return ""
	}
	off := b.file.offset(line, column)
	r, size := utf8.DecodeRuneInString(b.file.text[off:])
	if size == 0 || strings.ContainsRune(breaks, r) {
		return ""
	}
	return b.file.text[off : off+size]
}

// unreadable is the offset of the first character that YAML does not allow.
func unreadable(text string) int {
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			return i
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r > '~' && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return i
		}
	}
	return 0
}
