package release

import (
	"errors"
	"sync"

	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/verify/evidence"
)

// ReadEvidence reads the evidence of one format at a path, and no more of it
// than the format allows: one bundle that is longer is read as far as it shows
// that, and proves nothing. Errors are those of regular.Read.
func ReadEvidence(path string, format evidence.Format) (evidence.Raw, error) {
	data, err := regular.Read(path, format.Limit())
	if errors.As(err, new(regular.LongError)) && format == evidence.OneBundle {
		err = nil
	}
	return evidence.Raw{Name: path, Format: format, Bytes: data}, err
}

// lines are the files of provenance of a run, each read and parsed once: all
// files of a release stand in one, which may be large.
type lines struct {
	mu sync.Mutex
	at map[string]func() (evidence.Raw, error)
}

func (l *lines) read(path string) (evidence.Raw, error) {
	l.mu.Lock()
	if l.at[path] == nil {
		l.at[path] = sync.OnceValues(func() (evidence.Raw, error) {
			raw, err := ReadEvidence(path, evidence.Lines)
			return raw.Once(), err
		})
	}
	read := l.at[path]
	l.mu.Unlock()
	return read()
}
