package agents_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
)

// spec places a pod by a node selector ("k=v k2=v2") and by alternative terms.
func spec(selector string, terms ...corev1.NodeSelectorTerm) *corev1.PodSpec {
	s := &corev1.PodSpec{}
	for _, pair := range strings.Fields(selector) {
		if s.NodeSelector == nil {
			s.NodeSelector = map[string]string{}
		}
		key, value, _ := strings.Cut(pair, "=")
		s.NodeSelector[key] = value
	}
	if terms != nil {
		s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
	return s
}

// all is one term of expressions like "k In a,b" or "k Exists"; a key that is
// metadata.name is a field.
func all(expressions ...string) corev1.NodeSelectorTerm {
	var t corev1.NodeSelectorTerm
	for _, expression := range expressions {
		words := strings.Fields(expression)
		r := corev1.NodeSelectorRequirement{Key: words[0], Operator: corev1.NodeSelectorOperator(words[1])}
		if len(words) > 2 {
			r.Values = strings.Split(words[2], ",")
		}
		if r.Key == "metadata.name" {
			t.MatchFields = append(t.MatchFields, r)
		} else {
			t.MatchExpressions = append(t.MatchExpressions, r)
		}
	}
	return t
}

func none() []corev1.NodeSelectorTerm { return []corev1.NodeSelectorTerm{} }

// R9: the cases that people meet. node is the sample; empty means no split.
func TestSplitPlacementDecidesR9(t *testing.T) {
	for _, c := range []struct {
		name                    string
		sessionManager, sandbox *corev1.PodSpec
		node                    string
	}{
		{"the seed's two pools", spec("workload-tier=kora"), spec("workload-tier=kora-sandbox"), "map[workload-tier:kora]"},
		{"nothing asked", spec(""), spec(""), ""},
		{"no specs", nil, nil, ""},
		{"equal selectors", spec("pool=a zone=b"), spec("zone=b pool=a"), ""},
		{"sandbox asks for less", spec("pool=a zone=b"), spec("pool=a"), ""},
		{"sandbox asks for nothing", spec("pool=a"), spec(""), ""},
		{"sandbox asks for more", spec("pool=a"), spec("pool=a zone=b"), "map[pool:a]"},
		{"only the sandbox asks", spec(""), spec("pool=a"), "map[]"},
		{"selector here, the same affinity there", spec("pool=a"), spec("", all("pool In a")), ""},
		{"affinity here, the same selector there", spec("", all("pool In a")), spec("pool=a"), ""},
		{"narrower In", spec("", all("pool In a")), spec("", all("pool In a,b")), ""},
		{"wider In", spec("", all("pool In a,b")), spec("", all("pool In a")), "map[pool:b]"},
		{"sandbox only wants the label", spec("pool=a"), spec("", all("pool Exists")), ""},
		{"any pool against one", spec("", all("pool Exists")), spec("pool=a"), "map[pool:other]"},
		{"NotIn takes nodes without the label", spec("", all("pool NotIn b")), spec("", all("pool Exists")), "map[]"},
		{"NotIn of another value", spec("pool=a"), spec("", all("pool NotIn b")), ""},
		{"NotIn of the same value", spec("pool=a"), spec("", all("pool NotIn a")), "map[pool:a]"},
		{"DoesNotExist against NotIn", spec("", all("pool DoesNotExist")), spec("", all("pool NotIn a,b")), ""},
		{"alternatives that cover together", spec("", all("zone In a,b")), spec("", all("zone In a"), all("zone In b")), ""},
		{"alternatives that leave a hole", spec("", all("zone In a,b,c")), spec("", all("zone In a"), all("zone In b")), "map[zone:c]"},
		{"present or absent covers all", spec(""), spec("", all("pool Exists"), all("pool DoesNotExist")), ""},
		{"covering takes two keys", spec("pool=a"), spec("", all("pool In a", "zone In x"), all("zone NotIn x")), ""},
		{"one of several terms splits", spec("", all("pool In a"), all("pool In b")), spec("pool=a"), "map[pool:b]"},
		{"the first way out is a dead end", spec("", all("a In x,y", "b In x,y")),
			spec("", all("a In x", "b In x"), all("a In y", "b In x"), all("a In y", "b In y")), "map[a:x b:y]"},
		{"contradictory session-manager admits no node", spec("pool=a", all("pool In b")), spec("pool=z"), ""},
		{"session-manager without terms admits no node", spec("", none()...), spec("pool=z"), ""},
		{"sandbox without terms admits no node", spec("pool=a"), spec("", none()...), "map[pool:a]"},
		{"an empty term matches nothing", spec("pool=a"), spec("", all()), "map[pool:a]"},
		{"an empty term beside one that holds", spec("pool=a"), spec("", all(), all("pool In a")), ""},
		{"a term that does not parse matches nothing", spec("pool=a"), spec("", all("pool Like a")), "map[pool:a]"},
		{"Gt above Gt", spec("", all("cores Gt 8")), spec("", all("cores Gt 4")), ""},
		{"Gt below Gt", spec("", all("cores Gt 4")), spec("", all("cores Gt 8")), "map[cores:5]"},
		{"Gt wants an integer", spec("", all("cores Exists")), spec("", all("cores Gt 0"), all("cores Lt 1")), "map[cores:other]"},
		{"Gt and Lt leave one integer", spec("", all("cores Gt 4", "cores Lt 6")), spec("", all("cores Gt 4")), ""},
		{"one integer has many spellings", spec("", all("cores Gt 4", "cores Lt 6")), spec("cores=5"), "map[cores:05]"},
		{"no integer between", spec("", all("cores Gt 4", "cores Lt 5")), spec("cores=z"), ""},
		{"no label is below zero", spec("", all("cores Lt 0")), spec("cores=z"), ""},
		{"no label is above the largest integer", spec("", all("cores Gt 9223372036854775807")), spec("cores=z"), ""},
		{"no node carries such a label", spec("pool=a/b"), spec("pool=z"), ""},
		{"one node's name", spec("", all("metadata.name In n1")), spec("", all("metadata.name In n1"), all("metadata.name In n2")), ""},
		{"another node's name", spec("", all("metadata.name In n1")), spec("", all("metadata.name NotIn n1")), "map[metadata.name:n1]"},
		{"every node has a name", spec(""), spec("", all("metadata.name NotIn n1"), all("metadata.name In n1")), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if split := agents.SplitPlacement(c.sessionManager, c.sandbox); split != nil {
				got = fmt.Sprint(split.Node)
			}
			if got != c.node {
				t.Errorf("split %q, want %q", got, c.node)
			}
		})
	}
}

