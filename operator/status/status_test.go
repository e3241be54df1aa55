package status_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var now = time.Date(2027, 1, 2, 3, 4, 5, 6, time.UTC)

// judged is a tenant of generation 2 with these verdicts of its parts, summed up.
func judged(parts ...status.Verdict) *v1alpha1.KoraTenant {
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: "data", Generation: 2}}
	for i, name := range status.Parts(o) {
		if i < len(parts) {
			status.Set(o, name, parts[i], now)
		}
	}
	status.Sum(o, now)
	return o
}

// R50: Ready is no better than the worst part, and says which that is.
func TestReadySumsUpTheParts(t *testing.T) {
	good, wait, bad := status.Good("a"), status.Wait("w"), status.Bad(v1alpha1.ReasonFailed, "b")
	for _, c := range []struct {
		name   string
		parts  []status.Verdict
		status metav1.ConditionStatus
		reason string
		says   string
	}{
		{"all good", []status.Verdict{good, good, good, good, good}, "True", v1alpha1.ReasonSucceeded, "as it should be"},
		{"one waits", []status.Verdict{good, wait, good, good, good}, "Unknown", v1alpha1.ReasonProgressing, "CAReady: w"},
		{"bad wins over waiting", []status.Verdict{wait, good, bad, good, good}, "False", v1alpha1.ReasonPartNotReady, "PolicyReady: b"},
		{"not judged yet", []status.Verdict{good, good}, "Unknown", v1alpha1.ReasonProgressing, "PolicyReady is not known yet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := judged(c.parts...)
			got := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionReady)
			if got.Status != c.status || got.Reason != c.reason || !strings.Contains(got.Message, c.says) {
				t.Errorf("%+v", got)
			}
			if found := status.Lint(o); len(found) > 0 {
				t.Errorf("%q", found)
			}
		})
	}
}

// R50: the time of a condition moves only with its status, so that a pass that
// finds the same writes nothing.
func TestTimeMovesWithTheStatus(t *testing.T) {
	o := judged(status.Good("a"))
	before := o.DeepCopy()
	status.Set(o, v1alpha1.ConditionNamespaceReady, status.Good("a"), now.Add(time.Hour))
	if got := o.Status.Conditions[0].LastTransitionTime; !got.Equal(&before.Status.Conditions[0].LastTransitionTime) {
		t.Errorf("it moved to %s", got)
	}
	status.Set(o, v1alpha1.ConditionNamespaceReady, status.Bad(v1alpha1.ReasonFailed, "b"), now.Add(time.Hour))
	if got := o.Status.Conditions[0].LastTransitionTime; !got.Time.Equal(now.Add(time.Hour).Truncate(time.Second)) {
		t.Errorf("it is %s", got)
	}
}

// A message of any length and any bytes is one that the API server takes.
func TestMessagesAreBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("ä", 5000), "a\xff\xfe", " spaces \n"} {
		if found := status.Lint(judged(status.Bad(v1alpha1.ReasonFailed, "%s", text))); len(found) > 0 {
			t.Errorf("%q", found)
		}
	}
}

