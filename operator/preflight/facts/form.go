package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Misplaced is one thing in a file of facts that kora would not have written.
type Misplaced struct {
	Line, Column int    // from one on, the column in characters
	Field        string // such as nodes.value[3].name
	// Message says what is wrong, and Found and Expected what stands there and what
	// should, by the kind: no value of the file is in any of them.
	Message, Found, Expected string
}

// Malformed is a file that is none of facts, with all that is wrong in it, but for
// the last of very many.
type Malformed []Misplaced

// Error is of error: the first, and how many there are.
func (m Malformed) Error() string {
	text := fmt.Sprintf("it is not what kora preflight collect writes: line %d, column %d: %s", m[0].Line, m[0].Column, m[0].Message)
	if len(m) > 1 {
		text += fmt.Sprintf(", and %d more", len(m)-1)
	}
	return text
}

// mostMisplaced is how many faults of a file are told.
const mostMisplaced = 50

// wellFormed gives what is wrong with a text: that it is no JSON, and otherwise everything
// that a decoder takes in silence, or tells the first of.
func wellFormed(text []byte) error {
	var of struct {
		Form *int `json:"form"`
	}
	err := json.Unmarshal(text, &of)
	if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) {
		return noJSON(text, bad)
	}
	if err == nil && of.Form != nil && *of.Form != FormVersion {
		return fmt.Errorf("it has form %d, and this kora reads form %d: collect it again with this kora", *of.Form, FormVersion)
	}
	f := &form{text: text, keys: make([]uint32, 0, min(bytes.Count(text, []byte{':'}), Budget))}
	f.value(reflect.TypeFor[Facts](), true)
	if len(f.found) > 0 {
		return located(text, f.found)
	}
	if of.Form == nil {
		return fmt.Errorf("it does not say which form it has, and this kora reads form %d: collect it again with this kora", FormVersion)
	}
	return nil
}

// noJSON tells a file that was cut off from one that somebody changed.
func noJSON(text []byte, bad *json.SyntaxError) error {
	err := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("it ends in the middle: it was not written to its end")
	}
	message := "it is no JSON from here on"
	if err == nil || !errors.As(err, new(*json.SyntaxError)) { // the first value is whole
		message = "something stands behind its end"
	}
	return Malformed{place(text, int(bad.Offset)-1, Misplaced{Message: message, Expected: "what kora preflight collect wrote, whole and once"})}
}

// located gives each fault its line, in the order of the text.
func located(text []byte, found []fault) Malformed {
	slices.SortFunc(found, func(a, b fault) int { return a.at - b.at })
	out := make(Malformed, 0, len(found))
	for _, f := range found {
		out = append(out, place(text, f.at, f.Misplaced))
	}
	return out
}

// place counts the lines before a byte, and the characters before it in its own.
func place(text []byte, at int, m Misplaced) Misplaced {
	before := text[:min(max(at, 0), len(text))]
	m.Line = bytes.Count(before, []byte{'\n'}) + 1
	m.Column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	m.Field = strings.TrimPrefix(m.Field, ".")
	return m
}
