package postings

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
)

// ErrClosed is returned if the lists of a closed index are needed.
var ErrClosed = errors.New("the index was closed")

// A lifetime is the number of running calls that read an index, plus math.MinInt64 once the index was closed: its memory
// is released only after them. The zero value is that of an open index.
type lifetime struct{ atomic.Int64 }

func (l *lifetime) ended() bool { return l.Load() < 0 }

// use runs f and keeps the memory of the index until f returns. A call within another is counted as well, and is refused
// too once the index was closed.
func (x *Index) use(f func() error) error {
	for {
		n := x.lifetime.Load()
		if n < 0 {
			return ErrClosed
		}
		if x.lifetime.CompareAndSwap(n, n+1) {
			break
		}
	}
	defer func() {
		if x.lifetime.Add(-1) == math.MinInt64 { // it was the last call of a closed index
			_ = x.release() // Close has returned already, and nothing was written
		}
	}()
	return f()
}

// UseEach is use for several indexes.
func UseEach(indexes []*Index, f func() error) error {
	for _, x := range indexes {
		inner := f
		f = func() error { return x.use(inner) }
	}
	return f()
}

// Close releases the file. It does not wait for running calls: they fail with
// [ErrClosed] at their next check unless they finish before it, and the last of them
// releases the file. Later calls that need lists or names of documents fail as well.
// Closing again does nothing.
func (x *Index) Close() error {
	if x.lifetime.Or(math.MinInt64) != 0 { // it was closed before, or calls are running
		return nil
	}
	return x.release()
}

// release releases the memory of a mapping.
func (x *Index) release() error {
	if x.mapping == nil {
		return nil
	}
	return x.mapping.Close()
}

// Guard runs f, which reads the lists of the index, on this goroutine. It returns
// files.ErrTruncated if the file is truncated meanwhile, and [ErrClosed] if the index was
// closed.
func (x *Index) Guard(f func() error) error {
	return x.use(func() error {
		if x.mapping != nil {
			return x.mapping.Guard(f)
		}
		return f()
	})
}

// RunOver is [Index.Run] for work that reads several indexes.
func RunOver(ctx context.Context, indexes []*Index, threads, chunks int, f func(worker, chunk int) error) error {
	for _, x := range indexes {
		inner := f
		f = func(worker, chunk int) error { return x.Guard(func() error { return inner(worker, chunk) }) }
	}
	return pool.Run(ctx, threads, chunks, f)
}

// Run is [pool.Run] for work that reads the lists of the index, with the errors of
// [Index.Guard].
func (x *Index) Run(ctx context.Context, threads, chunks int, f func(worker, chunk int) error) error {
	open := func(worker, chunk int) error {
		if x.lifetime.ended() {
			return ErrClosed
		}
		return f(worker, chunk)
	}
	return x.use(func() error {
		if x.mapping == nil {
			return pool.Run(ctx, threads, chunks, open)
		}
		return x.mapping.Judge(pool.Run(ctx, threads, chunks, func(worker, chunk int) error {
			return x.mapping.Catch(func() error { return open(worker, chunk) })
		}))
	})
}
