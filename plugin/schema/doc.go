// Package schema checks values against a chart's values.schema.json and tells
// every fault to the line (R20).
//
// [Compile] reads a schema, which may be a stranger's: it is bounded and refers
// to nothing outside itself. [Schema.Check] looks at the values that were given,
// laid over the chart's own, and points at the value, the key or the flag that is
// wrong. jsonschema/v6 decides what is wrong; what is said is made of its typed
// kinds of errors, never of its messages, and ordered by place.
//
// What a schema cannot say is in plugin/schema/rules, whose one entry tells all
// faults of a release's values:
//
//	rules.Check(tree *values.Tree, chart rules.Chart) faults.List
//	rules.Embedded() (rules.Chart, error)
//
// Who hands the values to Helm's engine takes tree.Touched(), the node with the
// nulls in their places, or tree.Plain(): to Helm a null takes a default away.
// plugin/schema/sample makes random values that this package accepts:
//
//	sample.Values(seed uint64, chart rules.Chart) (map[string]any, error)
//
// No other package of kora imports jsonschema: it is slow to start.
package schema
