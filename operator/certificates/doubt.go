package certificates

import "time"

// doubt is since when failurePolicy is not what it should be, and whether that was told.
// Each start and each new API server doubts for a moment, and nobody need hear of that.
type doubt struct {
	since time.Time // zero: there is none
	told  string
}

// due reports whether an error is to be told of now: it has been there, in whatever words,
// for as long as that, and was not told in these. One is told in each such time at most.
func (d *doubt) due(err error, now time.Time, long time.Duration) bool {
	switch {
	case err == nil:
		*d = doubt{}
		return false
	case d.since.IsZero() || now.Before(d.since):
		d.since = now
	}
	if now.Sub(d.since) < long || err.Error() == d.told {
		return false
	}
	d.since, d.told = now, err.Error()
	return true
}
