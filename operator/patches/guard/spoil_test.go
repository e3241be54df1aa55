package guard_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// spoiled is a pod in which one thing is not as it was.
type spoiled struct {
	where string // the field and what became of it
	pod   []byte
}

// spoiler changes plain objects, one field at a time. donors are the values of
// the fields of a Go type, wherever one was seen: put beside what is there they
// make two sources of one volume, two ways of one probe, and so on.
type spoiler struct {
	root   map[string]any
	donors map[reflect.Type]map[string]any
	yield  func(spoiled)
}

func pods(t testing.TB) []map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/pods.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for doc := range strings.SplitSeq(string(text), "\n---\n") {
		var pod map[string]any
		if err := yaml.Unmarshal([]byte(doc), &pod); err != nil {
			t.Fatal(err)
		}
		out = append(out, pod)
	}
	return out
}

// spoil gives every pod that is taken as it is with every spoiled field.
func spoil(t testing.TB, taken func(pod []byte) bool, yield func(spoiled)) {
	all, podType := pods(t), reflect.TypeFor[corev1.Pod]()
	s := &spoiler{donors: map[reflect.Type]map[string]any{}, yield: yield}
	for _, pod := range all {
		s.collect(pod, podType)
	}
	for _, pod := range all {
		s.root = pod
		meta := pod["metadata"].(map[string]any)
		name := meta["name"].(string)
		if !taken(s.now(name).pod) {
			continue
		}
		s.walk(pod["spec"], reflect.TypeFor[corev1.PodSpec](), name+": spec", func(v any) { pod["spec"] = v })
		for _, part := range []string{"labels", "annotations"} {
			if v, has := meta[part]; has {
				s.walk(v, reflect.TypeFor[map[string]string](), name+": "+part, func(v any) { meta[part] = v })
			}
		}
	}
}

func (s *spoiler) now(where string) spoiled {
	text, err := json.Marshal(s.root)
	if err != nil {
		panic(err)
	}
	return spoiled{where, text}
}

// try puts a value in a place for a moment.
func (s *spoiler) try(where string, v, was any, put func(any)) {
	put(v)
	s.yield(s.now(where + " = " + short(v)))
	put(was)
}

func short(v any) string {
	text, _ := json.Marshal(v)
	return string(text[:min(len(text), 120)])
}

func (s *spoiler) walk(v any, t reflect.Type, at string, put func(any)) {
	switch v := v.(type) {
	case map[string]any:
		s.mapping(v, t, at)
	case []any:
		s.list(v, t, at, put)
	default:
		for _, other := range candidates(v, t, lastName(at)) {
			s.try(at, other, v, put)
		}
	}
}

func (s *spoiler) mapping(v map[string]any, t reflect.Type, at string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		was := v[name]
		inner, is := fieldOf(t, name)
		if !is {
			inner = elem(t)
		}
		delete(v, name)
		s.yield(s.now(at + "." + name + " gone"))
		v[name] = was
		s.walk(was, inner, at+"."+name, func(other any) { v[name] = other })
	}
	others := s.donors[indirect(t)]
	if indirect(t).Kind() == reflect.Map {
		others = strange(t)
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if _, has := v[name]; !has {
			v[name] = others[name]
			s.yield(s.now(at + "." + name + " added"))
			delete(v, name)
		}
	}
}

// strange are entries for maps: labels, annotations, attributes and amounts.
func strange(t reflect.Type) map[string]any {
	if indirect(t).Elem() == reflect.TypeFor[resource.Quantity]() {
		return map[string]any{"cpu": "1", "cpus": "1", "memory": "1Gi", "ephemeral-storage": "1Gi", "storage": "1Gi", "pods": "1", "hugepages-2Mi": "3Mi", "hugepages-1Gi": "1Gi",
			"hugepages-": "1", "hugepages-x": "1", "requests.example.com/a": "1", "requests.cpu": "1", "limits.cpu": "1", "example.com/a": "1500m", "example.com/b": "2", "kubernetes.io/a": "1", "kubernetes.io/batch-cpu": "1", "a.kubernetes.io/b": "1", "a b": "1", "example.com/" + strings.Repeat("x", 63): "1", "requests.hugepages-2Mi": "2Mi", "attachable-volumes-x": "1"}
	}
	return map[string]any{"a b": "x", "": "x", "x": "a b", "/a": "x", "a/b/c": "x", "x/": "x", strings.Repeat("x", 64): "x", "UPPER.example.com/a": "x", "tier": "x", "pod-template-hash": "x", "tenant": "x",
		"seccomp.security.alpha.kubernetes.io/pod": "odd", "container.seccomp.security.alpha.kubernetes.io/session-manager": "runtime/default", "container.apparmor.security.beta.kubernetes.io/nobody": "unconfined",
		"container.apparmor.security.beta.kubernetes.io/session-manager": "odd", "container.apparmor.security.beta.kubernetes.io/sandbox": "unconfined", "kubernetes.io/config.mirror": "x", "scheduler.alpha.kubernetes.io/tolerations": "x", "controller.kubernetes.io/pod-deletion-cost": "x"}
}

func (s *spoiler) list(v []any, t reflect.Type, at string, put func(any)) {
	s.try(at, []any{}, v, put)
	for i, item := range v {
		place := fmt.Sprintf("%s[%d]", at, i)
		s.try(place+" gone from", slices.Delete(slices.Clone(v), i, i+1), v, put)
		s.try(place+" twice in", append(slices.Clone(v), item), v, put)
		s.walk(item, elem(t), place, func(other any) { v[i] = other })
	}
	many := slices.Clone(v)
	for i := range 40 {
		many = append(many, numbered(v[0], i))
	}
	s.try(at+" many", many, v, put)
}

