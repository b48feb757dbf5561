package reader

import (
	"context"
	"io"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// A pump reads ahead from a pipe or terminal, so that a Read that waits for input returns
// when the context ends. One goroutine fills two buffers in turn. It ends with the context,
// or when the read below, which cannot be interrupted, returns.
type pump struct {
	ctx  context.Context
	full chan chunk
	free chan []byte
	last chunk  // what is being read
	rest []byte // of last
}

// A chunk is the outcome of one read.
type chunk struct {
	data []byte
	err  error
}

func newPump(ctx context.Context, r io.Reader) *pump {
	p := &pump{ctx: ctx, full: make(chan chunk), free: make(chan []byte, 2)}
	p.free <- make([]byte, bufferBytes)
	p.free <- make([]byte, bufferBytes)
	pool.Start(func() { p.run(r) })
	return p
}

func (p *pump) run(r io.Reader) {
	for {
		var buffer []byte
		select {
		case buffer = <-p.free:
		case <-p.ctx.Done():
			return
		}
		n, err := r.Read(buffer[:cap(buffer)])
		select {
		case p.full <- chunk{buffer[:n], err}:
		case <-p.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (p *pump) Read(to []byte) (int, error) {
	if len(p.rest) == 0 && p.last.err == nil {
		if p.last.data != nil {
			p.free <- p.last.data
		}
		select {
		case p.last = <-p.full:
			p.rest = p.last.data
		case <-p.ctx.Done():
			p.last = chunk{err: usage.Cause(p.ctx)}
		}
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	if len(p.rest) == 0 {
		return n, p.last.err
	}
	return n, nil
}
