package values

import (
	"regexp"

	"github.com/runkora/kora/internal/faults"
)

// credentials are what stands between a scheme and the last @ that follows
// without a blank; an ellipsis is where a long text was cut off before it.
var credentials = regexp.MustCompile(`://\S*(?:@|…)`)

func withoutCredentials(text string) string {
	return credentials.ReplaceAllString(text, "://***@")
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
