package main

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// R50: the collector knows nine tenths of what the container may have, and nothing of
// what is no number; Go's own variable goes before.
func TestMemoryIsLimited(t *testing.T) {
	was := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(was) })
	for _, test := range []struct {
		limit, own string
		want       int64
	}{
		{"1073741824", "", 966367638}, {"10", "", 9}, {"9223372036854775807", "", math.MaxInt64 / 10 * 9},
		{"", "", 0}, {"0", "", 0}, {"-5", "", 0}, {"1Gi", "", 0}, {"9223372036854775808", "", 0}, {"1073741824", "512MiB", 0},
	} {
		debug.SetMemoryLimit(math.MaxInt64)
		got := limitMemory(func(name string) string {
			return map[string]string{memoryVariable: test.limit, "GOMEMLIMIT": test.own}[name]
		})
		in := debug.SetMemoryLimit(-1)
		if got != test.want || test.want > 0 && in != test.want || test.want == 0 && in != math.MaxInt64 {
			t.Errorf("%+v: %d, and %d in force", test, got, in)
		}
	}
}

// R50: the chart hands the operator the limit of its own container, and no other service.
func TestTheChartTellsTheLimit(t *testing.T) {
	told := 0
	for _, o := range operatortest.Rendered(t, nil, "Deployment") {
		containers, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
		for _, c := range containers {
			variables, _, _ := unstructured.NestedSlice(c.(map[string]any), "env")
			for _, v := range variables {
				if v := v.(map[string]any); v["name"] == memoryVariable {
					from, _, _ := unstructured.NestedString(v, "valueFrom", "resourceFieldRef", "resource")
					limit, _, _ := unstructured.NestedString(c.(map[string]any), "resources", "limits", "memory")
					if told++; o.GetName() != "kora-operator" || from != "limits.memory" || limit != "1Gi" {
						t.Errorf("%s: %v, limit %q", o.GetName(), v, limit)
					}
				}
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
