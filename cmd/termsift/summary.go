package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/reader"
)

// This file says how much a run talks on stderr, and sums it up for programs.

// summaryJSON is the one value of --summary.
const summaryJSON = "json"

// talkFlags returns the flags that say how much a run talks.
func (tk *talk) talkFlags() []flags.Flag {
	return flags.In(flags.GroupOutput, []flags.Flag{
		{Name: "quiet", To: &tk.quiet, More: true, Help: "no notes, summaries and progress on standard error: warnings and errors alone"},
		{
			Name: "summary", To: &tk.summary.format, Choices: flags.Among(summaryJSON), Takes: "json", More: true,
			Help: "end standard error with a line that says what was read and what went wrong, as json",
		},
	})
}

// A runSummary is what a run read and said, and how it ended. Those numbers that are not known
// are nil. It is safe for concurrent use.
type runSummary struct {
	mu     sync.Mutex
	format string // of --summary
	asked  bool   // by the arguments, of which an error may have hidden the flag
	begun  time.Time

	documents, unlabelled *int
	bytes                 *int64
	terms, classes        *int // of the first input that has any
	skipped, leftOut      map[string]int
	warnings              []string
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
	tk.summary.begun, tk.summary.skipped, tk.summary.leftOut = time.Now(), map[string]int{}, map[string]int{}
	known := pflag.NewFlagSet("", pflag.ContinueOnError)
	known.ParseErrorsWhitelist.UnknownFlags = true
	known.Usage = func() {}
	flags.Add(known, tk.talkFlags()...)
	_ = known.Parse(args) // cobra returns the error
	tk.summary.asked = tk.summary.format == summaryJSON
}

// check returns an error for a format that there is not.
func (s *runSummary) check() error {
	if s.format != "" && s.format != summaryJSON {
		return usageError("--summary takes %s, not %q", summaryJSON, s.format)
	}
	return nil
}

// add adds what was read of an input.
func (s *runSummary) add(documents, unlabelled int) {
	s.documents, s.unlabelled = plus(s.documents, documents), plus(s.unlabelled, unlabelled)
}

// plus returns a sum whose first part may be nil.
func plus[N int | int64](sum *N, n N) *N {
	if sum != nil {
		n += *sum
	}
	return &n
}

// addSource adds what was read of raw inputs.
func (s *runSummary) addSource(read reader.Summary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(read.Documents, read.Unlabelled)
	s.bytes = plus(s.bytes, read.Bytes)
	for reason, n := range read.Skipped {
		s.skipped[reason] += n
	}
	for _, p := range read.Problems {
		s.leftOut[p.Kind] += p.Count
	}
}

// addVocabulary records the terms and classes of an input, nil if they are not known.
func (s *runSummary) addVocabulary(v *vocabulary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terms == nil && v != nil {
		s.terms, s.classes = &v.terms, &v.classes
	}
}

// addWarning adds a warning.
func (s *runSummary) addWarning(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnings = append(s.warnings, text)
}

// end writes the summary as a line, if it was asked for.
func (s *runSummary) end(w io.Writer, code int, problem string) {
	if !s.asked {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line := struct {
		Schema     int            `json:"schema"`
		Documents  *int           `json:"documents,omitempty"`
		Unlabelled *int           `json:"unlabelled,omitempty"`
		Bytes      *int64         `json:"bytes,omitempty"`
		Terms      *int           `json:"terms,omitempty"`
		Classes    *int           `json:"classes,omitempty"`
		Skipped    map[string]int `json:"skipped,omitempty"`
		LeftOut    map[string]int `json:"left_out,omitempty"`
		Warnings   []string       `json:"warnings,omitempty"`
		Seconds    float64        `json:"seconds"`
		ExitCode   int            `json:"exit_code"`
		Error      string         `json:"error,omitempty"`
	}{
		Schema: tables.Schema, Documents: s.documents, Unlabelled: s.unlabelled, Bytes: s.bytes, Terms: s.terms, Classes: s.classes, Skipped: s.skipped, LeftOut: s.leftOut,
		Warnings: s.warnings, Seconds: time.Since(s.begun).Seconds(), ExitCode: code, Error: problem,
	}
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	_ = to.Encode(line) // to stderr, whose failure cannot be reported
}

// addSurvey adds what check has found.
func (s *runSummary) addSurvey(v *reader.Survey) {
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
	s.classes = &classes
}

// addCounted adds what an index or a file of statistics has.
func (s *runSummary) addCounted(documents, unlabelled int, v vocabulary) {
	s.mu.Lock()
	s.add(documents, unlabelled)
	s.mu.Unlock()
	s.addVocabulary(&v)
}
