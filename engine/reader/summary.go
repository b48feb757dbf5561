package reader

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/usage"
)

// mostPlaces is how many positions are kept of each kind of problem.
const mostPlaces = 20

// A Summary describes what a stream delivered.
type Summary struct {
	Documents  int
	Unlabelled int            // of the documents
	Bytes      int64          // of text or lines, as they stood in the input
	Skipped    map[string]int // reason -> number of files, members or documents
	// WithoutTarget counts the documents that were left out because they have no number for
	// Options.Target. Skipped has them too.
	WithoutTarget int
	Encodings     map[string]int // encoding -> texts that were read as such
	Problems      []Problem      // what SkipBad left out, by kind
	Notes         []string
	Warnings      []string // what may make the counts wrong
}

// A Problem is a kind of bad input.
type Problem struct {
	Kind   string
	Count  int
	Places []*Error // the first of them
}

// Summary returns a summary of the stream, complete once it has ended.
func (s *Source) Summary() Summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.total
	sum := Summary{
		Documents: t.documents, Unlabelled: t.bare, Bytes: t.bytes, Skipped: maps.Clone(t.skipped), Encodings: maps.Clone(t.encodings),
		Notes: slices.Sorted(slices.Values(s.notes)), // whoever was first to note something

		WithoutTarget: t.skipped[withoutNumber(s.opt.Target)],
	}
	for _, p := range t.problems.sorted() {
		sum.Problems = append(sum.Problems, Problem{p.Kind, p.Count, slices.Clone(p.Places)})
	}
	for _, p := range t.remarks.sorted() {
		first, n := p.Places[0], p.Count
		if first.guessed != "" {
			n = t.encodings[first.guessed]
		}
		if strings.Contains(p.Kind, charset.Doubtful) && n*fewDoubted < t.documents {
			continue
		}
		sum.Notes = append(sum.Notes, first.Error()+firstOf(p.Count))
	}
	if n := t.skipped[raggedKind]; n > t.rows/fewRagged {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("%d of %d rows are left out, because they have another number of fields than the others", n, t.rows))
	}
	if warning := s.constantTarget(); warning != "" {
		sum.Warnings = append(sum.Warnings, warning)
	}
	if classes, labelled := len(s.labels), t.documents-t.bare; s.opt.Classes == nil && s.opt.Target == "" && classes >= manyClasses && 2*classes > labelled {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("there are %d classes for %d documents with a label: is the label a measured value, or the name of a document? --target reads a measured value as a number, --label-field names another label", classes, labelled))
	}
	if groups := alikeLabels(s.labels, printedKey); len(groups) > 0 && s.opt.Target == "" {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("%q and %q are two classes, though they are one number or print alike%s: labels are taken as they stand, since 1.10 and 007 may be names; write them in one way",
			groups[0][0], groups[0][1], firstOf(len(groups))))
	}
	note := func(n int, format string) {
		if n > 0 {
			sum.Notes = append(sum.Notes, fmt.Sprintf(format, n))
		}
	}
	if s.opt.Charset == charset.Auto {
		note(t.encodings[charset.Latin1], "%d documents are not UTF-8 and were read as Latin-1; --charset says otherwise")
		note(t.encodings[charset.GB18030], "%d documents are not UTF-8 and were read as GB18030; --charset says otherwise")
	}
	if n := t.bare; 0 < n && n < t.documents && !s.opt.Unlabelled {
		sum.Notes = append(sum.Notes, fmt.Sprintf("%d of %d documents have no label", n, t.documents))
	}
	if t.documents > 0 && t.bare == t.documents && s.opt.OptionalLabels {
		text := "no document has a label, so there are no classes"
		if hint := s.labelHint(); hint != "" {
			text += "; " + hint
		}
		sum.Notes = append(sum.Notes, text)
	}
	note(t.encodings[charset.BareUTF16], "%d documents have no mark and were read as UTF-16; --charset says otherwise")
	note(t.malformed+t.encodings[charset.PoorUTF8], "%d lines are not UTF-8, and what is malformed in them separates words; --charset says otherwise")
	for _, name := range textParts(s.opt.TextField) {
		if len(t.parts) > 0 && !t.parts[name] {
			sum.Notes = append(sum.Notes, fmt.Sprintf("no document has the field %q of --text-field; it is taken as empty", name))
		}
	}
	if hint := s.missingClasses(); hint != "" {
		sum.Notes = append(sum.Notes, hint)
	}
	note(t.stripped, "%d documents lost their metadata lines, which can name the class; --strip-metadata off keeps them")
	return sum
}

