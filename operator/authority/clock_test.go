package authority_test

import (
	"crypto/x509"
	"slices"
	"testing"
	"time"

	"github.com/runkora/kora/operator/authority"
)

const day = 24 * time.Hour

func valid(c *x509.Certificate, now time.Time) bool {
	return !now.Before(c.NotBefore) && now.Before(c.NotAfter)
}

// jumping is a tenant's authority and deputy, kept in their Secrets, under a clock that
// jumps.
type jumping struct {
	*testing.T
	rule         authority.Rule
	below        authority.DeputyRule
	root, deputy map[string][]byte
	state        authority.State
	d            authority.Deputy
	known        []*x509.Certificate // all roots that ever signed or were to
}

func jump(t *testing.T) *jumping {
	return &jumping{T: t, rule: authority.Default("kora tenant data"), below: authority.Egress("data", "example.com")}
}

// at is a pass at a moment: who signs is valid, and what the deputy signs verifies.
func (j *jumping) at(now time.Time) {
	j.Helper()
	if j.root != nil {
		var err error
		if j.state, err = authority.Parse(j.root); err != nil {
			j.Fatal(err)
		}
		if j.d, err = authority.ParseDeputy(j.deputy); err != nil {
			j.Fatal(err)
		}
	}
	j.state = stepped(j.T, j.rule, j.state, now)
	j.d = deputy(j.T, j.below, j.state, j.d, now)
	var err error
	if j.root, err = j.state.Data(); err != nil {
		j.Fatal(err)
	}
	if j.deputy, err = j.d.Data(j.state); err != nil {
		j.Fatal(err)
	}
	if !valid(j.state.Current.Certificate, now) || !valid(j.d.Current.Certificate, now) {
		j.Fatalf("%s: the authority begins on %s, the deputy on %s", now, j.state.Current.Certificate.NotBefore, j.d.Current.Certificate.NotBefore)
	}
	if err := chained(leafOf(j.T, j.d.Current, now, nil), j.deputy["tls.crt"], j.deputy["ca.crt"], now); err != nil {
		j.Fatalf("%s: what the deputy signs: %v", now, err)
	}
	if _, changed, _ := j.rule.Step(j.state, now); changed {
		j.Fatalf("%s: the authority changes again at the same moment", now)
	}
	if _, changed, _ := j.below.Step(j.state, j.d, now); changed {
		j.Fatalf("%s: the deputy changes again at the same moment", now)
	}
	for _, c := range j.state.Trusted() {
		if !slices.ContainsFunc(j.known, c.Equal) {
			j.known = append(j.known, c)
		}
	}
	for _, c := range j.known {
		if valid(c, now) && !slices.ContainsFunc(j.state.Trusted(), c.Equal) {
			j.Errorf("%s: one that was trusted and is valid until %s is not", now, c.NotAfter)
		}
	}
}

// R50: a clock that jumps, ahead or back, once or several times, and is right again: who
// signs is valid then and at every moment between, what was trusted and is valid is
// trusted, and what was signed before the jumps verifies, for whoever has read the
// bundle since and, where nothing was signed by another for a day, for who has not.
func TestAClockThatJumpsAndIsRightAgain(t *testing.T) {
	for name, c := range map[string]struct {
		jumps  []time.Duration // of passes, from the right time
		others bool            // who has not read the bundle since knows who signs, too
	}{
		"past the deputy's renewal":     {[]time.Duration{21 * day}, true},
		"past the deputy's end":         {[]time.Duration{31 * day}, true},
		"past the renewal":              {[]time.Duration{244 * day}, true},
		"shortly before the end":        {[]time.Duration{360 * day}, true},
		"past the end":                  {[]time.Duration{366 * day}, true},
		"by ten years":                  {[]time.Duration{3650 * day}, true},
		"past all ends, one by one":     {[]time.Duration{366 * day, 740 * day, 1200 * day, 9000 * day}, true},
		"there and back, several times": {[]time.Duration{366 * day, 0, 21 * day, 0, 366 * day, 0, 400 * day, 0}, true},
		"until the next one signs":      {[]time.Duration{244 * day, 246 * day, 600 * day}, false},
		"back by an hour":               {[]time.Duration{-time.Hour}, true},
		"back by a week":                {[]time.Duration{-7 * day}, false},
		"back by years, step by step":   {[]time.Duration{-100 * day, -500 * day, -900 * day}, false},
		"back and ahead":                {[]time.Duration{-100 * day, 366 * day, -100 * day, 800 * day, -50 * day}, false},
	} {
		t.Run(name, func(t *testing.T) {
			j := jump(t)
			j.at(start)
			first, stale := j.d.Current, slices.Clone(j.deputy["ca.crt"])
			signed := leafOf(t, first, start, nil)
			for _, jumped := range c.jumps {
				j.at(start.Add(jumped))
			}
			now := start.Add(time.Minute)
			j.at(now)
			chain := slices.Concat(j.deputy["tls.crt"], j.deputy["previous.crt"])
			if err := chained(signed, chain, j.deputy["ca.crt"], now); err != nil {
				t.Errorf("what was signed before: %v", err)
			}
			if err := chained(leafOf(t, j.d.Current, now, nil), j.deputy["tls.crt"], stale, now); c.others && err != nil {
				t.Errorf("for who knows what was trusted before: %v", err)
			}
			for ; now.Before(start.Add(500 * day)); now = now.Add(15 * day) { // and life goes on
				j.at(now)
			}
		})
	}
}

// R50: a clock that never comes to rest fills no Secret.
func TestAClockThatJumpsAboutLeavesLittle(t *testing.T) {
	j := jump(t)
	jumps := []time.Duration{0, 366 * day, 21 * day, -40 * day, 245 * day, 247 * day, 3650 * day, -400 * day}
	for i := range 240 {
		j.known = nil // of so many not all stay
		j.at(start.Add(jumps[i%len(jumps)] + time.Duration(i)*time.Hour))
	}
	for name, data := range map[string]map[string][]byte{"the authority's": j.root, "the deputy's": j.deputy} {
		size := 0
		for _, value := range data {
			size += len(value)
		}
		if size > 128<<10 {
			t.Errorf("%s Secret has %d bytes", name, size)
		}
	}
	made := []*x509.Certificate{}
	for i := range 100 { // and to and fro makes nothing new, once both have one that signs
		j.known = nil
		j.at(start.Add([]time.Duration{0, 366 * day}[i%2]))
		if c := j.state.Current.Certificate; i > 4 && !slices.ContainsFunc(made, c.Equal) {
			t.Errorf("pass %d: another authority", i)
		} else {
			made = append(made, c)
		}
	}
}

// R50: whoever spoils the Secret again and again has a new authority made each time, and
// no more certificates told than are kept of clocks that jump.
func TestASecretThatIsSpoiltTellsLittle(t *testing.T) {
	rule, s := authority.Default("kora tenant data"), authority.State{}
	for i := range 100 {
		s = stepped(t, rule, authority.State{Previous: s.Trusted()}, start.Add(time.Duration(i)*time.Minute))
	}
	data, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	if n, size := len(s.Trusted()), len(data["ca.crt"])+len(data["previous.crt"]); n > 34 || size > 64<<10 || s.Current == nil {
		t.Errorf("%d certificates are trusted, of %d bytes", n, size)
	}
}
