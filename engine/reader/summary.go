package reader

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/termsift/termsift/engine/reader/charset"
)

// mostPlaces is how many positions are kept of each kind of problem.
const mostPlaces = 20

// A Summary describes what a stream delivered.
type Summary struct {
	Documents  int
	Unlabelled int            // of the documents
	Bytes      int64          // of text or lines, as they stood in the input
	Skipped    map[string]int // reason -> number of files, members or documents
	Encodings  map[string]int // encoding -> texts that were read as such
	Problems   []Problem      // what SkipBad left out, by kind
	Notes      []string
	Warnings   []string // what may make the counts wrong
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
	}
	for _, kind := range slices.Sorted(maps.Keys(t.problems)) {
		found := t.problems[kind]
		problem := Problem{Kind: kind, Count: found.count}
		for _, place := range found.places {
			problem.Places = append(problem.Places, place.err)
		}
		sum.Problems = append(sum.Problems, problem)
	}
	sum.Notes = append(sum.Notes, t.remarksInWords()...)
	if n := t.skipped[raggedKind]; n > t.rows/fewRagged {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("%d of %d rows are left out, because they have another number of fields than the others", n, t.rows))
	}
	if classes, labelled := len(s.labels), t.documents-t.bare; s.opt.Classes == nil && classes >= manyClasses && 2*classes > labelled {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("there are %d classes for %d documents with a label: is the label a measured value, or the name of a document? --label-field names another", classes, labelled))
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
	note(t.encodings[charset.BareUTF16], "%d documents have no mark and were read as UTF-16; --charset says otherwise")
	note(t.malformed+t.encodings[charset.PoorUTF8], "%d lines are not UTF-8, and what is malformed in them separates words; --charset says otherwise")
	for _, name := range s.missingParts() {
		sum.Notes = append(sum.Notes, fmt.Sprintf("no document has the field %q of --text-field; it is taken as empty", name))
	}
	if hint := s.missingClasses(); hint != "" {
		sum.Notes = append(sum.Notes, hint)
	}
	note(t.stripped, "%d documents lost their metadata lines, which can name the class; --strip-metadata off keeps them")
	return sum
}

// fewRagged divides the rows: so many may be left out without a warning.
const fewRagged = 100

// manyClasses is how many classes there must be for a warning that they have few documents.
const manyClasses = 10

// mostRagged returns the error that most rows are left out, nil if they are not.
func (t *tally) mostRagged() error {
	n, remarks := t.skipped[raggedKind], t.remarks[raggedKind]
	if 2*n <= t.rows {
		return nil
	}
	first := remarks.places[0].err
	return &Error{
		Pos: first.Pos, Kind: "most rows are left out", Problem: fmt.Sprintf("%d of %d rows have another number of fields than the others; of the first, %s", n, t.rows, first.Problem),
		Bytes: first.Bytes, Remedy: first.Remedy + "; --skip-bad leaves such rows out", fatal: true,
	}
}

// reasons returns counts as texts, ordered by name.
func reasons(skipped map[string]int) []string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		list = append(list, fmt.Sprintf("%d: %s", skipped[reason], reason))
	}
	return list
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
	splits    map[string]bool // values of the field "split", seen while looking for one
	problems  map[string]*problems
	// remarks are what was read or skipped, and deserves a note that names the first place.
	remarks map[string]*problems
	parts   map[string]bool // of joined texts, that some document has
	// unlabelled is the first document without a field of labels; nil = none.
	unlabelled *unlabelled
}

// problems has the problems of one kind.
type problems struct {
	count  int
	places []place // the first, in the order of the input
}

type place struct {
	frame int
	err   *Error
}

func newTally() tally {
	return tally{skipped: map[string]int{}, encodings: map[string]int{}, splits: map[string]bool{}, problems: map[string]*problems{}, remarks: map[string]*problems{}, parts: map[string]bool{}}
}

// add moves the counts of from to t and leaves from empty.
func (t *tally) add(from *tally) {
	t.documents += from.documents
	t.bare += from.bare
	t.bytes += from.bytes
	t.malformed += from.malformed
	t.stripped += from.stripped
	t.rows += from.rows
	for reason, n := range from.skipped {
		t.skipped[reason] += n
	}
	for name, n := range from.encodings {
		t.encodings[name] += n
	}
	maps.Copy(t.splits, from.splits)
	for kind, p := range from.problems {
		merge(t.problems, kind, p)
	}
	for kind, p := range from.remarks {
		merge(t.remarks, kind, p)
	}
	maps.Copy(t.parts, from.parts)
	if u := from.unlabelled; u != nil && (t.unlabelled == nil || u.frame < t.unlabelled.frame) {
		t.unlabelled = u
	}
	from.documents, from.bare, from.bytes, from.malformed, from.stripped, from.rows = 0, 0, 0, 0, 0, 0
	clear(from.skipped)
	clear(from.encodings)
	clear(from.splits)
	clear(from.problems)
	clear(from.remarks)
	clear(from.parts)
	from.unlabelled = nil
}

// problem counts an error in the frame with a number.
func (t *tally) problem(frame int, err *Error) {
	merge(t.problems, err.kind(), &problems{1, []place{{frame, err}}})
}

// remark counts what is said of a place in the frame with a number. Only the first place is
// told, so that the others cost nothing.
func (t *tally) remark(frame int, err *Error) {
	if p := t.remarks[err.kind()]; p != nil {
		p.count++
		return
	}
	merge(t.remarks, err.kind(), &problems{1, []place{{frame, err}}})
}

// remarksInWords returns the remarks as texts, each with its first place and its count.
func (t *tally) remarksInWords() []string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(t.remarks)) {
		p := t.remarks[kind]
		text := p.places[0].err.Error()
		if p.count > 1 {
			text += fmt.Sprintf(" (the first of %d)", p.count)
		}
		list = append(list, text)
	}
	return list
}

// failures returns the kinds of problems as texts, each with its count and first error.
func (t *tally) failures() []string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(t.problems)) {
		p := t.problems[kind]
		list = append(list, fmt.Sprintf("%d: %s, the first is %v", p.count, kind, p.places[0].err))
	}
	return list
}

// merge adds problems of a kind to all. Frames may come in any order; the positions kept are the
// first in the order of the input.
func merge(all map[string]*problems, kind string, more *problems) {
	p := all[kind]
	if p == nil {
		p = &problems{}
		all[kind] = p
	}
	p.count += more.count
	p.places = append(p.places, more.places...)
	slices.SortStableFunc(p.places, func(a, b place) int { return cmp.Compare(a.frame, b.frame) })
	p.places = p.places[:min(len(p.places), mostPlaces)]
}
