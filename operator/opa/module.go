package opa

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// ConfigMap holds a tenant's module, in its namespace.
const ConfigMap = "kora-opa"

// File is the name of the module, and its key in the ConfigMap.
const File = "tenant.rego"

// Tenant is what the module says.
type Tenant struct {
	Name        string
	Namespace   string
	DisplayName string
	Suspended   bool
	TrustDomain string // of the mesh: the identities of the tenant lie below it
	Issuer      string // of the tenant's people
	ClientID    string
	Domains     []string
}

// text takes one %s for the tenant's data. What is not said is not allowed.
const text = `# Written by kora-operator: changes are undone.
package kora.tenant

%s
default allow := false

# A workload of the tenant, by its SPIFFE identity.
workload if startswith(input.source.principal, concat("", ["spiffe://", trust_domain, "/ns/", namespace, "/"]))

allow if {
	not suspended
	workload
}
`

// Module gives the Rego module of a tenant, the same bytes for the same tenant.
// Whatever the texts of a tenant hold, they stay texts.
func Module(t Tenant) (string, error) {
	domains := slices.Sorted(slices.Values(t.Domains))
	if domains == nil {
		domains = []string{}
	}
	var data strings.Builder
	for _, each := range []struct {
		name  string
		value any
	}{
		{"name", t.Name}, {"namespace", t.Namespace}, {"display_name", t.DisplayName}, {"suspended", t.Suspended},
		{"trust_domain", t.TrustDomain}, {"issuer", t.Issuer}, {"client_id", t.ClientID}, {"domains", domains},
	} {
		value, err := json.Marshal(each.value) // a JSON value is a Rego term; OPA's own printer writes \x00, which its parser refuses
		if err != nil {
			return "", fmt.Errorf("policy of the tenant: %w", err)
		}
		fmt.Fprintf(&data, "%s := %s\n\n", each.name, value)
	}
	module := fmt.Sprintf(text, strings.TrimSuffix(data.String(), "\n"))
	return module, Check(module)
}

// Check compiles a module as OPA would load it, in strict mode. The error holds
// all that is wrong, with lines and columns.
func Check(module string) error {
	parsed, err := ast.ParseModuleWithOpts(File, module, ast.ParserOptions{RegoVersion: ast.RegoV1})
	if err != nil {
		return fmt.Errorf("policy of the tenant: %w", err)
	}
	compiler := ast.NewCompiler().WithStrict(true)
	if compiler.Compile(map[string]*ast.Module{File: parsed}); compiler.Failed() {
		return fmt.Errorf("policy of the tenant: %w", compiler.Errors)
	}
	return nil
}
