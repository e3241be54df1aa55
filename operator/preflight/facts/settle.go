package facts

import (
	"reflect"
	"strings"
)

// settle makes of each list and map that is always written and is not there an empty one: a
// null in a file is neither. What is left out where it is empty stays.
func settle(v reflect.Value) {
	switch {
	case own(v.Type()) || isPart(v.Type()) && v.FieldByName("Missing").String() != "":
		return
	case listed(v.Type()) && v.IsNil():
		blank(v)
		return
	case listed(v.Type()) && plain(v.Type().Elem()):
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			settle(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			settle(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() { // what a map holds cannot be changed in it
			held := reflect.New(v.Type().Elem()).Elem()
			held.Set(v.MapIndex(key))
			settle(held)
			v.SetMapIndex(key, held)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				settled(v.Field(i), f)
			}
		}
	}
}

func settled(v reflect.Value, f reflect.StructField) {
	if !listed(v.Type()) || !v.IsNil() || !strings.Contains(f.Tag.Get("json"), ",omit") {
		settle(v)
	}
}

func listed(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.Map }

// blank makes an empty list or map.
func blank(v reflect.Value) {
	if v.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(v.Type()))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
}

// plain is a type that holds no list and no map.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Struct:
		return own(t)
	}
	return true
}
