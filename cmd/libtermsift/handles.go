package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/bagofwords"
)

// A handleTable has what the caller's handles stand for. Numbers are never used again, so
// that a handle that was freed is an error and not something else.
type handleTable struct {
	last atomic.Uint64
	of   sync.Map
}

var handles handleTable

// put stores v and returns its handle.
func (t *handleTable) put(v any) uint64 {
	handle := t.last.Add(1)
	t.of.Store(handle, v)
	return handle
}

// get returns what a handle stands for.
func (t *handleTable) get(handle uint64) any { return known(handle)(t.of.Load(handle)) }

// take removes a handle and returns what it stood for. Of several calls at once one succeeds.
func (t *handleTable) take(handle uint64) any { return known(handle)(t.of.LoadAndDelete(handle)) }

func known(handle uint64) func(v any, ok bool) any {
	return func(v any, ok bool) any {
		if !ok {
			check(handleError("there is no handle %d: it was freed, or never given", handle))
		}
		return v
	}
}

// handleOf returns what a handle of one kind stands for.
func handleOf[T any](handle uint64, kind string) T {
	held := handles.get(handle)
	v, ok := held.(T)
	if !ok {
		check(handleError("handle %d is %s, and %s is needed", handle, kindOf(held), kind))
	}
	return v
}

// cancellationOf returns what a handle of ts_cancel_new stands for.
func cancellationOf(handle uint64) *cancellation {
	return handleOf[*cancellation](handle, "a handle of ts_cancel_new")
}

// kindOf names what a handle stands for.
func kindOf(v any) string {
	switch v.(type) {
	case *model:
		return "a model"
	case rows:
		return "rows"
	case *bagofwords.Vocabulary:
		return "a vocabulary"
	case *counted:
		return "a corpus or statistics"
	case *ranking:
		return "a ranking"
	case *keyWords:
		return "key words"
	case *cancellation:
		return "of ts_cancel_new"
	}
	return fmt.Sprintf("%T", v)
}

// freeHandle removes a handle and releases what it held; 0 is none.
func freeHandle(handle uint64) {
	if handle == 0 {
		return
	}
	if c, ok := handles.take(handle).(io.Closer); ok {
		check(c.Close())
	}
}

// A cancellation is what a handle of ts_cancel_new stands for.
type cancellation struct {
	ctx  context.Context
	stop context.CancelFunc
}

func newCancellation() *cancellation {
	c := &cancellation{}
	c.ctx, c.stop = context.WithCancel(context.Background())
	return c
}

// Close releases the context. Calls that have it are cancelled.
func (c *cancellation) Close() error {
	c.stop()
	return nil
}

// contextOf returns the context of a cancel handle; 0 is one that never ends.
func contextOf(handle uint64) context.Context {
	if handle == 0 {
		return context.Background()
	}
	return cancellationOf(handle).ctx
}
