package pool

import (
	"context"
	"iter"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/termsift/termsift/engine/usage"
)

// Feed calls f once for every item of a sequence, on at most threads goroutines, started
// in the order of the items. number counts the items from 0; worker is in [0, threads), as
// for [Run]. The workers take turns at the sequence, so that none is idle while a producer
// is slow. What an item refers to must stay valid until f has returned.
//
// After an error of the sequence or of f, calls that have begun are finished, and the
// error that comes first in the order of the items is returned, for any number of threads.
// A panic becomes an error with its stack. The sequence runs on a goroutine of its own,
// see [Pull], and so does f with more than one thread: there a runtime.Goexit becomes
// [ErrGoexit].
func Feed[T any](ctx context.Context, threads int, items iter.Seq2[T, error], f func(worker, number int, item T) error) (err error) {
	feed := feed[T]{ctx: ctx, handle: f}
	next, stop := Pull(items)
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	feed.next = next
	threads = Threads(threads)
	if threads == 1 {
		feed.runWorker(0)
		return feed.err
	}
	var group errgroup.Group
	for worker := range threads {
		group.Go(func() error {
			feed.runWorker(worker)
			return nil
		})
	}
	_ = group.Wait()
	return feed.err
}

// A feed is the state that the workers share.
type feed[T any] struct {
	ctx    context.Context
	handle func(worker, number int, item T) error

	mu      sync.Mutex // guards the sequence and the fields below
	next    func() (T, error, bool)
	taken   int // number of items taken
	done    bool
	errItem int // number of the item that err belongs to
	err     error
}

// runWorker handles items until there are no more.
func (f *feed[T]) runWorker(worker int) {
	number, returned := 0, false
	defer func() {
		if err := panicError(recover()); err != nil {
			f.stopWith(number, err)
		} else if !returned {
			f.stopWith(number, ErrGoexit)
		}
	}()
	for f.runNext(worker, &number) {
	}
	returned = true
}

// runNext handles one item and sets number to its number. It returns false if there are no
// more or an error has happened.
func (f *feed[T]) runNext(worker int, number *int) bool {
	n, item, ok := f.takeItem()
	if !ok {
		return false
	}
	*number = n
	if err := f.handle(worker, n, item); err != nil {
		f.stopWith(n, err)
		return false
	}
	return true
}

// takeItem returns the next item and its number, ok = false if there is none.
func (f *feed[T]) takeItem() (number int, item T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return 0, item, false
	}
	number = f.taken
	f.done = true // stays so if the sequence panics
	item, ok = f.pullItem(number)
	f.done = !ok
	f.taken++
	return number, item, ok
}

// pullItem returns the next item of the sequence and keeps its error. mu is held.
func (f *feed[T]) pullItem(number int) (item T, ok bool) {
	defer func() {
		if err := panicError(recover()); err != nil {
			f.keepFirstError(number, err)
		}
	}()
	if f.ctx.Err() != nil {
		f.keepFirstError(number, usage.Cause(f.ctx))
		return item, false
	}
	item, err, ok := f.next()
	if err != nil {
		f.keepFirstError(number, err)
	}
	return item, ok && err == nil
}

// stopWith ends the feed with the error of an item.
func (f *feed[T]) stopWith(number int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = true
	f.keepFirstError(number, err)
}

// keepFirstError keeps err if no earlier item has an error. mu is held.
func (f *feed[T]) keepFirstError(number int, err error) {
	if f.err == nil || number < f.errItem {
		f.err, f.errItem = err, number
	}
}
