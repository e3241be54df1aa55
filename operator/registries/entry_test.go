package registries

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// R51: what is kept of a ServiceEntry tells whether it is as it should be, when it comes
// from the API server as well, and is as small of a large one.
func TestWhatIsKeptOfAServiceEntry(t *testing.T) {
	p := &v1alpha1.ModelProvider{}
	p.Namespace, p.Name, p.UID = "kora-tenant-a", "m", "u-1"
	p.Spec.Endpoint = "https://models.example.com:8443/v1"
	m := &mesh{system: "kora-system"}
	want := entryOf(m.entry(p, "a"))
	for name, c := range map[string]struct {
		change func(o *unstructured.Unstructured)
		same   bool
	}{
		"as it is": {func(*unstructured.Unstructured) {}, true},
		"with annotations": {func(o *unstructured.Unstructured) {
			o.SetAnnotations(map[string]string{"a": strings.Repeat("x", 1<<18)})
		}, true},
		"of a later version": {func(o *unstructured.Unstructured) { o.SetResourceVersion("7") }, true},
		"for everybody":      {func(o *unstructured.Unstructured) { set(o, []any{"*"}, "exportTo") }, false},
		"another host":       {func(o *unstructured.Unstructured) { set(o, []any{"evil.example.com"}, "hosts") }, false},
		"one port more": {func(o *unstructured.Unstructured) {
			set(o, []any{map[string]any{"number": int64(8443)}, map[string]any{"number": int64(22)}}, "ports")
		}, false},
		"no ports":            {func(o *unstructured.Unstructured) { delete(o.Object["spec"].(map[string]any), "ports") }, false},
		"one field more":      {func(o *unstructured.Unstructured) { set(o, "x", "addresses") }, false},
		"no spec":             {func(o *unstructured.Unstructured) { delete(o.Object, "spec") }, false},
		"nobody's":            {func(o *unstructured.Unstructured) { o.SetOwnerReferences(nil) }, false},
		"another's":           {func(o *unstructured.Unstructured) { own(o, "u-2") }, false},
		"of another provider": {func(o *unstructured.Unstructured) { label(o, LabelProvider, "x") }, false},
		"of another tenant":   {func(o *unstructured.Unstructured) { label(o, v1alpha1.LabelTenant, "b") }, false},
		"without labels":      {func(o *unstructured.Unstructured) { o.SetLabels(nil) }, false},
		"with a label":        {func(o *unstructured.Unstructured) { label(o, "example.com/of", "b") }, true},
		"of a revision":       {func(o *unstructured.Unstructured) { label(o, "istio.io/rev", "canary") }, false},
		"by another way": {func(o *unstructured.Unstructured) {
			o.SetAnnotations(map[string]string{"networking.istio.io/traffic-distribution": "PreferClose"})
		}, false},
		"two owners'": {func(o *unstructured.Unstructured) { own(o, "u-1", "u-2") }, false},
	} {
		text, err := json.Marshal(m.entry(p, "a").Object)
		if err != nil {
			t.Fatal(err)
		}
		o := &unstructured.Unstructured{}
		if err := o.UnmarshalJSON(text); err != nil { // as the API server's answers are read
			t.Fatal(err)
		}
		c.change(o)
		if is := entryOf(o).is(want); is != c.same {
			t.Errorf("%s: it counts as the same: %v", name, is)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[entry]()) {
		if k := f.Type.Kind(); k != reflect.Array && k != reflect.Int64 {
			t.Errorf("%s is kept, a %s, which may hold any number of bytes", f.Name, k)
		}
	}
}

func set(o *unstructured.Unstructured, value any, field string) {
	o.Object["spec"].(map[string]any)[field] = value
}

func label(o *unstructured.Unstructured, key, value string) {
	labels := o.GetLabels()
	labels[key] = value
	o.SetLabels(labels)
}

func own(o *unstructured.Unstructured, uids ...types.UID) {
	var all []metav1.OwnerReference
	for _, uid := range uids {
		all = append(all, metav1.OwnerReference{APIVersion: "v1", Kind: "X", Name: "x", UID: uid})
	}
	o.SetOwnerReferences(all)
}

// R51: the Services on which a pass rests, and the hosts that it judges by them, are found
// once, when it looks at what there is.
func TestHostsAreTakenApartOnce(t *testing.T) {
	const system = "kora-system"
	connection := func(name, host string) *resource {
		o := &v1alpha1.Connection{}
		o.Namespace, o.Name = "kora-tenant-a", name
		o.Spec.Hosts = []v1alpha1.Host{v1alpha1.Host(host)}
		return &resource{object: o, guesses: guessesOf(o, system)}
	}
	near, far := connection("near", "db.dev"), connection("far", "api.eu.models.example.com")
	if len(near.guesses) != 1 || far.guesses != nil {
		t.Fatalf("%v, %v", near.guesses, far.guesses)
	}
	s := &snapshot{system: system, resources: map[string][]*resource{kindConnection: {near, far}}}
	names := s.named()
	if got := fmt.Sprint(names); got != "map[dev/db:true kora-system/dev:true]" {
		t.Errorf("it rests on %s", got)
	}
	s.services = map[types.NamespacedName]*corev1.Service{{Namespace: "dev", Name: "db"}: {}}
	near.object.(*v1alpha1.Connection).Spec.Hosts[0] = "changed.since.then.example.com"
	if s.judgeHosts(near.guesses) == nil || s.judgeHosts(far.guesses) != nil {
		t.Error("it is not judged by what it was found to rest on")
	}
}
