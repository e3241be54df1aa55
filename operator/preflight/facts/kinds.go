package facts

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// anything is the type of what nobody looks into.
var anything = reflect.TypeFor[any]()

// reads is that a type reads itself: what it takes is its own.
var reads = reflect.TypeFor[json.Unmarshaler]()

// own reports whether a type is none to look into.
func own(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Implements(reads) || reflect.PointerTo(t).Implements(reads)
}

// nullable reports whether null is what kora itself writes for a type, or stands for a part
// that is left out: lists and maps that are not there, and what is pointed to.
func nullable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Struct:
		return isPart(t) || t == reflect.TypeFor[Spire]() || t == reflect.TypeFor[Facts]()
	}
	return false
}

func isPart(t reflect.Type) bool {
	_, missing := t.FieldByName("Missing")
	_, unasked := t.FieldByName("Unasked")
	return missing && unasked
}

// fits reports whether a text may be a value of a type, of a list or a map its first byte.
func fits(text []byte, t reflect.Type) bool {
	if own(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return text[0] == '{'
	case reflect.Slice:
		return text[0] == '['
	case reflect.String:
		return text[0] == '"'
	case reflect.Bool:
		return text[0] == 't' || text[0] == 'f'
	}
	_, err := strconv.ParseInt(string(text), 10, t.Bits())
	return err == nil
}

// typeOf says what a byte begins.
func typeOf(c byte) string {
	switch c {
	case '"':
		return "a text"
	case '{':
		return "a map"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

// kindOf says what a type is written as.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	}
	return "a map"
}

// member gives the type of what a key holds, and whether the type knows it.
func member(t reflect.Type, key []byte) (of reflect.Type, known bool) {
	switch {
	case own(t):
		return anything, true
	case t.Kind() == reflect.Map:
		of, known = t.Elem(), true
	case t.Kind() == reflect.Struct:
		of, known = members(t)[string(key)]
	}
	switch {
	case !known:
		of = anything
	case of == reflect.TypeFor[Value](): // which reads itself, and is a length
		of = reflect.TypeFor[int]()
	}
	return of, known
}

// looked holds the members of each type that was looked into.
var looked sync.Map

func members(t reflect.Type) map[string]reflect.Type {
	if all, has := looked.Load(t); has {
		return all.(map[string]reflect.Type)
	}
	all := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "" && name != "-" {
			all[name] = f.Type
		}
	}
	looked.Store(t, all)
	return all
}
