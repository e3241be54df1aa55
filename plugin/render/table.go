package render

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// Table returns the explanation for people: a row a step, then the patches
// without effect and the fields that were overwritten.
func (e *Explanation) Table() []byte {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "OBJECT\tFIELD\tFROM\tTO\tSET BY\tWHERE")
	for _, f := range e.Fields {
		for _, s := range f.Steps {
			row(w, f.Object, f.Field, short(s.From), short(s.To), s.By+" "+s.Name, place(s.File, s.Line))
		}
	}
	w.Flush()
	if len(e.Fields) == 0 {
		out.Reset()
		out.WriteString("every field is kora's default\n")
	}
	section(&out, "patches without effect:", e.WithoutEffect)
	section(&out, "fields that a later patch overwrote:", e.Overwritten)
	return out.Bytes()
}

func row(w *tabwriter.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = visible(c)
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}

func section(out *bytes.Buffer, title string, notes []Note) {
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, n := range notes {
		text := n.Message
		if n.Field != "" {
			text = fmt.Sprintf("%s %s: %s", n.Object, n.Field, n.Message)
		}
		fmt.Fprintf(out, "  %s  %s\n", visible(place(n.File, n.Line)), visible(text))
	}
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// widest is how much of a value a table shows; JSON shows all of it.
const widest = 60

func short(s string) string {
	if r := []rune(visible(s)); len(r) > widest {
		return string(r[:widest-1]) + "…"
	}
	return s
}

// visible keeps a cell on one line and free of what could drive a terminal.
func visible(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) && r != ' ' }) {
		return strconv.Quote(s)
	}
	return s
}

// JSON returns the explanation for machines; its form is in docs/explain.md.
func (e *Explanation) JSON() ([]byte, error) { return indented(e) }
