package registries_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/registries"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R51: one tenant's valid resources take no more of the registries than its share: what
// is beyond says so, and comes in when there is room; nobody else is held up.
func TestOneTenantsResourcesAreBounded(t *testing.T) {
	p := begin(t, nil, "greedy", "modest")
	var all []*v1alpha1.Connection
	for i := range 70 {
		c := connection("greedy", fmt.Sprintf("c%02d", i), "")
		for j := range 62 {
			c.Spec.AllowedPaths = append(c.Spec.AllowedPaths, v1alpha1.PathRule(fmt.Sprintf("/%02d%s", j, strings.Repeat("x", 500))))
		}
		p.create(t, c)
		all = append(all, c)
	}
	fits := registries.MaxTenant / (62 * 510)
	if fits < 2 || fits > len(all)-3 {
		t.Fatalf("%d fit: the test shows nothing", fits)
	}
	last := all[len(all)-1]
	needs := mcpServer("greedy", "needs", "https://api.example.com/mcp", last.Name)
	other := connection("modest", "one", "")
	p.create(t, needs, other)
	says(t, p, all[0], v1alpha1.ReasonSucceeded)
	says(t, p, all[fits-2], v1alpha1.ReasonSucceeded)
	says(t, p, last, v1alpha1.ReasonInvalid, "older ones come first", "delete or shrink")
	says(t, p, needs, v1alpha1.ReasonReferenceNotFound, "is not ready")
	says(t, p, other, v1alpha1.ReasonSucceeded)
	p.Quiet(t)
	for _, c := range all[:len(all)-fits] {
		if err := p.Admin.Delete(t.Context(), client.Object(c)); err != nil {
			t.Fatal(err)
		}
	}
	says(t, p, last, v1alpha1.ReasonSucceeded)
	says(t, p, needs, v1alpha1.ReasonSucceeded)
}
