package output

import (
	"path"
	"regexp"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// digest is one of a chart, as the generators write a lock's.
var digest = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// Unpinned compares a set that was made without a lock with a folder: a fault for
// each generated file that pins a chart by its digest, at the first one, where the
// set would have none. A file that a person changed since counts as well, since
// force writes over it (R38). What cannot be read is left to Write and Check.
func (s Set) Unpinned(name string) faults.List {
	dir, found := open(name)
	if found.Refused() {
		return nil
	}
	defer dir.close()
	for _, f := range s.Files {
		text, there, _ := dir.read(f.Path)
		if f.Yours || !there || stateOf(s.Generator, text) == foreign || digest.MatchString(f.Text) {
			continue
		}
		found = append(found, unpinned(dir, f, text)...)
	}
	return found
}

// unpinned looks below the seal, which has a sum of its own.
func unpinned(dir *folder, f File, text string) faults.List {
	seal, body, _ := strings.Cut(text, "\n")
	at := digest.FindStringIndex(body)
	if at == nil {
		return nil
	}
	before := seal + "\n" + body[:at[0]]
	out := faults.New(faults.LockMismatch, "what "+path.Base(f.Path)+" installs is pinned by its digest, and without a lock it would be no longer")
	out.File, out.Line, out.Column = dir.path(f.Path), strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n")
	out.Found, out.Expected = "no --lock", "the lock of this version, as "+body[at[0]:at[1]]+" was of one"
	out.Fix = "give it with --lock; where nothing shall be pinned any more, remove " + out.File + " first"
	return faults.List{out}
}
