// Package rules holds what a custom resource must meet beyond its schema (R51,
// R52, R54): one pure function a kind, shared by the validating webhook and by the
// reconcilers, so that what the one lets in the other never finds wrong, and what
// was stored before the webhook served is reported in the same words.
//
//	faults := rules.Validate(connection)       // of the object alone
//	faults = append(faults, rules.Domains(tenant, others)...)
//	condition.Message = rules.Message(faults)
//
// The rules that one object's fields can settle by themselves are CEL in the
// definitions; the API server tells those first, and they are not repeated here.
// What is here needs a real URL parser, the registries' own grammar of references,
// the list of public suffixes, or more objects than one. Every fault names the
// field, the rule and what to do.
package rules
