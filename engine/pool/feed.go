package pool

import (
	"context"
	"iter"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Feed calls f once for every item that the sequence yields, from at most threads
// goroutines, numbered and started in the order of the items. The workers take
// turns at the sequence, so that no goroutine is left idle behind a slow
// producer; what an item refers to must stay valid until f has returned.
//
// An error of the sequence or of f stops it; the work that has begun is finished,
// and the error that comes first in the order of the items is returned, whatever
// the number of threads. A panic becomes an error with its stack.
func Feed[T any](ctx context.Context, threads int, items iter.Seq2[T, error], f func(worker, number int, item T) error) error {
	feed := feed[T]{ctx: ctx, f: f}
	next, stop := iter.Pull2(items)
	defer stop()
	feed.next = next
	threads = Threads(threads)
	if threads == 1 {
		feed.work(0)
		return feed.err
	}
	var group errgroup.Group
	for worker := range threads {
		group.Go(func() error {
			feed.work(worker)
			return nil
		})
	}
	_ = group.Wait()
	return feed.err
}

// A feed is the state that the workers share.
type feed[T any] struct {
	ctx context.Context
	f   func(worker, number int, item T) error

	mu     sync.Mutex // around the sequence and what follows
	next   func() (T, error, bool)
	taken  int // items
	ended  bool
	failed int // the number of the item of err
	err    error
}

// work takes items until there are no more.
func (f *feed[T]) work(worker int) {
	number := 0
	defer func() {
		if err := recovered(recover()); err != nil {
			f.fail(number, err)
		}
	}()
	for {
		n, item, ok := f.take()
		if !ok {
			return
		}
		number = n
		if err := f.f(worker, n, item); err != nil {
			f.fail(n, err)
			return
		}
	}
}

// take gives the next item and its number.
func (f *feed[T]) take() (number int, item T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return 0, item, false
	}
	number = f.taken
	f.ended = true // unless all goes well; a panic of the sequence ends it, too
	item, ok = f.pull(number)
	f.ended = !ok
	f.taken++
	return number, item, ok
}

// pull asks the sequence, with the lock held. It notes an error.
func (f *feed[T]) pull(number int) (item T, ok bool) {
	defer func() {
		if err := recovered(recover()); err != nil {
			f.note(number, err)
		}
	}()
	if f.ctx.Err() != nil {
		f.note(number, context.Cause(f.ctx))
		return item, false
	}
	item, err, ok := f.next()
	if err != nil {
		f.note(number, err)
	}
	return item, ok && err == nil
}

func (f *feed[T]) fail(number int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.note(number, err)
}

// note keeps the error of the first item, with the lock held.
func (f *feed[T]) note(number int, err error) {
	if f.err == nil || number < f.failed {
		f.err, f.failed = err, number
	}
}