// numbered is a value under another name, where it has one.
func numbered(v any, i int) any {
	switch v := v.(type) {
	case string:
		return fmt.Sprint(v, i)
	case map[string]any:
		out := maps.Clone(v)
		for _, key := range []string{"name", "key", "path", "mountPath", "topologyKey", "conditionType"} {
			if text, is := out[key].(string); is {
				out[key] = fmt.Sprint(text, i)
			}
		}
		return out
	}
	return v
}

// Texts that are wrong in many ways, and those that mean something in some place.
var (
	texts     = []string{"", "a b", "a ", "../b", "..b", "/b", "a/", "A", "_a.b", "a..b", "-1", "x/y", "X/y/z", "$(A)", "ä\n"}
	long      = []int{64, 254, 4096}
	words     = []string{"odd", "Always", "Never", "OnFailure", "None", "Exists", "In", "NotIn", "Gt", "Equal", "DoesNotExist", "NoExecute", "NoSchedule", "Localhost", "RuntimeDefault", "Unconfined", "RestartContainer", "NotRequired", "DoNotSchedule", "ScheduleAnyway", "ReadWriteOncePod", "linux", "windows", "Memory", "Bidirectional", "HostToContainer", "Enabled", "Block", "Directory", "Unmasked", "cpu", "memory", "RestartAllContainers"}
	addresses = []string{"192.0.2.10", "192.0.2.010", "192.0.2", "::ffff:192.0.2.1", "fe80::1%eth0", "2001:db8::1", "2001:DB8::1"}
	paths     = []string{"spec.foo", "limits.foo", "limits.cpu", "requests.memory", "limits.hugepages-", "requests.hugepages-2Mi", "metadata.name", "metadata.uid", "metadata.labels", "metadata.annotations", "metadata.labels['a b']", "metadata.labels['']", "metadata.labels[app]", "metadata.labels['app'", "metadata.annotations['A/b']", "metadata.annotations['a b']", "status.podIP['a']", "metadata.name['a']", "['a']", "status.hostIPs", "status.phase", "spec.nodeName", "spec.host", "spec.serviceAccountName", "spec.schedulerName", "v2"}
	refs      = []string{"gpu", "tpu", "scratch", "block", "fresh", "config", "all-fresh", "session-manager", "proxy", "http"}
	amounts   = []string{"0", "-1", "1", "1m", "500m", "1k", "3", "100Gi", "1Ki", "3Mi", "1e3", "1024", "1Mi"}
	numerals  = []int64{-1, 0, 1, 2, 11, 255, 511, 512, 1000, 3599, 65535, 65536, math.MaxInt32, math.MaxInt32 + 1, 1<<32 + 1}
)

// meant are the texts that a field may hold by its name, besides those that are
// tried everywhere.
func meant(field string, t reflect.Type) []string {
	switch {
	case t.Name() != "string":
		return words
	case field == "ip" || field == "hostIP" || field == "nameservers":
		return addresses
	case field == "fieldPath" || field == "resource" || field == "apiVersion" || field == "key":
		return paths
	case strings.HasSuffix(field, "ame") || field == "value":
		return refs
	}
	return nil
}

// lastName is the name of the innermost field of a path.
func lastName(at string) string {
	name, _, _ := strings.Cut(at[strings.LastIndexByte(at, '.')+1:], "[")
	return name
}

// candidates are other values for a leaf.
func candidates(v any, t reflect.Type, field string) []any {
	var out []any
	switch t = indirect(t); {
	case t == reflect.TypeFor[resource.Quantity]():
		for _, a := range amounts {
			out = append(out, a)
		}
	case t == reflect.TypeFor[intstr.IntOrString]():
		out = append(out, "", "a b", "http", "HTTP", "-", "1", "a-very-long-port-name", -1, 0, 65535, 65536)
	case t.Kind() == reflect.String:
		for _, text := range slices.Concat(texts, meant(field, t)) {
			out = append(out, text)
		}
		for _, n := range long {
			out = append(out, strings.Repeat("x", n))
		}
	case t.Kind() == reflect.Bool:
		out = append(out, v != true)
	default:
		for _, n := range numerals {
			out = append(out, n)
		}
	}
	return slices.DeleteFunc(out, func(o any) bool { return o == v })
}

// collect takes in what the fields of the types are somewhere.
func (s *spoiler) collect(v any, t reflect.Type) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if of, is := fieldOf(t, name); is {
				if s.donors[indirect(t)] == nil {
					s.donors[indirect(t)] = map[string]any{}
				}
				if _, has := s.donors[indirect(t)][name]; !has {
					s.donors[indirect(t)][name] = inner
				}
				s.collect(inner, of)
			}
		}
	case []any:
		for _, item := range v {
			s.collect(item, elem(t))
		}
	}
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func elem(t reflect.Type) reflect.Type { return indirect(t).Elem() }

// fieldOf is a field of a struct by its name in JSON.
func fieldOf(t reflect.Type, name string) (reflect.Type, bool) {
	t = indirect(t)
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name {
			return f.Type, true
		}
		if f.Anonymous && tag == "" {
			if inner, is := fieldOf(f.Type, name); is {
				return inner, true
			}
		}
	}
	return nil, false
}
