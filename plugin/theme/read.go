package theme

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// MaxBytes bounds a theme document.
const MaxBytes = 64 << 10

// limits fit any document of MaxBytes; only aliases can run into the others.
func limits(aliases int) source.Limits {
	return source.Limits{Bytes: MaxBytes, Nodes: 2 * MaxBytes, Depth: 50, Aliases: aliases}
}

// read returns the one map of the document, nil when there is none to judge.
func (c *checker) read() *source.Node {
	if at, ok := notUTF8(c.file); ok {
		f := at.Fault(faults.YAMLSyntax, "not YAML: a byte that is not UTF-8")
		f.Found, f.Expected, f.Fix = "a byte that is not UTF-8", "a text in UTF-8", "save the file in UTF-8"
		c.found = append(c.found, f)
		return nil
	}
	docs, found := source.Parse(c.file, limits(200))
	c.found = append(c.found, c.aliases(found)...)
	for _, d := range docs {
		c.anchors(d)
	}
	if len(docs) > 1 {
		c.refuse(docs[1].Marker(), "", problem{
			code: faults.ThemeShape, message: "a second YAML document starts", found: fmt.Sprintf("%d documents", len(docs)),
			expected: "one document", fix: "remove the line ---, or put the second document into a file of its own",
		})
	}
	if len(docs) > 0 {
		return docs[0]
	}
	if !c.found.Refused() {
		c.refuse(c.file.At(1, 1), "", notMap(document(), &source.Node{Tag: "!!null"}))
	}
	return nil
}

// notUTF8 finds the first byte that is no UTF-8: YAML would take UTF-16, whose
// places nobody could find again.
func notUTF8(f *source.File) (source.Pos, bool) {
	text := f.Text()
	if utf8.ValidString(text) {
		return source.Pos{}, false
	}
	before := text
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			before = text[:i]
			break
		}
	}
	line := strings.Count(before, "\n")
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return f.At(line+1, utf8.RuneCountInString(last)+1), true
}

// aliases refuses the first alias. A second reading that allows none tells
// where it stands; every alias has an anchor, and those are all found. That
// aliases ran into a limit as well needs no fault of its own.
func (c *checker) aliases(found faults.List) faults.List {
	_, strict := source.Parse(c.file, limits(0))
	if len(strict) == 0 {
		return found
	}
	f := strict[len(strict)-1]
	if f.Code != faults.YAMLLimit || slices.Contains(found, f) {
		return found
	}
	found = slices.DeleteFunc(slices.Clone(found), func(f faults.Fault) bool { return f.Code == faults.YAMLLimit })
	f.Code, f.Message, f.Found, f.Expected = faults.ThemeAlias, "the theme holds a YAML alias", "an alias", "each value written out"
	f.Fix = "write the value out here, and remove the anchor"
	return append(found, f)
}

// anchored is what a node with an anchor starts with, where a tag may come first.
var anchored = regexp.MustCompile(`^(!\S*[ \t]+)?&`)

// anchors refuses every anchor below n. The parser keeps none, but gives a node
// the place at which its anchor stands, and no plain scalar starts with "&".
func (c *checker) anchors(n *source.Node) {
	if n.Pos.File == nil || n.Pos.Line == 0 {
		return
	}
	line := []rune(n.Pos.File.Line(n.Pos.Line))
	if i := n.Pos.Column - 1; i >= 0 && i < len(line) && anchored.MatchString(string(line[i:])) {
		c.refuse(n.Pos, "", problem{
			code: faults.ThemeAlias, message: "the theme holds a YAML anchor", found: "an anchor",
			expected: "each value written out", fix: "remove the anchor, and write the value out where an alias stands",
		})
	}
	for _, f := range n.Fields {
		c.anchors(f.Key)
		c.anchors(f.Value)
	}
	for _, item := range n.Items {
		c.anchors(item)
	}
}