// The lint sees each thing that a status may have wrong.
func TestLintSeesWhatIsWrong(t *testing.T) {
	good := status.Good("a")
	for name, c := range map[string]struct {
		spoil func(*v1alpha1.KoraTenant)
		want  string
	}{
		"no Ready": {func(o *v1alpha1.KoraTenant) { meta.RemoveStatusCondition(&o.Status.Conditions, "Ready") }, "no condition Ready"},
		"two Ready": {func(o *v1alpha1.KoraTenant) {
			o.Status.Conditions = append(o.Status.Conditions, o.Status.Conditions[5])
		}, "2 times"},
		"a reason of nowhere":  {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].Reason = "Odd" }, `"Odd"`},
		"another kind's":       {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].Reason = v1alpha1.ReasonWrongUser }, "WrongUser"},
		"True for no reason":   {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].Reason = v1alpha1.ReasonFailed }, "is True with the reason Failed"},
		"no message":           {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].Message = "" }, "the message"},
		"a generation of old":  {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].ObservedGeneration = 1 }, "of generation 1"},
		"no generation":        {func(o *v1alpha1.KoraTenant) { o.Status.ObservedGeneration = 0 }, "observedGeneration is 0"},
		"one of the future":    {func(o *v1alpha1.KoraTenant) { o.Status.ObservedGeneration = 3 }, "observedGeneration is 3"},
		"a condition too many": {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].Type = "Valid" }, `"Valid" is none of its kind`},
		"no time":              {func(o *v1alpha1.KoraTenant) { o.Status.Conditions[0].LastTransitionTime = metav1.Time{} }, "has no time"},
		"Ready over the rest": {func(o *v1alpha1.KoraTenant) {
			o.Status.Conditions[0].Status, o.Status.Conditions[0].Reason = "False", v1alpha1.ReasonFailed
		}, "Ready is True and NamespaceReady is not"},
		"a row for no reason":     {row(v1alpha1.InventoryFailed, ""), "begins with no reason of the list"},
		"a row in words alone":    {row(v1alpha1.InventoryFailed, "it broke"), "begins with no reason of the list"},
		"a row without words":     {row(v1alpha1.InventoryFailed, "Failed: "), "begins with no reason of the list"},
		"a right row that says":   {row(v1alpha1.InventoryReady, "Failed: b"), "is Ready and says"},
		"a row of another reason": {row(v1alpha1.InventoryPending, "Failed: b"), "is Pending for the reason Failed"},
	} {
		t.Run(name, func(t *testing.T) {
			o := judged(good, good, good, good, good)
			c.spoil(o)
			if found := status.Lint(o); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("got %q, want %s", found, c.want)
			}
		})
	}
}

func row(state v1alpha1.InventoryState, reason string) func(*v1alpha1.KoraTenant) {
	return func(o *v1alpha1.KoraTenant) {
		o.Status.Inventory = []v1alpha1.InventoryItem{{Kind: "Secret", Name: "a", State: state, Reason: reason}}
	}
}

// R50: a row of the inventory follows from its verdict, and is one that lint takes.
func TestRowsFollowFromVerdicts(t *testing.T) {
	for _, c := range []struct {
		v    status.Verdict
		want v1alpha1.InventoryState
	}{
		{status.Good("a"), v1alpha1.InventoryReady}, {status.Wait("w"), v1alpha1.InventoryPending},
		{status.Bad(v1alpha1.ReasonDeleting, "d"), v1alpha1.InventoryPending}, {status.Bad(v1alpha1.ReasonConflict, "c"), v1alpha1.InventoryConflict},
		{status.Bad(v1alpha1.ReasonFailed, "%s", strings.Repeat("ä", 3000)+"\xff"), v1alpha1.InventoryFailed},
	} {
		item := status.Item("Secret", "a", c.v)
		o := judged(status.Good("a"), status.Good("a"), status.Good("a"), status.Good("a"), status.Good("a"))
		o.Status.Inventory = []v1alpha1.InventoryItem{item}
		if found := status.Lint(o); item.State != c.want || len(found) > 0 || len(item.Reason) > 1024 {
			t.Errorf("%+v: %q", item, found)
		}
	}
}

// R50 to R52: every kind has a list of reasons, and one condition that sums up.
func TestEveryKindHasItsWords(t *testing.T) {
	for _, o := range []v1alpha1.Object{&v1alpha1.KoraTenant{}, &v1alpha1.Connection{}, &v1alpha1.OAuthClient{}, &v1alpha1.MCPServer{}, &v1alpha1.ModelProvider{}, &v1alpha1.SandboxImage{}} {
		kind := status.Kind(o)
		if len(status.Reasons(kind)) == 0 {
			t.Errorf("%s has no reasons", kind)
		}
		o.SetGeneration(1)
		status.Set(o, status.Summary(o), status.Good("a"), now)
		if found := status.Lint(o); len(found) > 0 {
			t.Errorf("%q", found)
		}
	}
}
