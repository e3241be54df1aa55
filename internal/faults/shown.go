package faults

// EscapeJSON returns JSON in which no character is left that a reader would not
// see or that a terminal obeys: DEL, the C1 controls, and those of no width or
// that turn the direction. Each is escaped, and means the same.
func EscapeJSON(text []byte) []byte { return escapeUnprintable(text) }

// Visible writes out every character of a text that a reader would not see or that
// a terminal obeys, line breaks too: what comes from a cluster, a registry or a file
// of somebody else, and is printed in a line of kora's own.
func Visible(text string) string { return visible(text) }
