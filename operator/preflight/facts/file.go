package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// Limit is the most that a file of facts may hold, in bytes: ten thousand nodes
// take about 20 MiB.
const Limit = 64 << 20

// Write writes facts as one JSON document, without a secret's value. What Read
// would not take is an error.
func Write(to io.Writer, f *Facts) error {
	f.Form = FormVersion
	out := json.NewEncoder(io.MultiWriter(&budget{}, to))
	out.SetIndent("", " ")
	return out.Encode(f)
}

// Read reads what Write wrote. A file that is cut off, too large or of another
// form is an error, and no half of it is taken. A part that it leaves out is
// unknown, and neither empty nor good.
func Read(from io.Reader) (*Facts, error) {
	in := json.NewDecoder(io.TeeReader(from, &budget{}))
	in.DisallowUnknownFields()
	held := reflect.New(optional(reflect.TypeFor[Facts]()))
	err := in.Decode(held.Interface())
	f := Nothing("the file does not hold it: it was not looked for")
	fill(reflect.ValueOf(f).Elem(), held.Elem())
	switch {
	case errors.As(err, new(tooLarge)):
		return nil, err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, errors.New("it ends in the middle: it was not written to its end")
	case err != nil:
		return nil, fmt.Errorf("it is not what kora preflight collect writes: %w", err)
	case f.Form != FormVersion:
		return nil, fmt.Errorf("it has form %d, and this kora reads form %d: collect it again with this kora", f.Form, FormVersion)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("something stands behind its end")
	}
	return f, nil
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
