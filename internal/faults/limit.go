package faults

import "unicode/utf8"

// What a printer shows of one fault at most, in runes: a text that goes on for
// longer is somebody's whole file, and hides the faults after it. A path stays
// usable for longer.
const (
	textLimit = 300
	pathLimit = 1000
)

// limited returns the fault with every text cut to what is worth reading. It
// happens last, when each check has had the whole text, above all those that
// take a credential out of it.
func (f Fault) limited() Fault {
	for _, text := range []*string{&f.Object, &f.Field, &f.Key, &f.Template, &f.Message, &f.Found, &f.Expected, &f.Fix} {
		*text = middle(*text, textLimit)
	}
	f.File = middle(f.File, pathLimit)
	if f.Source == "" {
		f.SourceFrom = 0 // the check took the line out
	}
	return f
}

// middle leaves the middle of a text of more than limit runes out, for of a
// path or a list the end tells as much as the start.
func middle(s string, limit int) string {
	if ahead(s, limit) == len(s) {
		return s
	}
	return s[:ahead(s, limit/2)] + "…" + s[behind(s, limit-limit/2-1):]
}

// ahead is the offset behind the first n runes.
func ahead(s string, n int) int {
	off := 0
	for ; n > 0 && off < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[off:])
		off += size
	}
	return off
}

// behind is the offset of the last n runes.
func behind(s string, n int) int {
	off := len(s)
	for ; n > 0 && off > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:off])
		off -= size
	}
	return off
}
