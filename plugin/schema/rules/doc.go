// Package rules finds every fault of a release's values, each at the file, line
// and column or the flag that gave the value (R20).
//
// [Check] is the one entry. It puts together what the chart's schema says
// (plugin/schema), what plugin/values says of agent types, the manifest patches,
// the theme, and the rules of this package: those that look at two values at once
// or at what a schema cannot count. The chart repeats them with fail, for people
// who never run the plugin; both say the same sentence, and a test compares them.
package rules
