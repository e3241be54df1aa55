package preflight

import (
	"io"
	"sync"

	"github.com/runkora/kora/plugin/values"
)

// Replayed lets the values be read several times: standard input is there once. It is
// read when the values first ask for it, and never where they do not: a terminal has no
// end.
func Replayed(in values.Input) func() values.Input {
	if in.Stdin == nil {
		return func() values.Input { return in }
	}
	from := in.Stdin
	all := sync.OnceValues(func() ([]byte, error) { return io.ReadAll(io.LimitReader(from, stdinLimit)) })
	return func() values.Input {
		again := in
		again.Stdin = &replay{all: all}
		return again
	}
}

// stdinLimit is far above what a values file may be.
const stdinLimit = 16 << 20

// replay reads what was kept, from its beginning.
type replay struct {
	all  func() ([]byte, error)
	done int
}

// Read is of io.Reader.
func (r *replay) Read(into []byte) (int, error) {
	text, err := r.all()
	n := copy(into, text[r.done:])
	if r.done += n; r.done < len(text) || n > 0 || len(into) == 0 {
		return n, nil
	}
	if err != nil {
		return 0, err
	}
	return 0, io.EOF
}
