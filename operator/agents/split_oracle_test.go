package agents_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// The oracle walks every node of a small world and asks apimachinery's label
// requirements, as the scheduler does. The world tells apart all that generated
// placements can: their constants, an integer in each region, no integer, nothing.
var (
	worldKeys      = []string{"a", "b", "c"}
	worldConstants = []string{"x", "y", "3", "5"}
	worldBounds    = []string{"3", "5"}
	worldValues    = []string{"<absent>", "x", "y", "3", "5", "0", "03", "4", "05", "8", "zz"}
	worldNames     = []string{"n1", "n2", "n3"}
	worldOperators = []corev1.NodeSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"}
)

type node struct {
	labels labels.Set
	name   string
}

func world(visit func(node) (stop bool)) {
	for code := range len(worldValues) * len(worldValues) * len(worldValues) {
		n := node{labels: labels.Set{}}
		for _, key := range worldKeys {
			if value := worldValues[code%len(worldValues)]; value != "<absent>" {
				n.labels[key] = value
			}
			code /= len(worldValues)
		}
		for _, n.name = range worldNames {
			if visit(n) {
				return
			}
		}
	}
}

// admits mirrors GetRequiredNodeAffinity(pod).Match(node) of component-helpers.
func (n node) admits(s *corev1.PodSpec) bool {
	if !labels.SelectorFromSet(s.NodeSelector).Matches(n.labels) {
		return false
	}
	if s.Affinity == nil || s.Affinity.NodeAffinity == nil || s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	terms := s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	return slices.ContainsFunc(terms, n.meets)
}

func (n node) meets(t corev1.NodeSelectorTerm) bool {
	for _, e := range t.MatchExpressions {
		operator := map[corev1.NodeSelectorOperator]selection.Operator{
			"In": selection.In, "NotIn": selection.NotIn, "Exists": selection.Exists,
			"DoesNotExist": selection.DoesNotExist, "Gt": selection.GreaterThan, "Lt": selection.LessThan,
		}[e.Operator]
		r, err := labels.NewRequirement(e.Key, operator, e.Values)
		if err != nil || !r.Matches(n.labels) {
			return false
		}
	}
	for _, f := range t.MatchFields {
		if len(f.Values) != 1 || (f.Operator == "In") != (f.Values[0] == n.name) {
			return false
		}
	}
	return len(t.MatchExpressions)+len(t.MatchFields) > 0
}

// script turns numbers into placements; each draw takes one and wraps around.
type script struct {
	numbers []byte
	at      int
}

func (s *script) draw(n int) int {
	if len(s.numbers) == 0 {
		return 0
	}
	number := s.numbers[s.at%len(s.numbers)]
	s.at++
	return int(number) % n
}

func pick[T any](s *script, from []T) T { return from[s.draw(len(from))] }

func (s *script) placement() *corev1.PodSpec {
	result := &corev1.PodSpec{}
	if s.draw(3) == 0 {
		result.NodeSelector = map[string]string{pick(s, worldKeys): pick(s, worldConstants)}
	}
	terms := s.draw(5)
	if terms == 4 {
		return result
	}
	required := &corev1.NodeSelector{}
	for range terms {
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, s.term())
	}
	result.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	return result
}

func (s *script) term() (t corev1.NodeSelectorTerm) {
	for range s.draw(4) {
		r := corev1.NodeSelectorRequirement{Key: pick(s, worldKeys), Operator: pick(s, worldOperators)}
		switch r.Operator {
		case "In", "NotIn":
			for range 1 + s.draw(3) {
				r.Values = append(r.Values, pick(s, worldConstants))
			}
		case "Gt", "Lt":
			r.Values = []string{pick(s, worldBounds)}
		}
		t.MatchExpressions = append(t.MatchExpressions, r)
	}
	if s.draw(4) == 0 {
		operator := []corev1.NodeSelectorOperator{"In", "NotIn"}[s.draw(2)]
		t.MatchFields = []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: operator, Values: []string{worldNames[s.draw(2)]}}}
	}
	return t
}

// checkAgainstOracle compares the decision, and proves the sample.
func checkAgainstOracle(t *testing.T, numbers []byte) (split bool) {
	t.Helper()
	s := &script{numbers: numbers}
	sessionManager, sandbox := s.placement(), s.placement()
	world(func(n node) bool {
		split = n.admits(sessionManager) && !n.admits(sandbox)
		return split
	})
	got := agents.SplitPlacement(sessionManager, sandbox)
	if (got != nil) != split {
		t.Fatalf("split %v, want %v\nsession-manager %+v\nsandbox %+v", got, split, sessionManager, sandbox)
	}
	if split {
		proveSample(t, got, sessionManager, sandbox)
	}
	return split
}

func proveSample(t *testing.T, got *agents.Split, sessionManager, sandbox *corev1.PodSpec) {
	t.Helper()
	n := node{labels: labels.Set(got.Node), name: "unnamed"}
	if name, given := got.Node["metadata.name"]; given {
		n.name = name
	}
	if got.Undecided || !n.admits(sessionManager) || n.admits(sandbox) {
		t.Fatalf("sample %+v is none\nsession-manager %+v\nsandbox %+v", got, sessionManager, sandbox)
	}
}

// R9: exactly the placements that split are found, each with a true sample.
func TestSplitPlacementAgreesWithEnumerationR9(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	found := map[bool]int{}
	for range 600 {
		numbers := make([]byte, 64)
		for i := range numbers {
			numbers[i] = byte(random.Uint32())
		}
		found[checkAgainstOracle(t, numbers)]++
	}
	if found[true] < 80 || found[false] < 80 {
		t.Errorf("the cases are lopsided: %v", fmt.Sprint(found))
	}
}

// R9: the same, on what the fuzzer thinks of.
func FuzzSplitPlacement(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte("the seed's two pools"))
	f.Fuzz(func(t *testing.T, numbers []byte) { checkAgainstOracle(t, numbers) })
}
