package values

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// finished completes every fault with what to do (R20), and takes the credentials
// of URLs out of every text: an endpoint that somebody wrote a password into may
// stand on any line, also on one that is shown for another fault's sake.
// Finished is what every fault of values goes through, whoever found it: it says
// what to do, and shows no credentials.
func Finished(found faults.List) faults.List { return finished(found) }

func finished(found faults.List) faults.List {
	for i := range found {
		f := &found[i]
		if f.Fix == "" {
			f.Fix = fix(*f)
		}
		if strings.HasPrefix(string(f.Code), "KORA-Y") {
			f.Source = hushedLine(f.Source) // what the line holds was not read
		}
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
