package admission

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// R51, R53: the warning says what the operator then does with an image under a name of
// kora's, which goes by both labels, and says nothing of its own.
func TestWarningsOfImagesUnderKorasNames(t *testing.T) {
	v := New(rules.Platform{SystemNamespace: "kora-system", Base: "kora-base", Bundled: []string{"kora-base", "kora-go"}})
	managed := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
	for _, c := range []struct {
		name   string
		labels map[string]string
		says   string // none: nothing is said
	}{
		{"kora-base", nil, "points it at the platform's image again; register yours under another name"},
		{"kora-base", managed, "points it at the platform's image again"},
		{"kora-base", map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelBundled: "kora-base"}, ""},
		{"kora-go", nil, "yours is left alone and stands in for it"},
		{"kora-go", managed, "yours is left alone"},
		{"kora-go", map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelBundled: "kora-base"}, "yours is left alone"},
		{"kora-go", map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelBundled: "kora-go"}, ""},
		{"kora-node", nil, ""}, {"mine", managed, ""},
	} {
		o := &v1alpha1.SandboxImage{}
		o.Name, o.Labels = c.name, c.labels
		got := strings.Join(v.warnings(t.Context(), o), "\n")
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) || strings.Contains(got, "left alone") && c.name == "kora-base" {
			t.Errorf("%s %v: %q", c.name, c.labels, got)
		}
	}
}
