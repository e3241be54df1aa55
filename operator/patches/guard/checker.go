package guard

import (
	"encoding/json"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// Why a field is protected, as a message says it.
const (
	whyIdentity = "a patch may not change the identity of an object"
	whySelector = "a patch may not change what an object selects"
	whyOwned    = "a patch may not change a label or annotation that kora owns"
	whyCluster  = "the cluster writes this field, not a patch"
	whySecurity = "a patch may not change the security context"
	// WhyScheduler is said of a node's name in a pod.
	WhyScheduler = "a patch may not name the node of a pod, which passes the scheduler by"

	whyHost     = "a patch may not open the node's namespaces to a pod"
	whyToken    = "a patch may not change the service account or its token"
	whyHeadless = "the agent's service is headless, and stays it"
	whyWork     = "a patch may not change the workspace's volume and mount"
)

type checker struct {
	found []Violation
	had   []string // volumes of the pod as kora built it, for Sound
	pulls []string // pull Secrets of the pod as kora built it

	spec    *corev1.PodSpec // the pod that Sound judges
	podName string          // and its name, empty where it gets one later
}

func (c *checker) add(v Violation) { c.found = append(c.found, v) }

// same demands that a protected value is equal before and after. Where it is
// not, each field in it that differs is a violation of its own, unless all of
// it is gone.
func (c *checker) same(at fields.Path, before, after any, why string) {
	if equality.Semantic.DeepEqual(before, after) {
		return
	}
	if plain(after) == fields.Absent { // taken away as a whole: one cause
		c.protected(at, plain(before), fields.Absent, why)
		return
	}
	changes := fields.Diff(plain(before), plain(after), fields.Of(before))
	was := len(c.found)
	for _, ch := range changes {
		if !none(ch.From) || !none(ch.To) { // a null where nothing was tells nobody anything
			c.protected(join(at, ch.Path), ch.From, ch.To, why)
		}
	}
	if len(c.found) == was {
		c.protected(at, before, after, why)
	}
}

func (c *checker) protected(at fields.Path, before, after any, why string) {
	c.add(Violation{
		Code: faults.Protected, Path: at, Message: why,
		Found: text(after), Expected: text(before), Fix: "take this field out of the patch",
	})
}

func join(at, rest fields.Path) fields.Path {
	if rest == "" || rest[0] == '[' {
		return at + rest
	}
	return at + "." + rest
}

// plain returns a typed value as maps and lists, and Absent for what would
// not be written at all.
func plain(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil || out == nil || isEmpty(out) {
		return fields.Absent
	}
	return out
}

func isEmpty(v any) bool {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Map, reflect.Slice, reflect.String:
		return rv.Len() == 0
	}
	return false
}

func none(v any) bool { return v == nil || v == fields.Absent }

// text prints a value in one short line.
func text(v any) string {
	if none(v) {
		return "(none)"
	}
	if s, ok := v.(string); ok {
		v = s
		if s == "" {
			return "(none)"
		}
		return cut(s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return cut(fmt.Sprint(v))
	}
	return cut(string(b))
}

func cut(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}
