package pool

import "iter"

// Pull is [iter.Pull2] for a sequence of items and errors, but runs the sequence on a
// goroutine of its own. That goroutine, and those that call next and stop, may be locked
// to threads, which with iter.Pull2 ends the process (golang/go#67499). The sequence runs
// only during calls of next and stop.
//
// next returns a panic or runtime.Goexit of the sequence as the error of a last item; stop
// returns one that happens while it ends the sequence.
func Pull[T any](items iter.Seq2[T, error]) (next func() (T, error, bool), stop func() error) {
	p := &puller[T]{items: items, requests: make(chan struct{}), answers: make(chan answer[T])}
	return p.next, p.stop
}

// A puller is the state of a Pull. started and ended are for the callers of next and stop
// only.
type puller[T any] struct {
	items    iter.Seq2[T, error]
	requests chan struct{} // a value asks for the next item; closing ends the sequence
	answers  chan answer[T]
	started  bool
	ended    bool // there is no goroutine any more, or never will be
}

// An answer is one item of a sequence, or how the sequence ended.
type answer[T any] struct {
	item T
	err  error
	last bool // the sequence has ended, with err
}

// next returns the next item, ok = false at the end.
func (p *puller[T]) next() (item T, err error, ok bool) {
	if p.ended {
		return item, nil, false
	}
	if p.started {
		p.requests <- struct{}{}
	} else {
		p.started = true
		go p.runSequence()
	}
	a := <-p.answers
	p.ended = a.last
	return a.item, a.err, !a.last || a.err != nil
}

// stop ends the sequence, waits for it, and returns its panic or Goexit.
func (p *puller[T]) stop() error {
	running := p.started && !p.ended
	p.ended = true
	if !running {
		return nil
	}
	close(p.requests)
	return (<-p.answers).err
}

// runSequence runs the sequence; the first call of next has started it.
func (p *puller[T]) runSequence() {
	end := answer[T]{err: ErrGoexit, last: true}
	defer func() { p.answers <- end }()
	stopped := false
	end.err = withoutPanic(func() error {
		maybePanic()
		p.items(func(item T, err error) bool {
			if stopped {
				return false
			}
			p.answers <- answer[T]{item: item, err: err}
			_, asked := <-p.requests
			stopped = !asked
			return asked
		})
		return nil
	})
}
