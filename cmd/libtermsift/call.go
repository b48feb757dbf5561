// Command libtermsift is termsift as a library with the C interface of termsift.h, built by
// -buildmode=c-shared or c-archive. README.md describes it for those who call it.
//
// public.c has the functions of the header, all of which end in ts_call, and that in export.go. memory.go takes
// what ts_call is given apart, and operations.go has what it does, by name. call.go runs it; what it works on
// lies in the table of handles, there too. The other files have no C in them: options.go reads options, and
// models.go, statistics.go, bag.go and score.go do by the engine what the command does. All of this
// ends at an error by check and need of call.go; only what runs on workers returns errors.
//
// This is the only package of the module that uses cgo, and without a C compiler it is an
// empty program. It has no mathematics but the chi-square of scikit-learn in score.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vocabulary"
)

// errInternal is the kind of errors for panics.
var errInternal = errors.New("termsift failed")

// A refusal is the panic that ends a call whose arguments are wrong, or whose work fails; [guarded]
// returns its error.
type refusal struct{ err error }

func check(err error) {
	if err != nil {
		panic(refusal{err})
	}
}

// need returns v, or ends the call by the error.
func need[T any](v T, err error) T {
	check(err)
	return v
}

// refused is the refusal of an argument.
func refused(format string, args ...any) refusal { return refusal{usage.Errorf(format, args...)} }

// A longCall is the work of a function that may be cancelled, or that reads or writes many
// bytes. It returns warnings.
type longCall func(ctx context.Context) (warnings []string)

// runLong runs a function that the handle may cancel on the caller's thread.
func runLong(dst func() []byte, cancel uint64, f longCall) status {
	var warnings []string
	err := guarded(func() {
		ctx := contextOf(cancel)
		if ctx.Err() != nil {
			check(usage.Cause(ctx))
		}
		maybePanic()
		warnings = f(ctx)
	})
	return report(dst, strings.Join(warnings, "\n"), err)
}

// onThreads runs a part of a long call that takes several threads, or 0 for all, on a goroutine of its
// own. That of the caller is bound to the caller's thread: each time it waits for another one, the
// system has to wake a thread, and another one when it goes on. So does the goroutine of its own, once, which
// takes 20 to 50 us; a single thread waits for nobody, and goes on where it is.
func onThreads(ctx context.Context, threads int, f longCall) (warnings []string) {
	ballast.taken.Do(func() { ballast.memory.Store(new([64 << 20]byte)) })
	if pool.Threads(threads) == 1 {
		return f(ctx)
	}
	check(pool.Detached(ctx, func(ctx context.Context) error {
		return guarded(func() { maybePanic(); warnings = f(ctx) })
	}))
	return warnings
}

// guarded runs f and returns its error, or one for its panic. A pointer of the caller's that
// cannot be read panics, too, instead of ending the process.
func guarded(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	f()
	return nil
}

// panicked returns an error for what recover returned.
func panicked(r any) error {
	if refused, ok := r.(refusal); ok {
		return refused.err
	}
	if fault, ok := r.(interface{ Addr() uintptr }); ok {
		return fmt.Errorf("%w: the memory at %#x cannot be read or written: a pointer or a length of the call is wrong", errInternal, fault.Addr())
	}
	return fmt.Errorf("%w: %v\n%s", errInternal, r, debug.Stack())
}

// report writes the text of err, or the warnings if it is nil, and returns the status, which is
// that of the work even if the text cannot be written: the caller must learn what was done.
func report(dst func() []byte, warnings string, err error) status {
	s, text := statusOf(err), warnings
	switch {
	case s == statusCancelled:
		text = "the call was cancelled"
	case err != nil:
		text = textOf(err)
	}
	_ = guarded(func() { putText(dst(), text) })
	return s
}

// A status is what a function of the header returns.
type status int32

const (
	statusOK        status = usage.ExitOK
	statusNothing   status = usage.ExitNothing
	statusUsage     status = usage.ExitUsage
	statusBadInput  status = usage.ExitData
	statusIO        status = usage.ExitIO
	statusCorrupt   status = usage.ExitCorrupt
	statusBadHandle status = 6
	statusInternal  status = 8
	statusCancelled status = usage.ExitInterrupted
)

// errBadHandle is the kind of errors about handles.
var errBadHandle = errors.New("bad handle")

// statusOf returns the status of an error.
func statusOf(err error) status {
	switch {
	case errors.Is(err, errBadHandle) || errors.Is(err, postings.ErrClosed):
		return statusBadHandle
	case err == nil || usage.KindOf(err) != nil:
		return status(usage.ExitCode(err))
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return statusIO
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return statusIO
	}
	return statusInternal
}

// textOf returns the text of an error for the caller.
func textOf(err error) string {
	if errors.Is(err, postings.ErrClosed) {
		return fmt.Sprintf("%v: a handle was freed while this call had it: %v", errBadHandle, err)
	}
	return err.Error()
}

// putText copies text to dst, cut before a character that does not fit, and ends it by 0.
// A 0 within the text becomes a space.
func putText(dst []byte, text string) {
	if len(dst) == 0 {
		return
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", " ")
	if most := len(dst) - 1; len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	dst[copy(dst, text)] = 0
}

// handleError returns an error of the kind errBadHandle.
func handleError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errBadHandle, fmt.Sprintf(format, args...))
}

// dataError returns an error about data that the caller gave.
func dataError(format string, args ...any) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf(format, args...))
}

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
	case *rowSet, *vocabulary.Rows:
		return "rows"
	case *vocabulary.Vocabulary:
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

// ballast is memory that is allocated and never touched, so that it takes no page. The collector
// begins at twice of what lives, which between calls is nothing: without ballast it ran five times while
// ts_fit counted 20 Newsgroups, and its free pages went back to the system before the next call
// needed them. That was 13,000 page faults a call and is 3,300, for 60 MB more that the process keeps.
// Half of the ballast left 4,000 to 9,000. It is allocated before the first call that computes something. The
// collector runs for it: as a part of loading the library it took 0.7 of 4.5 ms.
var ballast struct {
	taken  sync.Once
	memory atomic.Pointer[[64 << 20]byte]
}

// dropBallast frees the ballast for good.
func dropBallast() {
	ballast.taken.Do(func() {})
	ballast.memory.Store(nil)
}

// limits are what the runtime of Go takes in the process.
type limits struct {
	memory      string
	gc, threads int
}

func (l *limits) settings() []usage.Setting {
	return []usage.Setting{
		{Name: "memory", To: &l.memory, Help: `where the collector works harder, as "2GiB"`},
		{Name: "gc", To: &l.gc, NotNegative: true, Help: "how much garbage there may be, in percent of what is in use"},
		{Name: "threads", To: &l.threads, NotNegative: true, Most: pool.MostThreads, Help: "how many threads run Go code"},
	}
}

// set bounds what the runtime of Go takes in the process.
func (l *limits) set() {
	if l.memory != "" {
		most := usage.ParseSize(l.memory)
		if most < 1<<20 {
			panic(refused("option \"memory\" takes a size of 1 MiB or more, such as 256MiB or 2GB, not %q", usage.Cut(l.memory)))
		}
		dropBallast() // the caller says when the collector begins
		debug.SetMemoryLimit(most)
	}
	if l.gc > 0 {
		dropBallast()
		debug.SetGCPercent(l.gc)
	}
	if l.threads > 0 {
		runtime.GOMAXPROCS(l.threads)
	}
}
