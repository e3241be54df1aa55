package registries

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// remembered is what is known of a Secret.
type remembered struct {
	facts
	at    time.Time // when it was asked for last
	seen  time.Time // when the API server answered last; zero: never
	tries int       // reads in a row that were not right
	of    uint64    // who named it then
}

// after is what is known after one more read. What the API server said holds while it
// merely cannot be asked: a good entry does not leave the registries for an outage.
func (r remembered) after(f facts, now time.Time, needs []*need) remembered {
	next := remembered{facts: f, at: now, seen: now, of: namedBy(needs)}
	if f.denied {
		next.seen = r.seen
	}
	if f.denied && !r.seen.IsZero() {
		next.facts = r.facts
	}
	if r.of == next.of && !next.right(needs) {
		next.tries = r.tries + 1
	}
	return next
}

// right reports whether there is nothing to come back for before the period is over.
func (r remembered) right(needs []*need) bool { return r.answered() && r.serves(needs) }

// answered reports whether the last read was.
func (r remembered) answered() bool { return r.seen.Equal(r.at) }

// believed is how long what was not right is not read again: one that is named by others
// than before, or as the spec of one has changed, soon.
func (r remembered) believed(needs []*need) time.Duration {
	if r.of != namedBy(needs) {
		return soon
	}
	return soon << min(max(r.tries-1, 0), 16)
}

// namedBy tells who names a Secret, whatever the order.
func namedBy(needs []*need) (sum uint64) {
	for _, n := range needs {
		sum += n.of
	}
	return sum
}

// stale is when the API server was heard of it last, where that was long ago; else "".
// It is the same for as long as that lasts, and so is a status that says it.
func (r remembered) stale(period time.Duration) string {
	if r.seen.IsZero() || r.at.Sub(r.seen) < 2*period {
		return ""
	}
	return r.seen.UTC().Format(time.RFC3339)
}

// unread are how many were not answered last.
func unread(all map[types.NamespacedName]remembered) (n int) {
	for _, r := range all {
		if !r.answered() {
			n++
		}
	}
	return n
}

// firsts is how often the first pass is made again while Secrets are not answered, which
// is most of a minute: one that is never read must not hold up all others.
const firsts = 10

// firstPass is made again until the API server answered for each Secret: what was in the
// registries before the start would leave them otherwise (R51). A right that the operator
// lacks is an answer.
type firstPass struct {
	done  bool
	tries int
}

func (p *firstPass) over(read []facts) error {
	silent := 0
	for _, f := range read {
		if f.silent {
			silent++
		}
	}
	if p.tries++; p.done || silent == 0 || p.tries >= firsts {
		p.done = true
		return nil
	}
	return fmt.Errorf("%d Secrets that tenants' resources name were not answered, and before they are the registries stay as they are", silent)
}
