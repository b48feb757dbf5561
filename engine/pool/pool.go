// Package pool is the one place where goroutines start: a bounded group of
// workers that take numbered chunks from a counter. Results do not depend on
// the number of workers as long as a chunk writes only its own outputs.
package pool

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Threads gives the number of workers for an option: n itself when positive,
// GOMAXPROCS (which respects container limits) otherwise.
func Threads(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Run calls f once for every chunk in [0, chunks), from at most threads
// goroutines, in ascending order of starting. It stops handing out chunks at
// the first error or when ctx ends, waits for the workers and returns that
// error. worker is in [0, threads): it names the caller's scratch memory. A
// panic in f becomes an error with its stack.
func Run(ctx context.Context, threads, chunks int, f func(worker, chunk int) error) error {
	threads = min(Threads(threads), max(chunks, 1))
	if threads == 1 {
		return work(ctx, 0, chunks, new(atomic.Int64), f)
	}
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for worker := range threads {
		group.Go(func() error { return work(ctx, worker, chunks, &next, f) })
	}
	return group.Wait()
}

// Stage runs f, and every goroutine it starts, under a name that profiles show as
// the label "stage".
func Stage(ctx context.Context, name string, f func(ctx context.Context) error) (err error) {
	pprof.Do(ctx, pprof.Labels("stage", name), func(ctx context.Context) { err = f(ctx) })
	return err
}

func work(ctx context.Context, worker, chunks int, next *atomic.Int64, f func(worker, chunk int) error) (err error) {
	defer func() {
		if r := recovered(recover()); r != nil {
			err = r
		}
	}()
	for {
		chunk := int(next.Add(1)) - 1
		if chunk >= chunks {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := f(worker, chunk); err != nil {
			return err
		}
	}
}

// recovered makes an error of what recover gave, nil of nothing.
func recovered(r any) error {
	if r == nil {
		return nil
	}
	return fmt.Errorf("pool: a worker panicked: %v\n%s", r, debug.Stack())
}

// A Range is a chunk of consecutive items: [From, To).
type Range struct{ From, To int }

// Split cuts n items into ranges of about equal cost, which begin at multiples of
// align: a range ends at the first of them where its cost has reached target.
func Split(n int, target int64, align int, cost func(item int) int64) []Range {
	var ranges []Range
	from, sum := 0, int64(0)
	for i := range n {
		sum += cost(i)
		if sum >= target && (i+1)%align == 0 {
			ranges = append(ranges, Range{from, i + 1})
			from, sum = i+1, 0
		}
	}
	if from < n {
		ranges = append(ranges, Range{from, n})
	}
	return ranges
}
