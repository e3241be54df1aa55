package policy

import "strings"

// NameKind is the kind of a subject alternative name. What a name says counts
// only as the kind that it looks like: whoever gets certificates for mail
// addresses or user names may choose their text, and not that of a workflow.
type NameKind string

// The kinds that are known. The zero kind equals none of them.
const (
	URI       NameKind = "a URI"
	Mail      NameKind = "a mail address"
	OtherName NameKind = "a user name"
)

// kindOf is the kind that a name has to be of.
func kindOf(name string) NameKind {
	switch {
	case strings.Contains(name, "://"):
		return URI
	case strings.Contains(name, "@"):
		return Mail
	}
	return OtherName
}
