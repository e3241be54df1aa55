package certificates_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/runkora/kora/operator/operatortest"
)

// enforced is the gauge's value, or -1 where there is none.
func enforced(t *testing.T, from prometheus.Gatherer) float64 {
	t.Helper()
	all, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range all {
		if family.GetName() == "kora_operator_webhook_enforced" && len(family.Metric) == 1 {
			return family.Metric[0].GetGauge().GetValue()
		}
	}
	return -1
}

// R54: a webhook that is not called for all that the chart says is told of, by each
// field that narrows it, and the policy stays; what the chart says counts as whole.
func TestNarrowedWebhooksAreTold(t *testing.T) {
	h := newHooks(t)
	metrics := prometheus.NewRegistry()
	h.Certificates.Metrics = metrics
	h.Up(t)
	gauge := func(want float64) {
		t.Helper()
		operatortest.Eventually(t, func() error {
			if got := enforced(t, metrics); got != want {
				return fmt.Errorf("enforced is %v and not %v", got, want)
			}
			return nil
		})
	}
	gauge(1)
	for n, c := range []struct{ config, webhook, narrow string }{
		{"mutating", "inject.runkora.io", `"objectSelector":{"matchLabels":{"a":"b"}}`},
		{"mutating", "inject.runkora.io", `"namespaceSelector":{"matchExpressions":[{"key":"other","operator":"Exists"}]}`},
		{"mutating", "inject.runkora.io", `"matchConditions":[{"name":"never","expression":"false"}]`},
		{"mutating", "inject.runkora.io", `"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],"resources":["pods"]}]`},
		{"mutating", "inject.runkora.io", `"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods","pods/*"]}]`},
		{"validating", "validate.runkora.io", `"objectSelector":{"matchLabels":{"a":"b"}}`},
		{"validating", "validate.runkora.io", `"rules":[{"apiGroups":["runkora.io"],"apiVersions":["*"],"operations":["*"],"resources":["sandboximages"]}]`},
	} {
		h.patch(t, c.config, `{"webhooks":[{"name":"`+c.webhook+`",`+c.narrow+`}]}`)
		gauge(0)
		if n == 0 { // the others are one series of events with the first
			h.SaidWith(t, "WebhooksNarrowed", "inject.runkora.io: it has an objectSelector: a=b")
		}
		h.Policies(t, "Fail Fail")
		h.restore(t, c.config)
		gauge(1)
	}
	h.SaidWith(t, "WebhooksWhole", "called for everything again")
}

// patch changes a configuration by hand.
func (h *hooks) patch(t *testing.T, config, patch string) {
	t.Helper()
	var o client.Object = &admissionv1.ValidatingWebhookConfiguration{}
	if config == "mutating" {
		o = &admissionv1.MutatingWebhookConfiguration{}
	}
	o.SetName("kora-operator")
	if err := h.Admin.Patch(t.Context(), o, client.RawPatch(types.StrategicMergePatchType, []byte(patch))); err != nil {
		t.Fatal(err)
	}
}

// restore brings back what the chart says of a configuration, and leaves the rest.
func (h *hooks) restore(t *testing.T, config string) {
	t.Helper()
	for _, o := range operatortest.Rendered(t, nil, "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration") {
		if !strings.HasPrefix(strings.ToLower(o.GetKind()), config) {
			continue
		}
		one := o.Object["webhooks"].([]any)[0].(map[string]any)
		for _, field := range []string{"objectSelector", "namespaceSelector", "matchConditions"} {
			if _, has := one[field]; !has {
				one[field] = nil
			}
		}
		text := fmt.Sprintf(`{"webhooks":[{"name":%q,"objectSelector":%s,"namespaceSelector":%s,"rules":%s}]}`, one["name"], jsonOf(t, one["objectSelector"]), jsonOf(t, one["namespaceSelector"]), jsonOf(t, one["rules"]))
		h.patch(t, config, text)
		h.patch(t, config, fmt.Sprintf(`{"webhooks":[{"name":%q,"matchConditions":[{"$patch":"replace"}%s]}]}`, one["name"], conditions(t, one["matchConditions"])))
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func conditions(t *testing.T, all any) string {
	t.Helper()
	var out strings.Builder
	list, _ := all.([]any)
	for _, c := range list {
		out.WriteString("," + jsonOf(t, c))
	}
	return out.String()
}
