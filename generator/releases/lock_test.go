package releases

import (
	"strings"
	"testing"

	"github.com/runkora/kora/verify/lock"
)

func digest(c string) string { return "sha256:" + strings.Repeat(c, 64) }

func artifact(kind, ref, of string) lock.Artifact {
	return lock.Artifact{Ref: ref, Kind: kind, Digest: digest(of), Signers: []lock.Signer{{Identity: "i", Issuer: "s"}}}
}

// R38: digests of a lock pin both charts or none, of charts.kora or of what it
// mirrors; a chart of the same name elsewhere pins nothing.
func TestLockPinsBothCharts(t *testing.T) {
	const own, mirror = "oci://ghcr.io/runkora/charts", "oci://mirror.example.com:5000/kora/charts/"
	crds := artifact(lock.Chart, "ghcr.io/runkora/charts/kora-crds:1.4.0", "a")
	kora := artifact(lock.Chart, "ghcr.io/runkora/charts/kora:1.4.0", "b")
	mirrored := artifact(lock.Chart, "mirror.example.com:5000/kora/charts/kora:1.4.0", "b")
	image := artifact(lock.Image, "ghcr.io/runkora/charts/kora:1.4.0", "c")
	for name, c := range map[string]struct {
		lock       *lock.Lock
		repository string
		refused    string
	}{
		"published":             {lock.New(crds, kora), own, ""},
		"a mirror's digests":    {lock.New(crds, kora), mirror, ""},
		"a mirror that is read": {lock.New(crds, mirrored), mirror, ""},
		"both, alike":           {lock.New(crds, kora, mirrored), mirror, ""},
		"a foreign one beside":  {lock.New(crds, kora, artifact(lock.Chart, "zz.example.com/kora:1.4.0", "d")), own, ""},
		"a deeper one beside":   {lock.New(crds, kora, artifact(lock.Chart, "evil.example.com/ghcr.io/runkora/charts/kora:1.4.0", "d")), own, ""},
		"a foreign one alone":   {lock.New(crds, artifact(lock.Chart, "zz.example.com/kora:1.4.0", "d")), own, "does not hold"},
		"no mirror of this":     {lock.New(crds, mirrored), own, "does not hold"},
		"two digests":           {lock.New(crds, kora, artifact(lock.Chart, "mirror.example.com:5000/kora/charts/kora:1.4.0", "d")), mirror, "two digests"},
		"one chart":             {lock.New(kora), own, "does not hold"},
		"an image":              {lock.New(crds, image), own, "does not hold"},
		"none":                  {lock.New(), own, "does not hold"},
	} {
		pins, found := Locked(c.lock, "kora.lock", "1.4.0", c.repository)
		switch {
		case c.refused == "" && (len(found) > 0 || pins.Digests["kora"] != digest("b") || pins.Digests["kora-crds"] != digest("a")):
			t.Errorf("%s: %v %+v", name, pins, found)
		case c.refused != "" && (!found.Refused() || !strings.Contains(found[0].Message, c.refused) || found[0].File != "kora.lock"):
			t.Errorf("%s: %+v", name, found)
		}
	}
	if _, found := Locked(lock.New(crds, kora), "kora.lock", "1.4.1", own); len(found) != 2 {
		t.Errorf("the lock of another version: %v", found)
	}
}
