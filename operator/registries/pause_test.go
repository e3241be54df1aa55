package registries

import (
	"testing"
	"time"
)

// R51: passes that take long come less often, so that resources that are made one
// after the other cost the same each, however many there are already; and a change
// never waits for more than ten seconds.
func TestPassesRestInProportion(t *testing.T) {
	p := &pause{}
	if got := p.get(); got != gather {
		t.Errorf("before the first pass: %s", got)
	}
	for took, want := range map[time.Duration]time.Duration{
		0: gather, 10 * time.Millisecond: gather, 200 * time.Millisecond: time.Second, time.Second: 5 * time.Second, time.Hour: gatherMost, -time.Hour: gather,
	} {
		if p.took(took); p.get() != want {
			t.Errorf("after a pass of %s: %s and not %s", took, p.get(), want)
		}
	}
}
