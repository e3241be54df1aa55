// Package rules finds every fault of a release's values, each at the file, line
// and column or the flag that gave the value (R20).
//
// [Check] is the one entry. It puts together what the chart's schema says
// (plugin/schema), what plugin/values says of agent types, the manifest patches,
// the theme, and the rules of this package: those that look at two values at once
// or at what a schema cannot count. The chart repeats them with fail, for people
// who never run the plugin; both say the same sentence, and a test compares them.
//
// Helm judges by the schema before it renders. So where the chart has a sentence,
// as of blocks of addresses and of keys that kora owns, the schema leaves the form
// to it. What the schema refuses Helm words by itself, with the value's path and
// its pattern, and the plugin alone in words: types, unknown keys, numbers out of
// range, and the forms of names, images, URLs, quantities and pull secrets.
//
// What configOverrides set of a config module in the place of a value is held to the
// same: the schema refers to the value's own, and rules look at all values with the
// settings in their places (values.Tree.Overridden). What other objects of the
// release are made of as well may not be set there at all ([Pinned], R23, R25).
//
// These rules the plugin has alone; to people without it the API server, or
// kora-agents at its start, tells of them:
//
//   - manifest patches, all of them (R13 to R16);
//   - the theme beyond koraVersion and productName: slots, colours, URLs (R33);
//   - keys and values of labels, annotations and node selectors, and the sum of
//     annotations; affinities, topology spread constraints, and of tolerations all
//     but their operator and a value beside Exists;
//   - cloud identities of sandboxes (R5), access modes that two pods cannot share (R7);
//   - node selectors and affinities that compare numbers, as far as they decide
//     whether some node is admitted or a placement is split (R9): kora-agents
//     repeats that;
//   - quantities beyond what Kubernetes keeps;
//   - words that are booleans to Helm alone, duplicate keys, a second document;
//   - KORA_MANIFEST__ variables, which are warned of (R17): a chart cannot warn.
package rules
