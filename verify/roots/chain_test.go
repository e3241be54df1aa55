package roots_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// cached is a source whose cache was filled online, and is asked offline.
func cached(t *testing.T, r *repository, first string) roots.Source {
	t.Helper()
	s := source(t, r, first)
	if got, found := load(t, s); found.Refused() || len(got) != 1 {
		t.Fatalf("online: %v", found)
	}
	s.Offline = true
	return s
}

func holds(t *testing.T, what string, r *repository, s roots.Source) {
	t.Helper()
	before := r.requests.Load()
	if got, found := load(t, s); found.Refused() || len(got) != 1 {
		t.Errorf("%s: %v", what, found)
	}
	if r.requests.Load() != before {
		t.Errorf("%s: --offline asked the mirror", what)
	}
}

// expire rewrites the root that a repository begins with as one that expired.
func (r *repository) expire(first string) {
	r.root.Signed.Expires = time.Now().AddDate(0, 0, -1)
	r.writeRoot(r.signer)
	data, err := os.ReadFile(filepath.Join(r.dir, version(r.root.Signed.Version)+"root.json"))
	must(r.t, err)
	must(r.t, os.WriteFile(first, data, 0o600))
}

// R48: the cache serves --offline through every rotation, also from a root that
// has expired by itself, and again and again.
func TestTheCacheOutlivesRotations(t *testing.T) {
	target := sigstoretest.New(t).TrustedRoot()
	for what, change := range map[string]func(r *repository, first string){
		"one rotation":    func(r *repository, _ string) { r.rotate() },
		"three rotations": func(r *repository, _ string) { r.rotate(); r.rotate(); r.rotate() },
		"a first root that has expired": func(r *repository, first string) {
			r.expire(first)
			r.root.Signed.Expires = time.Now().AddDate(1, 0, 0)
			r.rotate()
		},
		"a root on the way that has expired": func(r *repository, _ string) {
			r.root.Signed.Expires = time.Now().AddDate(0, 0, -1)
			r.rotate()
			r.root.Signed.Expires = time.Now().AddDate(1, 0, 0)
			r.rotate()
		},
	} {
		r, first := newRepository(t, target)
		change(r, first)
		r.publish(target, time.Now().AddDate(0, 1, 0))
		s := cached(t, r, first)
		holds(t, what, r, s)
		holds(t, what+", again", r, s)
	}
}

// R48: a repository that rotates between two runs online leaves a chain that
// leads from the first root to the last.
func TestTheChainGrows(t *testing.T) {
	target := sigstoretest.New(t).TrustedRoot()
	r, first := newRepository(t, target)
	s := cached(t, r, first)
	for range 2 {
		r.rotate()
		r.publish(target, time.Now().AddDate(0, 1, 0))
		s.Offline = false
		if _, found := load(t, s); found.Refused() {
			t.Fatal(found)
		}
		s.Offline = true
		holds(t, "after a rotation", r, s)
	}
}

// R48: what is not valid any more, or not signed by the root before, opens
// nothing offline.
func TestACacheThatIsNotValid(t *testing.T) {
	target := sigstoretest.New(t).TrustedRoot()
	chainOf := func(s roots.Source) string {
		found, err := filepath.Glob(filepath.Join(s.Cache, "*", "roots"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v %v", found, err)
		}
		return found[0]
	}
	for what, change := range map[string]func(r *repository, s roots.Source){
		"a root that a stranger signed": func(r *repository, s roots.Source) {
			stranger, _ := newSigner(t)
			r.writeRoot(stranger)
			data, err := os.ReadFile(filepath.Join(r.dir, "3.root.json"))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(chainOf(s), "3.root.json"), data, 0o600))
		},
		"a root that is no JSON": func(_ *repository, s roots.Source) {
			must(t, os.WriteFile(filepath.Join(chainOf(s), "2.root.json"), []byte("x"), 0o600))
		},
		"a root that is missing": func(_ *repository, s roots.Source) {
			must(t, os.Remove(filepath.Join(chainOf(s), "2.root.json")))
		},
		"a version that is passed over": func(_ *repository, s roots.Source) {
			must(t, os.Rename(filepath.Join(chainOf(s), "3.root.json"), filepath.Join(chainOf(s), "2.root.json")))
		},
		"a last root that has expired": func(r *repository, s roots.Source) {
			r.root.Signed.Expires = time.Now().AddDate(0, 0, -1)
			r.root.Signed.Version++
			r.writeRoot(r.signer)
			data, err := os.ReadFile(filepath.Join(r.dir, "4.root.json"))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(chainOf(s), "4.root.json"), data, 0o600))
		},
		"a timestamp that has expired": func(r *repository, s roots.Source) {
			r.publish(target, time.Now().AddDate(0, 0, -1))
			data, err := os.ReadFile(filepath.Join(r.dir, "timestamp.json"))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(filepath.Dir(chainOf(s)), "timestamp.json"), data, 0o600))
		},
	} {
		r, first := newRepository(t, target)
		r.rotate()
		r.rotate()
		r.publish(target, time.Now().AddDate(0, 1, 0))
		s := cached(t, r, first)
		holds(t, what+": before", r, s)
		change(r, s)
		unchecked(t, what, s, "still valid")
	}
}
