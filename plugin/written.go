package main

import (
	"fmt"
	"io"
)

// written is stdout, and keeps the first failure of a write: a result that did not
// arrive is no result, whoever wrote it.
//
// A stdout that is closed outright (>&-) cannot be told from one that is thrown
// away: Go's runtime opens /dev/null in its place before the program begins, for
// reading and writing, as other programs do for a result that nobody wants.
type written struct {
	to  io.Writer
	err error
}

func (w *written) Write(text []byte) (int, error) {
	n, err := w.to.Write(text)
	if err != nil {
		err = fmt.Errorf("the result cannot be written: %w", err)
	}
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}
