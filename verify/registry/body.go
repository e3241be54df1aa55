package registry

import (
	"context"
	"io"
	"sync"
	"time"
)

// body is an answer that ends when it grows too large, comes too slowly, or
// stops coming.
type body struct {
	io.ReadCloser
	ctx  context.Context
	left int64
	max  int64
	idle time.Duration
	dead *time.Timer
	end  func()
	once sync.Once
}

func newBody(ctx context.Context, rc io.ReadCloser, l Limits, cancel context.CancelCauseFunc, end func()) *body {
	limit := max(l.Manifest, l.Evidence)
	return &body{
		ReadCloser: rc, ctx: ctx, left: limit, max: limit, idle: l.Idle, end: end,
		dead: time.AfterFunc(l.Idle, func() { cancel(errIdle) }),
	}
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, tooLarge(b.max)
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1] // one more than allowed tells that there is more
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if n > 0 {
		b.dead.Reset(b.idle)
	}
	if b.left < 0 {
		return n, tooLarge(b.max)
	}
	if err != nil && err != io.EOF {
		if cause := context.Cause(b.ctx); cause != nil {
			err = cause
		}
	}
	return n, err
}

func (b *body) Close() error {
	b.once.Do(func() {
		b.dead.Stop()
		b.end()
	})
	return b.ReadCloser.Close()
}

// readAll reads at most limit bytes.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = tooLarge(limit)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}
