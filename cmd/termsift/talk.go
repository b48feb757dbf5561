package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

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
		tk.summary.addWarning(w)
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
		{Name: "quiet", To: &tk.quiet, More: true, Help: "no notes, summaries and progress on standard error: warnings and errors alone"},
		{
			Name: "summary", To: &tk.summary.format, Choices: flags.Among(summaryJSON), OneOf: true, Takes: "json", More: true,
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

// text returns the sizes as the end of a note, "" for nil.
func (v *vocabulary) text() string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(", %d terms, %d classes", v.terms, v.classes)
}

// begin starts the clock. It looks for the flags of talk, so that a command line that is not
// understood has a summary too.
func (tk *talk) begin(args []string) {
	tk.summary.begun = time.Now()
	tk.summary.line = summaryLine{Schema: tables.Schema, Skipped: map[string]int{}, LeftOut: map[string]int{}}
	known := pflag.NewFlagSet("", pflag.ContinueOnError)
	known.ParseErrorsWhitelist.UnknownFlags = true
	known.Usage = func() {}
	flags.Add(known, tk.talkFlags()...)
	_ = known.Parse(args) // cobra returns the error
	tk.summary.asked = tk.summary.format == summaryJSON
}

// plus returns a sum whose first part may be nil.
func plus[N int | int64](sum *N, n N) *N {
	if sum != nil {
		n += *sum
	}
	return &n
}

// addCounted adds what was read of an input. v is nil if its terms and classes are not known.
func (s *runSummary) addCounted(documents, unlabelled int, v *vocabulary) {
	s.mu.Lock()
	s.line.Documents, s.line.Unlabelled = plus(s.line.Documents, documents), plus(s.line.Unlabelled, unlabelled)
	s.mu.Unlock()
	s.addVocabulary(v)
}

// addSource adds what was read of raw inputs.
func (s *runSummary) addSource(read reader.Summary) {
	s.addCounted(read.Documents, read.Unlabelled, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line.Bytes = plus(s.line.Bytes, read.Bytes)
	for reason, n := range read.Skipped {
		s.line.Skipped[reason] += n
	}
	for _, p := range read.Problems {
		s.line.LeftOut[p.Kind] += p.Count
	}
}

// addVocabulary records the terms and classes of an input, nil if they are not known.
func (s *runSummary) addVocabulary(v *vocabulary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line.Terms == nil && v != nil {
		s.line.Terms, s.line.Classes = &v.terms, &v.classes
	}
}

// addWarning adds a warning.
func (s *runSummary) addWarning(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line.Warnings = append(s.line.Warnings, text)
}

// addSurvey adds what check has found.
func (s *runSummary) addSurvey(v *survey) {
	if v == nil {
		return
	}
	s.addSource(v.Summary)
	for _, w := range v.Warnings {
		s.addWarning(w)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	classes := len(v.Classes)
	s.line.Classes = &classes
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
