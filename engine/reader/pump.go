package reader

import (
	"context"
	"io"
)

// This file reads pipes and terminals ahead, so that a read that waits for
// input can be interrupted.

// A pump is a reader that ends with its context even while the reader below it
// blocks. One goroutine fills two buffers in turn; it ends with the context, or
// as soon after as the reader below lets go.
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
	go p.run(r)
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
			p.last = chunk{err: context.Cause(p.ctx)}
		}
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	if len(p.rest) == 0 {
		return n, p.last.err
	}
	return n, nil
}
