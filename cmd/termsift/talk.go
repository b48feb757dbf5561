package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// talk is what a run says on stderr.
type talk struct {
	stderr    io.Writer
	errScreen tables.Screen
	quiet     bool // --quiet is set
	summary   runSummary
	status    atomic.Pointer[statusLine]
	said      []string // once
}

func (tk *talk) warn(warnings []string) {
	for _, w := range warnings {
		w = tables.WithoutControls(w, "")
		tk.summary.update(func(l *summaryLine) { l.Warnings = append(l.Warnings, w) })
		tk.say(tk.stderr, tk.errScreen.Bold()+"warning:"+tk.errScreen.Plain()+" ", w)
	}
}

// printable returns a message for stderr, which may have several lines.
func printable(s string) string { return tables.WithoutControls(s, "\n\t") }

// talkArgs returns the arguments of a message as single lines.
func talkArgs(args []any) []any {
	clean := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string, error, document.Position:
			clean[i] = tables.WithoutControls(fmt.Sprint(v), "")
		default:
			clean[i] = v
		}
	}
	return clean
}

// note prints a message on stderr.
func (tk *talk) note(format string, args ...any) {
	tk.say(tk.notes(), "", printable(fmt.Sprintf(format, talkArgs(args)...)))
}

// noteOnce is note of what is said once though there are two inputs.
func (tk *talk) noteOnce(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); tk.isNew(text) {
		tk.note("%s", text)
	}
}

// warnOnce prints the warnings that it has not printed before.
func (tk *talk) warnOnce(warnings []string) {
	tk.warn(slices.DeleteFunc(slices.Clone(warnings), func(w string) bool { return !tk.isNew(w) }))
}

// isNew reports whether a text has not been said yet.
func (tk *talk) isNew(text string) bool {
	if slices.Contains(tk.said, text) {
		return false
	}
	tk.said = append(tk.said, text)
	return true
}

// notes returns what notes are written to: stderr, or nothing with --quiet.
func (tk *talk) notes() io.Writer {
	if tk.quiet {
		return io.Discard
	}
	return tk.stderr
}

// say prints a clean message, behind a word that may have a style and in the place of a line
// that shows progress.
func (tk *talk) say(w io.Writer, styled string, message string) {
	tk.status.Load().end()
	fmt.Fprintf(w, "termsift: %s%s\n", styled, message)
}

func usageError(format string, args ...any) error {
	return usage.Errorf(format, args...)
}

// longWork is the number of lines, values or visits from which work is announced.
const longWork = 100_000_000

// summaryJSON is the one value of --summary.
const summaryJSON = "json"

// talkFlags returns the flags that say how much a run talks.
func (tk *talk) talkFlags() []flags.Flag {
	return flags.In(flags.GroupOutput, []flags.Flag{
		{Name: "quiet", To: &tk.quiet, More: true, Applies: flags.OfWork, Help: "no notes, summaries and progress on standard error: warnings and errors alone"},
		{
			Name: "summary", To: &tk.summary.format, Choices: flags.Among(summaryJSON), OneOf: true, Takes: "json", More: true, Applies: flags.OfWork,
			Help: "end standard error with a line that says what was read and what went wrong, as json",
		},
	})
}

// A runSummary is what a run read and said, and how it ended. It is safe for concurrent use.
type runSummary struct {
	mu     sync.Mutex
	format string // of --summary
	asked  bool   // by the arguments, of which an error may have hidden the flag
	begun  time.Time
	line   summaryLine
}

// A summaryLine is what programs get. Those numbers that are not known are nil.
type summaryLine struct {
	Schema     int            `json:"schema"`
	Documents  *int           `json:"documents,omitempty"`
	Unlabelled *int           `json:"unlabelled,omitempty"`
	Bytes      *int64         `json:"bytes,omitempty"`
	Terms      *int           `json:"terms,omitempty"` // of the first input that has any
	Classes    *int           `json:"classes,omitempty"`
	Skipped    map[string]int `json:"skipped,omitempty"`
	LeftOut    map[string]int `json:"left_out,omitempty"`
	Warnings   []string       `json:"warnings,omitempty"`
	Seconds    float64        `json:"seconds"`
	ExitCode   int            `json:"exit_code"`
	Error      string         `json:"error,omitempty"`
}

// A vocabulary is what there is to count.
type vocabulary struct{ terms, classes int }

// begin starts the clock. It looks for --summary itself, so that a command line that is not understood has a summary,
// too.
func (tk *talk) begin(args []string) {
	tk.summary.begun = time.Now()
	tk.summary.line = summaryLine{Schema: tables.Schema, Skipped: map[string]int{}, LeftOut: map[string]int{}}
	value := slices.Index(args, "--summary") + 1
	tk.summary.asked = slices.Contains(args, "--summary="+summaryJSON) || value > 0 && value < len(args) && args[value] == summaryJSON
}

// plus returns a sum whose first part may be nil.
func plus[N int | int64](sum *N, n N) *N {
	if sum != nil {
		n += *sum
	}
	return &n
}

// update changes the line.
func (s *runSummary) update(change func(l *summaryLine)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.line)
}

// addCounted adds what was read of an input. v is nil if its terms and classes are not known.
func (l *summaryLine) addCounted(documents, unlabelled int, v *vocabulary) {
	l.Documents, l.Unlabelled = plus(l.Documents, documents), plus(l.Unlabelled, unlabelled)
	if l.Terms == nil && v != nil {
		l.Terms, l.Classes = &v.terms, &v.classes
	}
}

// addSource adds what was read of raw inputs.
func (l *summaryLine) addSource(read reader.Summary) {
	l.addCounted(read.Documents, read.Unlabelled, nil)
	l.Bytes = plus(l.Bytes, read.Bytes)
	for reason, n := range read.Skipped {
		l.Skipped[reason] += n
	}
	for _, p := range read.Problems {
		l.LeftOut[p.Kind] += p.Count
	}
}

// end writes the summary as a line, if it was asked for.
func (s *runSummary) end(w io.Writer, code int, problem string) {
	if !s.asked {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line.Seconds, s.line.ExitCode, s.line.Error = time.Since(s.begun).Seconds(), code, problem
	_ = tables.WriteJSON(w, s.line) // to stderr, whose failure cannot be reported
}

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
	line := &statusLine{w: tk.stderr, screen: tk.errScreen, begun: time.Now()}
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
	took := time.Since(s.begun)
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
	n      atomic.Int64
}

// add counts documents.
func (p *progress) add(n int) {
	documents := int(p.n.Add(int64(n)))
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
		defer line.end()
		p := progress{line: line, source: source}
		p.counted(docs, 1)(yield)
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
		defer line.end()
		p := progress{line: line, source: source}
		eachBatch(batches, func(docs document.Stream) document.Stream { return p.counted(docs, math.MaxInt) })(yield)
	}
}

// counted returns documents that are counted when so many have been read, and at their end.
func (p *progress) counted(docs document.Stream, many int) document.Stream {
	return func(yield func(document.Document, error) bool) {
		n := 0
		for d, err := range docs {
			if n++; n == many {
				p.add(n)
				n = 0
			}
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
