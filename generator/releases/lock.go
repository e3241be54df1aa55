package releases

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/lock"
)

// Locked pins kora's two charts by what a lock says of them (R38). The lock of
// another release, or of one chart alone, is refused: half a pin is none. A
// mirror has the digests of what it mirrors, so the registry does not matter.
func Locked(l *lock.Lock, file, version string) (Pins, faults.List) {
	pins := Pins{Version: version, Digests: map[string]string{}}
	var found faults.List
	for _, chart := range []string{KoraCRDs, Kora} {
		digest := ""
		for _, a := range l.Artifacts {
			if a.Kind == lock.Chart && strings.HasSuffix(a.Ref, "/"+chart+":"+lock.Normal(version)) {
				digest = a.Digest
			}
		}
		if digest == "" {
			f := faults.New(faults.LockMismatch, "the lock does not hold the chart "+chart+" of "+version)
			f.File, f.Expected = file, "an artifact of kind chart that ends in /"+chart+":"+version
			f.Fix = "write the lock with kora verify release " + version + " --lock " + file
			found = append(found, f)
		}
		pins.Digests[chart] = digest
	}
	return pins, found
}