// firstOf says that what was told is the first of n.
func firstOf(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (the first of %d)", n)
}

const (
	fewDoubted  = 100 // divides the documents: of so many a doubt is not told
	fewRagged   = 100 // divides the rows: so many may be left out without a warning
	manyClasses = 10  // so many bring a warning that they have few documents
)

// mostRagged returns the error that most rows are left out, nil if they are not.
func (t *tally) mostRagged() error {
	n, remarks := t.skipped[raggedKind], t.remarks[raggedKind]
	if 2*n <= t.rows {
		return nil
	}
	first := remarks.Places[0]
	return &Error{
		Pos: first.Pos, Kind: "most rows are left out", Problem: fmt.Sprintf("%d of %d rows have another number of fields than the others; of the first, %s", n, t.rows, first.Problem),
		Bytes: first.Bytes, Remedy: first.Remedy + "; --skip-bad leaves such rows out", fatal: true,
	}
}

// A tally has the counts of a parser for a frame, or of a Source for all frames.
type tally struct {
	documents int
	bare      int // documents without a label
	bytes     int64
	malformed int // JSON lines that are not UTF-8
	stripped  int // documents that lost metadata lines
	rows      int // of CSV
	skipped   map[string]int
	encodings map[string]int
	splits    map[string]bool // that were seen while looking for one
	parts     map[string]bool // of joined texts, that some document has
	problems  problems
	textless  *Error   // of the first file without a text beside class folders; nil = none
	inFolders int      // documents that are files of class folders
	remarks   problems // what was read or skipped, and deserves a note that names the first place
	// unlabelled is the first document without a field of labels; nil = none.
	unlabelled *Error
}

func newTally() tally {
	return tally{
		skipped: map[string]int{}, encodings: map[string]int{}, splits: map[string]bool{}, parts: map[string]bool{},
		problems: problems{}, remarks: problems{},
	}
}

// add adds the counts of a frame.
func (t *tally) add(from *tally) {
	t.documents += from.documents
	t.bare += from.bare
	t.bytes += from.bytes
	t.malformed += from.malformed
	t.stripped += from.stripped
	t.rows += from.rows
	t.inFolders += from.inFolders
	for reason, n := range from.skipped {
		t.skipped[reason] += n
	}
	for name, n := range from.encodings {
		t.encodings[name] += n
	}
	maps.Copy(t.splits, from.splits)
	maps.Copy(t.parts, from.parts)
	for _, p := range from.problems {
		t.problems.add(p)
	}
	for _, p := range from.remarks {
		t.remarks.add(p)
	}
	if u := from.unlabelled; t.unlabelled == nil || u != nil && u.frame < t.unlabelled.frame {
		t.unlabelled = u
	}
}

