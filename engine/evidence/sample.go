package evidence

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
)

// This file draws a sample of occurrences. Each has a random number of its own, its priority, and those with
// the least are the sample: all samples are equally likely (Cohen & Kaplan, bottom-k sketches, PODC 2007), and samples of
// parts of the documents make that of all.

// keysOf returns a number for each search, by which the priorities of its occurrences are drawn.
func keysOf(searches []Search, seed uint64) []uint64 {
	keys := make([]uint64, len(searches))
	for i, s := range searches {
		text := s.Term
		if len(s.Patterns) > 0 {
			text = strings.Join(s.Patterns, "\n")
		}
		keys[i] = xxh3.HashStringSeed(text, seed)
	}
	return keys
}

// nameOf returns a number for a document, which depends on its text and its name. Folders in the name do not count, so that
// a file has the same sample wherever it lies.
func nameOf(d *document.Document) uint64 {
	file := d.ID[strings.LastIndexAny(d.ID, `/\`)+1:]
	return xxh3.HashSeed(d.Text, xxh3.HashString(file))
}

// priority returns a random number for the n-th occurrence of a search in a document.
func priority(key, name uint64, n int) uint64 {
	return rand.NewPCG(key^name, uint64(n)).Uint64()
}

// A place is where an occurrence is. Places are ordered as they are read.
type place struct{ batch, document, part, token int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.batch, q.batch), cmp.Compare(p.document, q.document), cmp.Compare(p.part, q.part), cmp.Compare(p.token, q.token))
}

// A kept is a line of a sample.
type kept struct {
	priority uint64
	place    place
	line     Line
}

// A sample is the lines with the least priorities, and some more.
type sample struct {
	lines []kept
	bound uint64 // no line of this priority or above is in the sample, if it was cut
	isCut bool
}

// takes reports whether a line of a priority may be among the least ones.
func (s *sample) takes(most int, priority uint64) bool {
	return most > 0 && (!s.isCut || priority <= s.bound)
}

// add adds lines. Where there are twice as many as are wanted, the others go.
func (s *sample) add(most int, lines ...kept) {
	s.lines = append(s.lines, lines...)
	if len(s.lines)/2 >= most {
		s.cut(most)
	}
}

// cut keeps the lines with the least priorities, and of equal ones those that were read first.
func (s *sample) cut(most int) {
	if len(s.lines) <= most {
		return
	}
	slices.SortFunc(s.lines, func(a, b kept) int { return cmp.Or(cmp.Compare(a.priority, b.priority), a.place.compare(b.place)) })
	clear(s.lines[most:])
	s.lines = s.lines[:most]
	if most > 0 {
		s.bound, s.isCut = s.lines[most-1].priority, true
	}
}

// inOrder returns the lines of the sample in their order.
func (s *sample) inOrder(o *LineOptions) []Line {
	s.cut(o.Most)
	slices.SortFunc(s.lines, func(a, b kept) int { return a.place.compare(b.place) })
	lines := make([]Line, len(s.lines))
	for i := range lines {
		lines[i] = s.lines[i].line
	}
	sortLines(lines, o.Order)
	return lines
}
