// Package release renders a whole release of a chart as Helm does, and checks
// every object of it before anybody sees it (R19 to R37).
//
// [Render] loads and checks the values, runs Helm's own engine over the chart
// that is in the binary or a given one, reads each document that comes out, and
// compares it strictly with the Kubernetes type of its kind. Nothing is asked of
// a cluster: lookup sees nothing. Only a chart under oci:// needs a network.
//
// A chart is not trusted. Its archive, its files and the time and memory that its
// templates take are bounded, see [Limits].
package release
