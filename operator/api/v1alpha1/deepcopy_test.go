package v1alpha1_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"
)

// R19: a copy equals its original and shares nothing with it, and an object comes
// back from JSON and from the form of dynamic clients as it was.
func TestObjectsSurviveCopiesAndEncodings(t *testing.T) {
	fill := randfill.NewWithSeed(1).NilChance(0.2).NumElements(1, 3).Funcs(
		func(m *metav1.Time, c randfill.Continue) { *m = metav1.NewTime(time.Unix(c.Int63n(1<<32), 0).Local()) },
		func(m *metav1.ObjectMeta, c randfill.Continue) {
			m.Name, m.Labels = c.String(8), map[string]string{"a": c.String(8)}
		},
	)
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for kind := range schemas(t) {
		for _, kind := range []string{kind, kind + "List"} {
			for range 100 {
				roundTrip(t, scheme, kind, fill)
			}
		}
	}
}

func roundTrip(t *testing.T, scheme *runtime.Scheme, kind string, fill *randfill.Filler) {
	t.Helper()
	empty := func() runtime.Object {
		o, err := scheme.New(v1alpha1.GroupVersion.WithKind(kind))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := empty()
	fill.Fill(o)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	duplicate := o.DeepCopyObject()
	if diff := cmp.Diff(o, duplicate); diff != "" {
		t.Fatalf("%s: the copy differs:\n%s", kind, diff)
	}
	if shared := sharing(reflect.ValueOf(o), reflect.ValueOf(duplicate), kind); shared != "" {
		t.Fatalf("the copy shares %s", shared)
	}
	back := empty()
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Fatalf("%s: JSON\n%s\ncame back as\n%s", kind, text, again)
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	dynamic := empty()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, dynamic); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(dynamic); string(again) != string(text) {
		t.Fatalf("%s: through unstructured\n%s\ncame back as\n%s", kind, text, again)
	}
}

// sharing names a pointer, list or map that two equal values have in common.
func sharing(a, b reflect.Value, path string) string {
	if a.Type() == reflect.TypeFor[metav1.Time]() {
		return "" // points to its location, which never changes
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() {
			return ""
		}
		if a.Pointer() == b.Pointer() {
			return path
		}
		return sharing(a.Elem(), b.Elem(), path)
	case reflect.Slice:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return path
		}
		for i := range a.Len() {
			if s := sharing(a.Index(i), b.Index(i), path+"[]"); s != "" {
				return s
			}
		}
	case reflect.Map:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return path
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if s := sharing(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name); s != "" {
				return s
			}
		}
	}
	return ""
}
