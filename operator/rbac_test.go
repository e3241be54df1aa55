package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// R50: the chart gives the operator exactly the rights that its markers ask for,
// everywhere, in tenants' namespaces and in its own.
func TestTheChartGivesTheRightsOfTheMarkers(t *testing.T) {
	text, err := os.ReadFile("rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string][]string{}
	for document := range bytes.SplitSeq(text, []byte("---\n")) {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &o.Object); err != nil {
			t.Fatal(err)
		}
		if o.Object != nil {
			asked[o.GetNamespace()] = rights(t, o)
		}
	}
	for namespace, role := range map[string]string{"": "ClusterRole kora-operator", "tenant": "ClusterRole kora-operator-tenant", "system": "Role kora-operator", "mount": "Role kora-operator-pulls"} {
		given := rights(t, rendered(t, role))
		if len(given) == 0 || len(asked[namespace]) == 0 {
			t.Fatalf("%s gives %d, %d are asked for", role, len(given), len(asked[namespace]))
		}
		for _, right := range given {
			if !slices.Contains(asked[namespace], right) {
				t.Errorf("the chart's %s gives what no marker asks for: %s", role, right)
			}
		}
		for _, right := range asked[namespace] {
			if !slices.Contains(given, right) {
				t.Errorf("the chart's %s lacks %s", role, right)
			}
		}
	}
}

// R50: nothing that the operator may do is "everything", and no Secret is within
// its reach where no tenant is.
func TestNoRightIsEverything(t *testing.T) {
	for _, role := range []string{"ClusterRole kora-operator", "ClusterRole kora-operator-tenant", "Role kora-operator", "ClusterRole kora-operator-preflight", "Role kora-operator-pulls"} {
		for _, right := range rights(t, rendered(t, role)) {
			if strings.Contains(right, "*") {
				t.Errorf("%s: %s", role, right)
			}
			if role == "ClusterRole kora-operator" && strings.Contains(right, " secrets") {
				t.Errorf("%s: %s", role, right)
			}
		}
	}
}

func rendered(t *testing.T, title string) *unstructured.Unstructured {
	t.Helper()
	kind, name, _ := strings.Cut(title, " ")
	for _, o := range operatortest.Rendered(t, map[string]any{"sandboxMount": map[string]any{"enabled": true}}, kind) {
		if o.GetName() == name {
			return o
		}
	}
	t.Fatalf("the chart has no %s", title)
	return nil
}

// rights are a role's, each by itself: "get apps/daemonsets" and, where it is for
// some names alone, which.
func rights(t *testing.T, o *unstructured.Unstructured) []string {
	t.Helper()
	var role rbacv1.ClusterRole // a Role's rules have the same form
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"rules": o.Object["rules"]}, &role); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, rule := range role.Rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{"any"}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					for _, name := range names {
						all = append(all, strings.Join([]string{verb, group + "/", resource, name}, " "))
					}
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
