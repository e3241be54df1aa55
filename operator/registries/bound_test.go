package registries

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R51: what one tenant has in a registry is bounded; the oldest stay, one that is wrong
// takes nothing, and another tenant's are none of it.
func TestATenantsEntriesAreBounded(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	entered := func(tenant, name string, age, size int) *resource {
		o := &v1alpha1.MCPServer{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-" + tenant, Name: name, CreationTimestamp: metav1.NewTime(start.Add(time.Duration(-age) * time.Second))}}
		r := &resource{object: o, tenant: tenant}
		if size > 0 {
			r.finding = finding{verdict: r.good(), entry: json.RawMessage(strings.Repeat("x", size))}
		}
		return r
	}
	in := func(all []*resource) (names []string) {
		for _, r := range all {
			if r.entry != nil {
				names = append(names, r.object.GetName())
			}
			if (r.entry != nil) != r.verdict.True() {
				t.Errorf("%s: %+v", r.object.GetName(), r.verdict)
			}
			if r.entry == nil && r.verdict.Message != "" && (!strings.Contains(r.verdict.Message, "delete or shrink") || r.verdict.Reason != v1alpha1.ReasonInvalid) {
				t.Errorf("%s: %+v", r.object.GetName(), r.verdict)
			}
		}
		return names
	}
	for name, c := range map[string]struct {
		all  []*resource
		want string
	}{
		"nobody":              {nil, ""},
		"just so":             {[]*resource{entered("a", "a1", 0, 60), entered("a", "a2", 0, 40)}, "a1 a2"},
		"the younger is out":  {[]*resource{entered("a", "a1", 1, 60), entered("a", "a2", 2, 41)}, "a2"},
		"of one age by name":  {[]*resource{entered("a", "a1", 1, 60), entered("a", "a2", 1, 41)}, "a1"},
		"a wrong one":         {[]*resource{entered("a", "a1", 9, 0), entered("a", "a2", 2, 50), entered("a", "a3", 1, 50)}, "a2 a3"},
		"beyond alone":        {[]*resource{entered("a", "a1", 1, 101)}, ""},
		"nothing slips in":    {[]*resource{entered("a", "a1", 3, 60), entered("a", "a2", 2, 60), entered("a", "a3", 1, 10)}, "a1"},
		"others are not hurt": {[]*resource{entered("a", "a1", 1, 101), entered("b", "b1", 1, 100), entered("c", "c1", 1, 90), entered("c", "c2", 0, 20)}, "b1 c1"},
	} {
		before := slices.Clone(c.all)
		bound(c.all, 100)
		if got := strings.Join(in(c.all), " "); got != c.want || !slices.Equal(before, c.all) {
			t.Errorf("%s: %q are in, not %q", name, got, c.want)
		}
	}
}
