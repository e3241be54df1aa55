package facts

import (
	"encoding/json"
	"reflect"
	"strconv"
)

// anything is the type of what nobody looks into.
var anything = reflect.TypeFor[any]()

// reads is that a type reads itself: what it takes is its own.
var reads = reflect.TypeFor[json.Unmarshaler]()

// own reports whether a type is none to look into.
func own(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Implements(reads) || reflect.PointerTo(t).Implements(reads)
}

// element reports whether null may be one of a list or of a map: what is pointed to and is
// not there.
func element(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface
}

// nullable reports whether null stands for what is left out, where that is no part of
// anything: lists and maps, parts, and what is pointed to.
func nullable(t reflect.Type) bool {
	return element(t) || t.Kind() == reflect.Slice || t.Kind() == reflect.Map || isPart(t) || t == reflect.TypeFor[Spire]()
}

func isPart(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
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
