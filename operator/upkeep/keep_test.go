package upkeep

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func object(labels, annotations map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: annotations}}
}

// R50: what others add to labels and annotations is no difference; what is missing
// or has another value is.
func TestLabelsAreComparedFromWithin(t *testing.T) {
	type m = map[string]string
	for name, c := range map[string]struct {
		live, want *corev1.ConfigMap
		same       bool
	}{
		"the same":             {object(m{"a": "b"}, m{"c": "d"}), object(m{"a": "b"}, m{"c": "d"}), true},
		"more":                 {object(m{"a": "b", "x": "y"}, m{"x": "y"}), object(m{"a": "b"}, nil), true},
		"nothing is wanted":    {object(nil, nil), object(nil, nil), true},
		"a label is missing":   {object(nil, nil), object(m{"a": "b"}, nil), false},
		"an empty one is":      {object(nil, nil), object(m{"a": ""}, nil), false},
		"another value":        {object(m{"a": "c"}, nil), object(m{"a": "b"}, nil), false},
		"another annotation":   {object(nil, m{"c": "e"}), object(nil, m{"c": "d"}), false},
		"no annotation at all": {object(m{"a": "b"}, nil), object(m{"a": "b"}, m{"c": "d"}), false},
	} {
		if got := labelled(c.live, c.want); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// over lays one map upon another, and changes neither.
func TestOverChangesNeither(t *testing.T) {
	base, top := map[string]string{"a": "1", "b": "2"}, map[string]string{"b": "3"}
	all := over(base, top)
	if len(all) != 2 || all["a"] != "1" || all["b"] != "3" || base["b"] != "2" || len(top) != 1 {
		t.Errorf("%v of %v and %v", all, base, top)
	}
	if none := over(nil, nil); none == nil || len(none) != 0 {
		t.Errorf("of nothing: %v", none)
	}
}