// bad returns err, or nil if SkipBad skips it; then the error is counted for the frame with a number.
func (t *tally) bad(opt *Options, frame int, err error) error {
	if err == nil || !opt.SkipBad {
		return err
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || e.fatal {
		return err
	}
	t.problems.found(frame, e)
	return nil
}

// remark counts what is said of a place in the frame with a number. Only the first place is
// told, so that the others cost nothing.
func (t *tally) remark(frame int, err *Error) {
	if p := t.remarks[err.kind()]; p != nil {
		p.Count++
		return
	}
	t.remarks.found(frame, err)
}

// problems has what was found, by its kind.
type problems map[string]*Problem

// found adds what was found in the frame with a number.
func (all problems) found(frame int, err *Error) {
	err.frame = frame
	all.add(&Problem{err.kind(), 1, []*Error{err}})
}

// add adds what was found of a kind. Frames may come in any order.
func (all problems) add(more *Problem) {
	p := all[more.Kind]
	if p == nil {
		p = &Problem{Kind: more.Kind}
		all[more.Kind] = p
	}
	p.Count += more.Count
	p.Places = append(p.Places, more.Places...)
	slices.SortStableFunc(p.Places, func(a, b *Error) int { return cmp.Compare(a.frame, b.frame) })
	p.Places = p.Places[:min(len(p.Places), mostPlaces)]
}

// sorted returns the problems in the order of their kinds' bytes.
func (all problems) sorted() []*Problem {
	return slices.SortedFunc(maps.Values(all), func(a, b *Problem) int { return strings.Compare(a.Kind, b.Kind) })
}

var (
	// ErrBadInput marks data that is not what its format says.
	ErrBadInput = usage.NewError(usage.ErrData, "bad input")
	// ErrEmpty is returned where the inputs hold no document.
	ErrEmpty = usage.NewError(usage.ErrData, "no documents")
)

// An Error is a problem at a place of an input. It is ErrBadInput, and wraps
// the cause where there is one. A read that fails is no Error but the
// fs.PathError of the operating system.
type Error struct {
	Pos document.Position
	// Kind says in a few words what sort of problem it is, the same for all of
	// the sort; "" where Problem itself does.
	Kind    string
	Problem string
	Bytes   string // what is wrong, as it stands; quoted and cut at 80 bytes
	Remedy  string
	Err     error
	// Fields are those that there are, where a field is missing.
	Fields  []string
	frame   int    // in which it was found
	fatal   bool   // SkipBad does not skip it
	guessed string // of a doubt of an input as a whole: the encoding
	// textless says that a table, or the first document of a file, has no text, and no field was named.
	textless bool
	// unlabelled says that the input could be read if no class were needed.
	unlabelled bool
}

// Error gives the place, the problem, the offending bytes, the cause and the
// remedy, in this order, as far as they are known.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s", e.Pos, e.Problem)
	if e.Bytes != "" {
		fmt.Fprintf(&b, ": %q", quotable(e.Bytes))
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// mostQuoted bounds the bytes that an Error quotes.
const mostQuoted = 80

// quotable returns the bytes that an Error quotes of a text, mostQuoted at most, so that it
// does not keep the bytes of a whole document alive.
func quotable[T ~string | ~[]byte](text T) string { return string(text[:min(len(text), mostQuoted)]) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every Error an ErrBadInput, and so an ErrData, and one of an input without classes a
// [usage.ErrNoLabels].
func (e *Error) Is(target error) bool {
	return target == ErrBadInput || target == usage.ErrData || e.unlabelled && target == usage.ErrNoLabels
}

// kind returns what the problem is counted as.
func (e *Error) kind() string {
	if e.Kind != "" {
		return e.Kind
	}
	return e.Problem
}

// wrong returns the error for a problem at a place, with the bytes that are wrong, if some are, and
// the remedy.
func wrong[T ~string | ~[]byte](pos document.Position, problem string, bytes T, remedy string) *Error {
	return &Error{Pos: pos, Problem: problem, Bytes: quotable(bytes), Remedy: remedy}
}

// of gives the error a kind.
func (e *Error) of(kind string) *Error {
	e.Kind = kind
	return e
}

// forClasses says that the input could be read if no class were needed.
func (e *Error) forClasses() *Error {
	e.unlabelled = true
	return e
}

// beyond returns the error for what is beyond a limit, which a flag raises.
func beyond(pos document.Position, kind, flag, format string, args ...any) error {
	return wrong(pos, fmt.Sprintf(format, args...), "", "raise the limit with "+flag).of(kind)
}

// failure returns the error to report for err: the cause of an interruption, a failed read
// as it is, and for anything else an [Error] with the problem.
func (s *Source) failure(pos document.Position, problem string, err error) error {
	var read *fs.PathError
	if s.ctx.Err() != nil {
		return usage.Cause(s.ctx)
	}
	if errors.As(err, &read) || errors.Is(err, ErrBadInput) || errors.Is(err, errStop) {
		return err
	}
	return &Error{Pos: pos, Problem: problem, Err: err, Remedy: "it may be damaged or cut: fetch or write it again"}
}
