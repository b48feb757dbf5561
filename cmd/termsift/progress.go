package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// This file shows on a terminal how far the work is.

const (
	// lineDelay is how long work takes before it is shown, and lineInterval how long a line
	// stays at least.
	lineDelay    = time.Second
	lineInterval = 200 * time.Millisecond
)

// A statusLine is the last line of a terminal, which is written again and again. A nil one
// shows nothing. It is safe for concurrent use.
type statusLine struct {
	w      io.Writer
	screen tables.Screen
	begun  time.Time
	now    func() time.Time

	mu    sync.Mutex
	next  time.Duration // since begun
	shown int           // columns of the line that is there
}

// statusLine returns a line on stderr, or nil unless that is a terminal that can take a line
// back, and with --quiet.
func (tk *talk) statusLine() *statusLine {
	if tk.quiet || !tk.errScreen.Terminal || !tk.errScreen.Moves {
		return nil
	}
	line := &statusLine{w: tk.stderr, screen: tk.errScreen, begun: time.Now(), now: time.Now}
	tk.status.Store(line)
	return line
}

// tell shows what text returns for the time since the beginning, unless it is too early.
func (s *statusLine) tell(text func(took time.Duration) string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	took := s.now().Sub(s.begun)
	if took < max(s.next, lineDelay) {
		return
	}
	s.next = took + lineInterval
	s.write(text(took))
}

// write replaces the line. It is cut where the terminal would begin another.
func (s *statusLine) write(text string) {
	runes := []rune(tables.WithoutControls(text, ""))
	runes = runes[:min(len(runes), s.screen.Width-1)]
	rest := strings.Repeat(" ", max(0, s.shown-len(runes)))
	line := string(runes)
	if line != "" {
		line = s.screen.Dim() + line + s.screen.Plain()
	}
	fmt.Fprintf(s.w, "\r%s%s", line, rest)
	s.shown = len(runes)
}

// end takes the line away, until something is told again.
func (s *statusLine) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown > 0 {
		s.write("")
		fmt.Fprint(s.w, "\r")
	}
}

// A progress counts the documents that were read from a source, which may be nil, and shows
// them with the bytes. It is safe for concurrent use.
type progress struct {
	line   *statusLine
	source *reader.Source

	mu sync.Mutex
	n  int
}

// add counts documents.
func (p *progress) add(n int) {
	p.mu.Lock()
	p.n += n
	documents := p.n
	p.mu.Unlock()
	p.line.tell(func(took time.Duration) string {
		var taken, size int64
		if p.source != nil {
			taken, size = p.source.Progress()
		}
		return progressText(documents, taken, size, took)
	})
}

// progressText says how many documents and bytes have been read and, if the size of the input
// is known, how long the others take at the same speed.
func progressText(documents int, taken, size int64, took time.Duration) string {
	text := fmt.Sprintf("%d documents, %.0f a second", documents, float64(documents)/took.Seconds())
	if taken == 0 {
		return text
	}
	const megabyte = 1e6
	read := float64(taken) / megabyte
	text = fmt.Sprintf("%d documents, %.1f MB", documents, read)
	speed := fmt.Sprintf("%.1f MB/s", read/took.Seconds())
	if size == 0 {
		return text + ", " + speed
	}
	text = fmt.Sprintf("%d documents, %.1f of %.1f MB, %d %%, %s", documents, read, float64(size)/megabyte, min(100, 100*taken/size), speed)
	return text + timeLeft(took, float64(taken)/float64(size))
}

// timeLeft says how long the rest of the work takes if the share that is done took so long.
func timeLeft(took time.Duration, share float64) string {
	if share <= 0 || share >= 1 {
		return ""
	}
	return fmt.Sprintf(", about %v left", time.Duration(float64(took)*(1-share)/share).Round(time.Second))
}

// watch shows how far the reading of documents is, which come from a source or, if that is
// nil, from somewhere else.
func (tk *talk) watch(docs document.Stream, source *reader.Source) document.Stream {
	line := tk.statusLine()
	if line == nil {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		p := progress{line: line, source: source}
		defer line.end()
		for d, err := range docs {
			p.add(1)
			if !yield(d, err) {
				break
			}
		}
	}
}

// watchBatches returns the batches of a source and shows how far they are, which are read on
// several goroutines.
func (tk *talk) watchBatches(source *reader.Source) document.Batches {
	batches, line := source.Batches(), tk.statusLine()
	if line == nil {
		return batches
	}
	return func(yield func(document.Stream, error) bool) {
		p := progress{line: line, source: source}
		defer line.end()
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(p.counted(docs), nil) {
				return
			}
		}
	}
}

// counted returns a batch that is counted when it has been read.
func (p *progress) counted(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		n := 0
		for d, err := range docs {
			n++
			if !yield(d, err) {
				break
			}
		}
		p.add(n)
	}
}

// countdown returns a function that shows how many steps are done, with an estimate of the time
// of the others from their average, and one that takes the line away. Both do nothing where
// there is no line.
func (tk *talk) countdown() (tell func(done, all int, step string), end func()) {
	line := tk.statusLine()
	if line == nil {
		return func(int, int, string) {}, func() {}
	}
	tell = func(done, all int, step string) {
		line.tell(func(took time.Duration) string {
			return fmt.Sprintf("%d of %d%s: %s", done, all, timeLeft(took, float64(done)/float64(max(all, 1))), step)
		})
	}
	return tell, line.end
}
