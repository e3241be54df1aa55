// Package kora holds what all parts of the product share: its version.
package kora

import (
	_ "embed"
	"strings"
)

//go:embed VERSION
var version string

// Version is that of the binaries, the charts and the plugin alike, without a
// leading v; it is the one that the VERSION file says.
func Version() string { return strings.TrimSpace(version) }
