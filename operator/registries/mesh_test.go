package registries_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func tls(port int64) map[string]any {
	return map[string]any{"name": fmt.Sprintf("tls-%d", port), "number": port, "protocol": "TLS"}
}

func serviceEntry(tenant, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion("networking.istio.io/v1")
	o.SetKind("ServiceEntry")
	o.SetNamespace(v1alpha1.TenantNamespace(tenant))
	o.SetName(name)
	return o
}

// R26, R51: under REGISTRY_ONLY each model provider has a ServiceEntry, for kora's
// own services alone; it follows the endpoint and goes with the provider, and one
// of somebody else is left alone.
func TestModelProvidersHaveServiceEntries(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "mesh")
	p.create(t, secret("mesh", "s", "key"))
	foreign := serviceEntry("mesh", "kora-model-taken")
	foreign.Object["spec"] = map[string]any{"hosts": []any{"mine.example.com"}, "resolution": "DNS", "ports": []any{map[string]any{"name": "tls", "number": int64(443), "protocol": "TLS"}}}
	p.create(t, foreign, modelProvider("mesh", "taken", "https://models.example.com", "s"))
	o := modelProvider("mesh", "one", "https://models.example.com:8443/v1", "s")
	p.create(t, o)
	if got := says(t, p, o, v1alpha1.ReasonSucceeded); got.Status.ServiceEntry != "kora-model-one" {
		t.Errorf("%+v", got.Status)
	}
	is := serviceEntry("mesh", "kora-model-one")
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"exportTo": []any{operatortest.System}, "hosts": []any{"models.example.com"}, "location": "MESH_EXTERNAL", "resolution": "DNS",
		"ports": []any{tls(443), tls(8443)}} // the other's too: of one host Istio goes by the oldest entry alone
	if diff := cmp.Diff(want, is.Object["spec"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	taken := says(t, p, modelProvider("mesh", "taken", "", "s"), v1alpha1.ReasonConflict, "kora-model-taken")
	if taken.Status.ServiceEntry != "" {
		t.Errorf("%+v", taken.Status)
	}
	p.holds(t, "modelprovider", "mesh/one") // the one that the mesh lets through
	p.Quiet(t)

	p.patch(t, o, `{"spec":{"endpoint":"https://other.example.com"}}`)
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
			return err
		}
		if hosts, _, _ := unstructured.NestedStringSlice(is.Object, "spec", "hosts"); len(hosts) != 1 || hosts[0] != "other.example.com" {
			return fmt.Errorf("%v", hosts)
		}
		return nil
	})
	gone := func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); !apierrors.IsNotFound(err) {
			return errors.Join(errors.New("it is there"), err)
		}
		return nil
	}
	// A provider that is wrong has none, nor one of a suspended tenant, nor a deleted one.
	p.patch(t, o, `{"spec":{"secretRef":{"key":"missing"}}}`)
	says(t, p, o, v1alpha1.ReasonSecretKeyMissing)
	operatortest.Eventually(t, gone)
	p.patch(t, o, `{"spec":{"secretRef":{"key":"key"}}}`)
	says(t, p, o, v1alpha1.ReasonSucceeded)
	if err := p.Admin.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, gone)

	// Another policy of the mesh: all of the operator's go, the other stays.
	again := modelProvider("mesh", "one", "https://models.example.com", "s")
	p.create(t, again)
	says(t, p, again, v1alpha1.ReasonSucceeded)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	p.Settings.Mesh.OutboundTrafficPolicy = "ALLOW_ANY"
	p.start(t)
	operatortest.Eventually(t, gone)
	says(t, p, modelProvider("mesh", "taken", "", "s"), v1alpha1.ReasonSucceeded)
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(foreign), foreign); err != nil {
		t.Errorf("somebody else's ServiceEntry: %v", err)
	}
}

// R51: somebody who changes or deletes a ServiceEntry of the operator's finds it put
// right at once, and not at the next sync; and then nothing is written any more.
func TestChangedServiceEntriesAreUndoneAtOnce(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "1h"}}, "undone")
	p.create(t, secret("undone", "s", "key"))
	o := modelProvider("undone", "one", "https://models.example.com", "s")
	p.create(t, o)
	says(t, p, o, v1alpha1.ReasonSucceeded)
	is := serviceEntry("undone", "kora-model-one")
	hosts := func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
			return err
		}
		spec := is.Object["spec"].(map[string]any)
		if got := fmt.Sprint(spec["hosts"], spec["ports"], spec["addresses"], len(is.GetOwnerReferences()), is.GetLabels()["runkora.io/tenant"], is.GetLabels()["istio.io/rev"], len(is.GetAnnotations())); got != fmt.Sprint([]any{"models.example.com"}, []any{tls(443)}, nil, 1, "undone", "", 0) {
			return fmt.Errorf("hosts, ports, addresses, owners, labels and annotations are %s", got)
		}
		return nil
	}
	operatortest.Eventually(t, hosts)
	p.Quiet(t)
	for _, more := range []string{ // what an apply leaves, since it is somebody's own
		`{"spec":{"ports":[{"name":"tls-443","number":443,"protocol":"TLS"},{"name":"tls-22","number":22,"protocol":"TLS"}]}}`,
		`{"spec":{"addresses":["10.1.2.3"]}}`,
		`{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"u-1"}]}}`,
		`{"metadata":{"labels":{"istio.io/rev":"canary"},"annotations":{"networking.istio.io/traffic-distribution":"PreferClose"}}}`,
		`{"metadata":{"labels":{"runkora.io/tenant":"another","runkora.io/model-provider":"another"}}}`,
		`{"metadata":{"labels":{"runkora.io/tenant":null,"runkora.io/model-provider":null}}}`,
	} {
		p.patch(t, serviceEntry("undone", "kora-model-one"), more)
		operatortest.Eventually(t, hosts)
		p.Quiet(t)
	}
	p.patch(t, serviceEntry("undone", "kora-model-one"), `{"spec":{"hosts":["elsewhere.example.com"]}}`)
	operatortest.Eventually(t, hosts)
	p.patch(t, serviceEntry("undone", "kora-model-one"), `{"metadata":{"labels":null},"spec":{"hosts":["elsewhere.example.com"]}}`)
	operatortest.Eventually(t, hosts)
	if err := p.Admin.Delete(t.Context(), serviceEntry("undone", "kora-model-one")); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, hosts)
	p.Quiet(t)
}
