package registries

// written remembers what was written over which version of an object. The caches
// lag behind: while they still show that version, the same is not written again.
type written map[string]mark

type mark struct {
	before string // resourceVersion that the cache showed; empty: it was not there
	what   string
}

// lags reports whether an object is as it was before the same was written.
func (w written) lags(key, before, what string) bool {
	m, ok := w[key]
	return ok && m == mark{before, what}
}
