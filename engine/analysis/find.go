package analysis

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Find gives the number of a term if the counter has it. It may be called from
// several goroutines while none counts.
func (c *Counter) Find(term string) (id uint32, ok bool) {
	if c.grams != nil {
		return c.findGram(term)
	}
	return c.findWord(term)
}

// NotFound stands for a term that FindAll does not find.
const NotFound = math.MaxUint32

// FindAll gives by the numbers of another counter's terms those that c has for them, NotFound
// for terms that it does not find. If all is false, Find may find some of these: terms that
// were added verbatim, stems and n-grams. Both counters must be of one [Analyzer]. FindAll may
// be called from several goroutines while neither counts.
//
// Counters of one analyzer have the same seeds, so that the tokens of other, taken in the order
// of its table, are looked up from the beginning of the table of c to its end.
func (c *Counter) FindAll(other *Counter) (numbers []uint32, all bool) {
	numbers = make([]uint32, other.Len())
	for i := range numbers {
		numbers[i] = NotFound
	}
	if c.grams != nil {
		return numbers, false
	}
	c.findRuns(other, numbers)
	return numbers, c.terms == nil && other.terms == nil
}

// findRuns sets the numbers of the terms whose runs both counters have seen.
func (c *Counter) findRuns(other *Counter, numbers []uint32) {
	found := func(theirs, ours uint32, ok bool) {
		if ok && theirs < nothing && ours < nothing {
			numbers[theirs] = ours
		}
	}
	for i := range other.seen.slots {
		if s := &other.seen.slots[i]; s.k0 != 0 && s.value < nothing {
			ours, ok := c.seen.find(s.k0, s.k1)
			found(s.value, ours, ok)
		}
	}
	for run, value := range other.seen.long {
		ours, ok := c.seen.long[run]
		found(value, ours, ok)
	}
	if c.han == nil {
		return
	}
	for _, s := range other.han.seen.slots {
		if s != 0 {
			ours, ok := c.han.seen.get(s.code())
			found(s.value(), ours, ok)
		}
	}
}

func (c *Counter) findWord(word string) (id uint32, ok bool) {
	switch {
	case c.terms != nil:
		id, ok = c.terms[word]
	case word == "" || strings.IndexByte(word, 0) >= 0: // the tables have no such word
	default:
		if code := pairCode(word); c.han != nil && code != 0 {
			id, ok = c.han.seen.get(code)
		} else {
			id, ok = c.seen.get([]byte(word))
		}
	}
	return id, ok && id < nothing
}

// pairCode gives the code of two ideographs, 0 for any other word.
func pairCode(word string) uint32 {
	first, size := utf8.DecodeRuneInString(word)
	second, more := utf8.DecodeRuneInString(word[size:])
	if size+more != len(word) || !isIdeograph(first) || !isIdeograph(second) {
		return 0
	}
	return uint32(first)<<16 | uint32(second)
}

func (c *Counter) findGram(term string) (id uint32, ok bool) {
	g := c.grams
	unit, long := uint32(0), false
	for word := range strings.SplitSeq(term, " ") {
		last, ok := c.findWord(word)
		switch {
		case !ok:
			return 0, false
		case !long:
			unit, long, id = last, true, noTerm
			if int(last) < len(g.words) {
				id = g.words[last]
			}
		default:
			s := g.search(gramParts{unit, last})
			if s.unit == 0 {
				return 0, false
			}
			unit, id = s.unit, s.term
		}
	}
	return id, id != noTerm
}
