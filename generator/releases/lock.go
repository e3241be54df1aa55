package releases

import (
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/lock"
)

// official is where kora's charts are published.
const official = "ghcr.io/runkora/charts"

// Locked pins kora's two charts by what a lock says of them (R38). The lock of
// another release, or of one chart alone, is refused: half a pin is none. Only
// artifacts of the repository that the environment installs from count, or of
// the one that it mirrors, whose digests a mirror has; a chart of the same name
// elsewhere is somebody else's. repository is charts.kora of the environment.
func Locked(l *lock.Lock, file, version, repository string) (Pins, faults.List) {
	pins := Pins{Version: version, Digests: map[string]string{}}
	places := []string{place(repository)}
	if places[0] != official {
		places = append(places, official)
	}
	var found faults.List
	for _, chart := range []string{KoraCRDs, Kora} {
		digest, more := pin(l, file, chart+":"+lock.Normal(version), places)
		pins.Digests[chart] = digest
		found = append(found, more...)
	}
	return pins, found
}

// place is a repository as a lock writes it.
func place(repository string) string {
	for _, scheme := range []string{"oci://", "https://", "http://"} {
		repository = strings.TrimPrefix(repository, scheme)
	}
	return strings.TrimSuffix(repository, "/")
}

// pin is the digest that the lock has for a chart; two are none.
func pin(l *lock.Lock, file, name string, places []string) (string, faults.List) {
	digest := ""
	for _, a := range l.Artifacts {
		switch {
		case a.Kind != lock.Chart || !slices.ContainsFunc(places, func(p string) bool { return a.Ref == p+"/"+name }):
		case digest == "" || digest == a.Digest:
			digest = a.Digest
		default:
			f := faults.New(faults.LockMismatch, "the lock holds two digests of the chart "+name)
			if a.Pos.File != nil {
				f = a.Pos.Fault(faults.LockMismatch, f.Message)
			}
			f.File, f.Found, f.Expected = file, a.Digest, digest
			f.Fix = "find out which of the two repositories is right, and write the lock anew with kora verify release"
			return "", faults.List{f}
		}
	}
	if digest != "" {
		return digest, nil
	}
	chart, version, _ := strings.Cut(name, ":")
	f := faults.New(faults.LockMismatch, "the lock does not hold the chart "+chart+" of "+version)
	f.File, f.Expected = file, "an artifact of kind chart "+strings.Join(places, "/"+name+" or ")+"/"+name
	f.Fix = "write the lock with kora verify release " + version + " --lock " + file
	return "", faults.List{f}
}
