package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A progress is a line on a terminal that says how many documents were read. It
// may be used by several goroutines.
type progress struct {
	w     io.Writer
	start time.Time

	mu          sync.Mutex
	n           int
	next, shown time.Duration // since start; shown is 0 while nothing is
}

// add counts documents and shows them now and then, from the first second on.
func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n += n
	took := time.Since(p.start)
	if took < max(p.next, time.Second) {
		return
	}
	p.next, p.shown = took+200*time.Millisecond, took
	fmt.Fprintf(p.w, "\r%d documents, %.0f a second ", p.n, float64(p.n)/took.Seconds())
}

// end takes the line away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown > 0 {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// A countdown is a line on a terminal that says how many steps are done and how long
// the others may take, if they take as long on average.
type countdown struct {
	w     io.Writer
	start time.Time
	next  time.Duration // since start
	shown bool
}

// tell shows the line now and then, from the first second on.
func (p *countdown) tell(done, all int, step string) {
	took := time.Since(p.start)
	if took < max(p.next, time.Second) {
		return
	}
	p.next, p.shown = took+200*time.Millisecond, true
	left := ""
	if done > 0 {
		left = fmt.Sprintf(", about %v left", (took / time.Duration(done) * time.Duration(all-done)).Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d%s: %s", done, all, left, talk(step))
}

// end takes the line away.
func (p *countdown) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