// R9: preferred terms and pod affinity are not inspected.
func TestSplitPlacementIgnoresPreferencesR9(t *testing.T) {
	sandbox := spec("")
	preferred := []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: all("pool In b")}}
	pin := []corev1.PodAffinityTerm{agents.PinTerm("coder")}
	sandbox.Affinity = &corev1.Affinity{
		NodeAffinity:    &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: preferred},
		PodAffinity:     &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: pin},
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: pin},
	}
	if split := agents.SplitPlacement(spec("pool=a"), sandbox); split != nil {
		t.Errorf("split %v, want none", split.Node)
	}
}

// R9: a sandbox that asks for less is no split, however the terms are cut.
func TestSplitPlacementOfEqualPlacementsIsNoneR9(t *testing.T) {
	for size := 1; size <= 64; size *= 2 {
		placement := manyTerms(size)
		if split := agents.SplitPlacement(placement, placement.DeepCopy()); split != nil {
			t.Errorf("%d terms: %v", size, split)
		}
	}
}

// manyTerms is a placement of that many terms over as many keys each.
func manyTerms(size int) *corev1.PodSpec {
	var terms []corev1.NodeSelectorTerm
	for i := range size {
		var expressions []string
		for key := range size {
			expressions = append(expressions, fmt.Sprintf("key%d In v%d,w%d", key, i, key))
		}
		terms = append(terms, all(expressions...))
	}
	return spec("tier=kora", terms...)
}

// R9: placements made to be hard end in time, undecided, and never in a wrong "no
// split". This one puts n+1 pigeons into n holes, which no search of this kind
// refutes quickly.
func TestSplitPlacementGivesUpInsteadOfHangingR9(t *testing.T) {
	const holes = 14
	var terms []corev1.NodeSelectorTerm
	for hole := range holes {
		for a := range holes + 1 {
			for b := range a {
				terms = append(terms, all(fmt.Sprintf("in-%d-%d In y", a, hole), fmt.Sprintf("in-%d-%d In y", b, hole)))
			}
		}
	}
	for pigeon := range holes + 1 {
		var out []string
		for hole := range holes {
			out = append(out, fmt.Sprintf("in-%d-%d NotIn y", pigeon, hole))
		}
		terms = append(terms, all(out...))
	}
	start := time.Now()
	split := agents.SplitPlacement(spec(""), spec("", terms...))
	if diff := cmp.Diff(&agents.Split{Undecided: true}, split); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// R9: size alone is no way to hang the check either. The many values and bounds
// of one key cost their product.
func TestSplitPlacementBoundsLargePlacementsR9(t *testing.T) {
	var values, expressions []string
	for i := range 20000 {
		values = append(values, fmt.Sprint(i))
		expressions = append(expressions, fmt.Sprintf("cores Gt %d", i))
	}
	expressions = append(expressions, "cores In "+strings.Join(values, ","))
	start := time.Now()
	split := agents.SplitPlacement(spec(""), spec("", all(expressions...)))
	if split == nil || !split.Undecided {
		t.Errorf("got %v, want it undecided", split)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
