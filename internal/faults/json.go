package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonPrinter writes one object for programs; Flush writes it, so that what
// stands there is always whole.
type jsonPrinter struct {
	w     io.Writer
	found List
}

// report is the form that programs rely on; version rises when it breaks.
type report struct {
	Version  int  `json:"version"`
	Faults   List `json:"faults"`
	Errors   int  `json:"errors"`
	Warnings int  `json:"warnings"`
}

// Write keeps the fault for Flush and never fails.
func (p *jsonPrinter) Write(f Fault) error {
	p.found = append(p.found, f)
	return nil
}

// Flush writes the report; without faults they are [] and not null.
func (p *jsonPrinter) Flush() error {
	faults := append(List{}, p.found...)
	return encode(p.w, report{1, faults, faults.Errors(), faults.Warnings()})
}

// encode writes v as indented JSON that is safe to show on a terminal.
func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode faults: %w", err)
	}
	_, err := w.Write(escapeUnprintable(b.Bytes()))
	return err
}

// escapeUnprintable escapes what encoding/json leaves as it is: DEL, the C1
// controls, which some terminals obey, and bidi overrides. They can stand only
// inside a string, where an escape means the same.
func escapeUnprintable(b []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(b))
	done := 0
	for i := 0; i < len(b); {
		if b[i] == '\n' || ' ' <= b[i] && b[i] <= '~' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if !strconv.IsPrint(r) {
			out.Write(b[done:i])
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
			done = i + size
		}
		i += size
	}
	out.Write(b[done:])
	return out.Bytes()
}
