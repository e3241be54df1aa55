package main

import "io"

// written is stdout, and keeps the first failure of a write: a result that did not
// arrive is no result, whoever wrote it.
type written struct {
	to  io.Writer
	err error
}

func (w *written) Write(text []byte) (int, error) {
	n, err := w.to.Write(text)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}
