package facts

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// told is where and what a file's faults are: "2:7 nodes.value: message; found, expected".
func told(t *testing.T, text string) (all []string) {
	t.Helper()
	_, err := Read(strings.NewReader(text))
	var bad Malformed
	if !errors.As(err, &bad) {
		t.Fatalf("%s: %v", text, err)
	}
	for _, m := range bad {
		all = append(all, fmt.Sprintf("%d:%d %s: %s; %s, %s", m.Line, m.Column, m.Field, m.Message, m.Found, m.Expected))
	}
	return all
}

// R55: whatever kora would not have written is told with its line and field, all of it,
// in the order of the file.
func TestFormIsToldToTheLine(t *testing.T) {
	const lacks = "it lacks the key "
	const twice, other, null, key = "the key stands twice, and only one of the two would count; , each key once", "it is of another type; ", "a null stands for what is known; null, ", "there is no such key; , a key that this kora writes"
	for text, want := range map[string][]string{
		`[]`:             {"1:1 : " + other + "a list, a map"},
		`{"form":"one"}`: {"1:9 form: " + other + "a text, a whole number"},
		"{\"form\":1,\n \"nodes\": {\"value\": \"x\"}}":                                                       {"2:21 nodes.value: " + other + "a text, a list"},
		`{"form":1,"nodes":{"value":[{"name":"a","name":"b","labels":{},"ready":true}]},"nodes":{}}`:          {"1:41 nodes.value[0].name: " + twice, "1:80 nodes: " + twice},
		`{"form":1,"Nodes":{"value":[]},"extra":{"a":[{"b":1}]}}`:                                             {"1:11 Nodes: " + key, "1:32 extra: " + key},
		`{"form":1,"kubernetes":{"value":null},"nodes":{"value":[{"name":null,"ready":true,"labels":null}]}}`: {"1:33 kubernetes.value: " + null + "a text", "1:65 nodes.value[0].name: " + null + "a text", "1:92 nodes.value[0].labels: " + null + "a map"},
		`{"form":1,"nodes":{"value":[{}]},"secrets":{"a/b":{},"a/c":null,"a/d":{"unasked":true}}}`: {"1:29 nodes.value[0]: " + lacks + "name; , a text", "1:29 nodes.value[0]: " + lacks + "labels; , a map", "1:29 nodes.value[0]: " + lacks + "ready; , true or false",
			"1:51 secrets.a/b: " + lacks + "value; , a map", "1:60 secrets.a/c: " + null + "a map", "1:71 secrets.a/d: " + lacks + "value; , a map"},
		`{"form":1,"database":{"value":null}}`:                                                 {"1:31 database.value: " + null + "a map"},
		`{"form":1,"nodes":{"value":[{"ready":1,"labels":{"é":"ü","a.b":2},"name":""}]}}`:      {"1:38 nodes.value[0].ready: " + other + "a number, true or false", `1:64 nodes.value[0].labels."a.b": ` + other + "a number, a text"},
		`{"form":1,"storageClasses":{"value":[{"name":"a","provisioner":"b","default":1.5}]}}`: {"1:78 storageClasses.value[0].default: " + other + "a number, true or false"},
		`{"form":1,"asked":{"namespaces":null,"release":1.5},"cluster":{"context":null}}`:      {"1:48 asked.release: " + other + "a number, a text", "1:74 cluster.context: " + null + "a text"},
		`{"form":1,"secrets":{"a/b":{"value":{"type":"","lengths":{"k":"` + planted + `"}}}}}`: {"1:63 secrets.a/b.value.lengths.k: " + other + "a text, a whole number"},
		`{"form":1,"istioTags":{"value":{"a\nb":"x","a\u000ab":"y"}}}`:                         {`1:44 istioTags.value."a\nb": ` + twice},
		`{"form":1} {}`:     {"1:12 : something stands behind its end; , what kora preflight collect wrote, whole and once"},
		"{\"form\":1,\n x}": {"2:2 : it is no JSON from here on; , what kora preflight collect wrote, whole and once"},
	} {
		if is := told(t, text); !reflect.DeepEqual(is, want) {
			t.Errorf("%s:\n%q, want\n%q", text, is, want)
		}
	}
}

// R55: a file of faults alone is told within bounds, and repeats nothing of it.
func TestFaultsOfAFileAreBounded(t *testing.T) {
	text := crowded(`"strangers":[|{"`+strings.Repeat("k", 200)+`":"`+planted+`"}|]`, 1000)
	all := told(t, text)
	if len(all) != mostMisplaced || strings.Contains(strings.Join(all, ""), planted) || len(strings.Join(all, "")) > 300*mostMisplaced {
		t.Errorf("%d: %q", len(all), all[0])
	}
}

// R55: what kora writes itself has no fault, whatever is in it: every kind of value that
// facts have is known to the walk.
func TestWhatIsWrittenIsWellFormed(t *testing.T) {
	walked := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		if walked[of] || own(of) {
			return
		}
		walked[of] = true
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			for _, m := range shapeOf(of).members {
				walk(m.of)
			}
			if len(shapeOf(of).members) != len(reflect.VisibleFields(of)) && of != reflect.TypeFor[Secret]() {
				t.Errorf("%s has members without a name", of)
			}
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64:
		default:
			t.Errorf("nobody knows how %s is written", of)
		}
	}
	walk(reflect.TypeFor[Facts]())
	if len(walked) < 30 {
		t.Errorf("only %d types were looked at", len(walked))
	}
	for _, f := range []*Facts{sample(), Nothing("forbidden"), {}} {
		var file bytes.Buffer
		if err := Write(&file, f); err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(file.Bytes()); err != nil {
			t.Errorf("%v in\n%s", err, file.String())
		}
	}
}

// R55: hashes that stand there again are found, each once, and no others.
func TestRepeatedHashes(t *testing.T) {
	for _, c := range []struct{ of, want []uint32 }{
		{nil, nil}, {[]uint32{1}, nil}, {[]uint32{3, 1, 2}, nil}, {[]uint32{1, 1}, []uint32{1}}, {[]uint32{5, 1, 5, 2, 1, 5, 5, 0}, []uint32{1, 5}}, {[]uint32{0, 0, 7, 7, 7}, []uint32{0, 7}},
	} {
		if got := repeated(slices.Clone(c.of)); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.of, got, c.want)
		}
	}
}
