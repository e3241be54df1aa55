package gather

import "testing"

// identity is a ClusterSPIFFEID of kora's name and label, with its spec.
func identity(spec map[string]any) any {
	return map[string]any{"apiVersion": "spire.spiffe.io/v1alpha1", "kind": "ClusterSPIFFEID", "spec": spec,
		"metadata": map[string]any{"name": "kora-agents", "labels": map[string]any{"app.kubernetes.io/part-of": "kora", "app.kubernetes.io/managed-by": "Helm"}}}
}

func matching(pairs ...string) map[string]any {
	labels := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		labels[pairs[i]] = pairs[i+1]
	}
	return map[string]any{"matchLabels": labels}
}

// R55: whose a ClusterSPIFFEID is says what it does, not the label that anybody
// can set.
func TestALabelMakesNoIdentityKoras(t *testing.T) {
	const in = "kubernetes.io/metadata.name"
	tenants := map[string]any{"matchExpressions": []any{map[string]any{"key": "runkora.io/tenant", "operator": "Exists"}}}
	agents := func(of ...any) map[string]any {
		return map[string]any{"matchExpressions": []any{map[string]any{"key": "runkora.io/component", "operator": "In", "values": of}}}
	}
	spec := func(template string, namespaces, pods any) map[string]any {
		return map[string]any{"className": "c", "spiffeIDTemplate": template, "namespaceSelector": namespaces, "podSelector": pods}
	}
	more := spec(spiffeTemplate, matching(in, "kora-system"), matching("app", "kora-agents"))
	more["admin"] = true
	ours := spec(spiffeTemplate, matching(in, "kora-system"), matching("app", "kora-agents"))
	for name, c := range map[string]struct {
		spec map[string]any
		ours bool
	}{
		"a service":            {ours, true},
		"agents":               {spec(spiffeTemplate, tenants, agents("session-manager", "sandbox")), true},
		"another identity":     {spec("spiffe://{{ .TrustDomain }}/one", matching(in, "kora-system"), matching("app", "kora-agents")), false},
		"another namespace":    {spec(spiffeTemplate, matching(in, "team"), matching("app", "kora-agents")), false},
		"every pod":            {spec(spiffeTemplate, matching(in, "kora-system"), map[string]any{}), false},
		"no selectors":         {map[string]any{"className": "c", "spiffeIDTemplate": spiffeTemplate}, false},
		"pods besides app":     {spec(spiffeTemplate, matching(in, "kora-system"), matching("app", "a", "x", "y")), false},
		"every namespace":      {spec(spiffeTemplate, map[string]any{}, matching("app", "kora-agents")), false},
		"every pod of tenants": {spec(spiffeTemplate, tenants, map[string]any{}), false},
		"other pods":           {spec(spiffeTemplate, tenants, agents("session-manager")), false},
		"an administrator":     {more, false},
		"nothing":              {nil, false},
	} {
		s := &server{lists: map[string]list{"/apis/spire.spiffe.io/v1alpha1/clusterspiffeids": items(identity(c.spec))}}
		f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-fallback"}})
		if f.Spire.IDs.Missing != "" || (len(f.Spire.IDs.Value) == 0) != c.ours {
			t.Errorf("%s: %+v", name, f.Spire.IDs)
		}
	}
}
