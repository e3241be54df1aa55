// Package opa writes the Open Policy Agent configuration of a tenant (R50): a
// Rego module that says who the tenant is, and which identities are its own. OPA's
// own parser and compiler judge it before anybody reads it.
package opa
