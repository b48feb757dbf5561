// Package pool starts the goroutines of the engine, a bounded number of workers.
//
// [Run] takes a number of chunks and calls a function for each; [Feed] does so for the
// items of a sequence. Results do not depend on the number of workers as long as a chunk
// writes its own outputs only. [Detached] runs a function, and [Pull] a sequence, on a
// goroutine of its own. [Stage] gives work a name in profiles, [Watch] takes its time, [Split] makes chunks of
// equal cost. Begin reading with Run.
//
// No goroutine outlives the call that started it or, for Pull, its stop. A panic of a
// worker never ends the process.
package pool

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/termsift/termsift/engine/usage"
)

// MostThreads is the largest number of workers. Each takes about 100 kB before it has any
// work, and results do not depend on their number.
const MostThreads = 1024

// Threads returns the number of workers that an option n means: n if it is positive, else
// GOMAXPROCS, which respects the limits of containers; never more than [MostThreads].
func Threads(n int) int {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, MostThreads)
}

// Run calls f once for every chunk in [0, chunks), on at most threads goroutines. Chunks
// are started in ascending order. After the first error, or when ctx ends, it starts no
// more chunks, waits for the workers and returns the error, or the cause of ctx. worker is
// in [0, threads), and no two calls at the same time have the same: it may index the
// caller's scratch memory. A panic in f becomes an error with its stack. A runtime.Goexit
// in f becomes [ErrGoexit]; with one thread it ends the caller's goroutine.
func Run(ctx context.Context, threads, chunks int, f func(worker, chunk int) error) error {
	threads = min(Threads(threads), max(chunks, 1))
	if threads == 1 {
		return runChunks(ctx, 0, chunks, new(atomic.Int64), f)
	}
	var next, returned atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for worker := range threads {
		group.Go(func() error {
			err := runChunks(ctx, worker, chunks, &next, f)
			returned.Add(1)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if int(returned.Load()) < threads {
		return ErrGoexit
	}
	return nil
}

// watch is the key of the function of [Watch] in a context.
type watch struct{}

// Watch returns a context in which a [Stage] that no other contains tells, at its end, how long it took, and how much
// CPU time the process used meanwhile.
func Watch(ctx context.Context, tell func(stage string, wall, cpu time.Duration)) context.Context {
	return context.WithValue(ctx, watch{}, tell)
}

// Stage runs f. Profiles show it, and every goroutine that it starts, with name as the
// label "stage". Whoever has asked for it by [Watch] is told the time.
func Stage(ctx context.Context, name string, f func(ctx context.Context) error) (err error) {
	if tell, ok := ctx.Value(watch{}).(func(string, time.Duration, time.Duration)); ok && tell != nil {
		start, cpu := time.Now(), CPU()
		defer func() { tell(name, time.Since(start), CPU()-cpu) }()
		ctx = Watch(ctx, nil)
	}
	pprof.Do(ctx, pprof.Labels("stage", name), func(ctx context.Context) { err = f(ctx) })
	return err
}

// runChunks calls f for the chunks that it gets from next, as one worker.
func runChunks(ctx context.Context, worker, chunks int, next *atomic.Int64, f func(worker, chunk int) error) error {
	return withoutPanic(func() error {
		for {
			chunk := int(next.Add(1)) - 1
			if chunk >= chunks {
				return nil
			}
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			maybePanic()
			if err := f(worker, chunk); err != nil {
				return err
			}
		}
	})
}

// panicError returns an error for what recover has returned, nil if that is nil.
func panicError(r any) error {
	if r == nil {
		return nil
	}
	return fmt.Errorf("pool: a worker panicked: %v\n%s", r, debug.Stack())
}

// Ranges calls f for consecutive ranges that cover the items [0, n), as [Run] does.
func Ranges(ctx context.Context, threads, n int, f func(from, to int)) error {
	return Run(ctx, threads, (n+rangeItems-1)/rangeItems, func(_, i int) error {
		f(i*rangeItems, min((i+1)*rangeItems, n))
		return nil
	})
}

// rangeItems is the number of items that a worker of [Ranges] processes between looks at the
// context.
const rangeItems = 1 << 14

// A Range is a chunk of consecutive items: [From, To).
type Range struct{ From, To int }

// Split cuts n items into ranges of about equal cost. A range begins at a multiple of align
// and ends at the first one where its cost has reached target.
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

// InTurn runs the steps in order and returns the first error.
func InTurn(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
