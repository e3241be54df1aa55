package source

import (
	"reflect"

	"go.yaml.in/yaml/v3"
)

// mark is a place as the YAML library's scanner keeps it: line and column count
// from 0, the column in runes.
type mark struct{ line, column int }

// marks are the places at which a decoder stopped.
type marks struct {
	problem mark // what it could not take
	context mark // where what it was reading begins
	event   mark // the value that it was at
	known   bool
}

// marksOf reads the places that the library has and does not tell: its error
// names a line alone, and for a block that of its start. They are only read, by
// name; with a version of the library that names them otherwise a fault stands
// at the line that the error gives, and the table of this package's tests fails.
func marksOf(dec *yaml.Decoder) marks {
	outer := reflect.ValueOf(dec).Elem().FieldByName("parser")
	if outer.Kind() != reflect.Pointer || outer.IsNil() || outer.Elem().Kind() != reflect.Struct {
		return marks{}
	}
	inner, event := outer.Elem().FieldByName("parser"), outer.Elem().FieldByName("event")
	var m marks
	m.known = read(inner, "problem_mark", &m.problem) && read(inner, "context_mark", &m.context) &&
		read(event, "start_mark", &m.event)
	return m
}

func read(v reflect.Value, name string, to *mark) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	if v = v.FieldByName(name); v.Kind() != reflect.Struct {
		return false
	}
	line, column := v.FieldByName("line"), v.FieldByName("column")
	if !line.IsValid() || !column.IsValid() || !line.CanInt() || !column.CanInt() {
		return false
	}
	to.line, to.column = int(line.Int()), int(column.Int())
	return true
}
