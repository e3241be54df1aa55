package values

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// Finished is what every fault of values goes through, whoever found it: it says
// what to do, and shows no credentials.
func Finished(found faults.List) faults.List { return finished(found) }

// Unjudged is Finished for faults of a file whose other keys nobody looked at: what
// stands behind a key whose name smells of a secret is not shown, whether there is
// such a key or not.
func Unjudged(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		hidden := hushedLine(f.Source)
		if hidden != f.Source && f.SourceFrom > 0 || f.SourceFrom > 0 && smell.MatchString(f.Source) {
			hidden = "" // it may begin within the secret
		}
		f.Source = hidden
	}
	return finished(found)
}

// finished completes every fault with what to do (R20), and takes the credentials
// of URLs out of every text: an endpoint that somebody wrote a password into may
// stand on any line, also on one that is shown for another fault's sake.
func finished(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		if f.Fix == "" {
			f.Fix = fix(*f)
		}
		switch {
		case strings.Contains(f.Key+f.Field, "manifestPatches"):
			hushPatch(f)
		case brokenYAML(*f):
			f.Source = hushedSyntax(f.Source) // what the line holds was not read
		}
		for _, text := range []*string{&f.Key, &f.Field, &f.Message, &f.Found, &f.Source} {
			*text = withoutAssigned(*text)
		}
		behindFlag(f)
		for _, text := range []*string{&f.File, &f.Key, &f.Field, &f.Message, &f.Found, &f.Expected, &f.Fix, &f.Source} {
			*text = withoutCredentials(*text)
		}
	}
	return found
}

// fix is the catalogue's, but for a type says which.
func fix(f faults.Fault) string {
	if f.Code == faults.WrongType && f.Expected != "" {
		return "write " + f.Expected
	}
	entry, _ := faults.Lookup(f.Code)
	return entry.Fix
}
