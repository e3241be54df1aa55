package facts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"reflect"
)

// Limit is the most that a file of facts may hold, in bytes: ten thousand nodes
// take about 20 MiB.
const Limit = 64 << 20

// Write writes facts as one JSON document, without a secret's value. What Read
// would not take is an error. Lists and maps in the facts that are not there are empty
// ones afterwards.
func Write(to io.Writer, f *Facts) error {
	f.Form = FormVersion
	written := *f // whose parts are put in other places
	settle(reflect.ValueOf(&written))
	out := json.NewEncoder(io.MultiWriter(&budget{}, to))
	out.SetIndent("", " ")
	return out.Encode(&written)
}

// Read reads what Write wrote. A file that is cut off, too large or of another form is
// an error, a Malformed where it can be told to the line, and no half of it is taken. A
// part that it leaves out is unknown, and neither empty nor good.
func Read(from io.Reader) (*Facts, error) {
	text, err := whole(from)
	if err != nil {
		return nil, err
	}
	if err := wellFormed(text); err != nil {
		return nil, err
	}
	read := reflect.New(optional(reflect.TypeFor[Facts]()))
	if err := json.Unmarshal(text, read.Interface()); err != nil {
		return nil, fmt.Errorf("it is not what kora preflight collect writes: %w", err)
	}
	f := Nothing("the file does not hold it: it was not looked for")
	fill(reflect.ValueOf(f).Elem(), read.Elem())
	held(reflect.ValueOf(f).Elem())
	return f, nil
}

// whole reads everything within the bounds, into one piece where it is known how much
// there is.
func whole(from io.Reader) ([]byte, error) {
	bounded := io.TeeReader(from, &budget{})
	n := 0
	switch from := from.(type) {
	case interface{ Len() int }:
		n = from.Len()
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := from.Stat(); err == nil {
			n = int(min(info.Size(), Limit))
		}
	}
	if n == 0 || n > Limit {
		return io.ReadAll(bounded)
	}
	text := bytes.NewBuffer(make([]byte, 0, n+bytes.MinRead))
	_, err := text.ReadFrom(bounded)
	return text.Bytes(), err
}

// optional is a type whose fields are pointers to those of t: what a file leaves
// out, or calls null, is nil there. One pass reads it, however many parts it has.
func optional(t reflect.Type) reflect.Type {
	out := make([]reflect.StructField, t.NumField())
	for i := range out {
		f := t.Field(i)
		if f.Type == reflect.TypeFor[Spire]() {
			f.Type = optional(f.Type)
		}
		out[i] = reflect.StructField{Name: f.Name, Type: reflect.PointerTo(f.Type), Tag: f.Tag}
	}
	return reflect.StructOf(out)
}

// fill puts what was read in the place of what stands there.
func fill(into, from reflect.Value) {
	for i := range into.NumField() {
		switch to, read := into.Field(i), from.Field(i); {
		case read.IsNil():
		case read.Type().Elem() == to.Type():
			to.Set(read.Elem())
		default:
			fill(to, read.Elem())
		}
	}
}

// held says of each part that is known and holds no list and no map at all that it is
// not: null stands there, or nothing.
func held(all reflect.Value) {
	for i := range all.NumField() {
		field := all.Field(i)
		if field.Type() == reflect.TypeFor[Spire]() {
			held(field)
		}
		if field.Kind() != reflect.Struct || !field.FieldByName("Missing").IsValid() || field.FieldByName("Missing").String() != "" {
			continue
		}
		if value := field.FieldByName("Value"); (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.IsNil() {
			field.FieldByName("Missing").SetString("the file does not hold it: it is null there")
		}
	}
}
