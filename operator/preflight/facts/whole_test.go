package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// full makes a value of a type that holds something everywhere.
func full(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch {
	case own(of):
		return v
	case isPart(of):
		v.FieldByName("Value").Set(full(v.FieldByName("Value").Type()))
		return v
	}
	switch of.Kind() {
	case reflect.Pointer:
		if !own(of.Elem()) {
			v.Set(reflect.New(of.Elem()))
			v.Elem().Set(full(of.Elem()))
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, full(of.Elem())))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(reflect.ValueOf("k"), full(of.Elem()))
	case reflect.Struct:
		for i := range of.NumField() {
			v.Field(i).Set(full(of.Field(i).Type))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	}
	return v
}

// file is facts as they are written, taken apart.
func file(t *testing.T, f *Facts) map[string]any {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, f); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(text.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// spoiler nulls and takes away each key of a file in turn.
type spoiler struct {
	t     *testing.T
	file  map[string]any
	tried int
}

// read says what becomes of the file as it is now, and where.
func (s *spoiler) read() string {
	s.t.Helper()
	text, err := json.Marshal(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = Read(bytes.NewReader(text))
	var bad Malformed
	switch {
	case err == nil:
		return "taken"
	case errors.As(err, &bad) && len(bad) == 1:
		return bad[0].Field
	}
	return err.Error()
}

// walk tries what stands in one value, of a type, below a path. In a part nothing is left
// out but what is never written where it is empty, and null is only what is not there.
func (s *spoiler) walk(of reflect.Type, v any, path string, within bool) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch v := v.(type) {
	case []any:
		s.walk(of.Elem(), v[0], path+"[0]", within)
		s.null(v[0], func(to any) { v[0] = to }, path+"[0]", within, of.Elem().Kind() == reflect.Pointer)
	case map[string]any:
		if of.Kind() == reflect.Map {
			s.walk(of.Elem(), v["k"], path+".k", within)
			s.null(v["k"], func(to any) { v["k"] = to }, path+".k", true, of.Elem().Kind() == reflect.Pointer)
			return
		}
		for _, f := range reflect.VisibleFields(of) {
			s.field(f, v, path, within || isPart(of))
		}
	}
}

func (s *spoiler) field(f reflect.StructField, in map[string]any, path string, within bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	v, there := in[name]
	if !there || strings.HasSuffix(path, "]") && name == "" {
		return
	}
	at := strings.TrimPrefix(path+"."+name, ".")
	s.walk(f.Type, v, at, within)
	top := name == "value" && strings.Count(at, "value") == 1 && (f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map)
	s.null(v, func(to any) { in[name] = to }, at, within && !top, f.Type.Kind() == reflect.Pointer && options == "")
	if !within {
		return
	}
	delete(in, name)
	want := "taken"
	if options == "" && !top {
		want = path
	}
	if is := s.read(); is != want {
		s.t.Errorf("without %s: %s, want %s", at, is, want)
	}
	in[name] = v
	s.tried++
}

// null tries a null there, which is taken where it stands for what is not there.
func (s *spoiler) null(v any, set func(any), at string, within, pointed bool) {
	if !within {
		return
	}
	set(nil)
	want := at
	if pointed {
		want = "taken"
	}
	if is := s.read(); is != want {
		s.t.Errorf("null in the place of %s: %s, want %s", at, is, want)
	}
	set(v)
	s.tried++
}

// R55: nothing of what is in a part may be null, or be left out, and count as empty: each
// such place of a file is told, of every kind of facts; and what is written where nothing
// is there is read back.
func TestNothingInAPartIsTakenForEmpty(t *testing.T) {
	f := full(reflect.TypeFor[Facts]()).Interface().(Facts)
	s := &spoiler{t: t, file: file(t, &f)}
	if is := s.read(); is != "taken" {
		t.Fatal(is)
	}
	s.walk(reflect.TypeFor[Facts](), s.file, "", false)
	if s.tried < 400 {
		t.Errorf("only %d places were tried", s.tried)
	}
	empty := &Facts{
		Nodes: Known([]Node{{}}), DaemonSets: Known([]DaemonSet{{}}), Revisions: Known([]Revision{{}}), Namespaces: Known(map[string]Namespace{"a": {}}), Injectors: Known([]Injector{{}}),
		Definitions: Known(map[string][]string{"a": nil}), RuntimeClasses: Known(map[string]*RuntimeClass{"a": nil, "b": {}}), Secrets: map[string]Part[*Secret]{"a/b": Known(&Secret{}), "a/c": Known[*Secret](nil)}, Release: Known([]Answer{{}}),
	}
	s.file = file(t, empty)
	if is := s.read(); is != "taken" {
		t.Errorf("what is written of things without anything: %s", is)
	}
}
