// Package admission is the validating webhook of kora's custom resources (R54), at
// /validate: a thin coat over package rules, which the reconcilers share. It adds
// what takes more than one object: the tenant of the namespace, the domains of the
// other tenants, and what would go with a tenant that is deleted.
//
// A denial names every fault at once: the field, the rule and what to do. What is
// allowed and seldom meant comes back as warnings. Nothing is ever written, so a
// dry run is answered as any other request. An object that is being deleted, or
// whose spec did not change, is never refused: what was stored before a rule was
// there stays free to lose its finalizers and to get labels.
package admission
