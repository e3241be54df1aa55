package opa_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/runkora/kora/operator/opa"
)

func tenant() opa.Tenant {
	return opa.Tenant{Name: "data", Namespace: "kora-tenant-data", DisplayName: "Data", TrustDomain: "example.com",
		Issuer: "https://login.example.com", ClientID: "kora", Domains: []string{"example.org", "example.com"}}
}

// R50: the module says who the tenant is, the same each time.
func TestModuleIsTheTenants(t *testing.T) {
	got, err := opa.Module(tenant())
	if err != nil {
		t.Fatal(err)
	}
	again := tenant()
	again.Domains = []string{"example.com", "example.org"}
	if same, _ := opa.Module(again); same != got {
		t.Errorf("the order of domains changes it:\n%s\n%s", got, same)
	}
	for _, said := range []string{`name := "data"`, `suspended := false`, `domains := ["example.com","example.org"]`, "default allow := false"} {
		if !strings.Contains(got, said+"\n") {
			t.Errorf("it lacks %q:\n%s", said, got)
		}
	}
}

// R50: what OPA would not load is refused, with its place.
func TestWrongModuleIsRefused(t *testing.T) {
	for module, want := range map[string]string{
		"package kora.tenant\nallow if {":              "tenant.rego:2",
		"package kora.tenant\nallow := missing":        "missing is unsafe",
		"package kora.tenant\nallow if http.sendd({})": "undefined function",
	} {
		if err := opa.Check(module); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", module, err, want)
		}
	}
}

// R50: no text of a tenant becomes a rule.
func FuzzTextsStayTexts(f *testing.F) {
	for _, seed := range []string{"Data", `"`, "\"\n\nallow := true #", "`", "\\", "{{", "", "é\u2028", "\x00"} {
		f.Add(seed)
	}
	plain, err := opa.Module(tenant())
	if err != nil {
		f.Fatal(err)
	}
	rules := len(ast.MustParseModule(plain).Rules)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // the API server takes no such text
		}
		o := tenant()
		o.DisplayName = text
		module, err := opa.Module(o)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		parsed := ast.MustParseModule(module)
		if len(parsed.Rules) != rules {
			t.Fatalf("%q makes %d rules of %d:\n%s", text, len(parsed.Rules), rules, module)
		}
		for _, rule := range parsed.Rules {
			if rule.Head.Name == "display_name" {
				if got, ok := rule.Head.Value.Value.(ast.String); !ok || string(got) != text {
					t.Fatalf("%q is %v", text, rule.Head.Value)
				}
			}
		}
	})
}
