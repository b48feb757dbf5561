package vocabulary

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// A part is a range of the documents, as one worker counts it.
type part struct {
	counter *analysis.Counter
	rows    *rowBlocks
	uses    []partUse            // of each term of the counter
	most    int64                // bytes of the counter, above which it is given up; 0 for no bound
	row     []analysis.TermCount // of the document in hand
	sorter  sorter
}

// A partUse says how often a term occurs in a part, which has less than 4 GiB of text.
type partUse struct{ documents, occurrences uint32 }

func newPart(c *analysis.Counter) *part { return &part{counter: c, rows: &rowBlocks{}} }

// lookEvery is the number of bytes of text that a worker counts between looks at the context.
const lookEvery = 256 << 10

// each counts each text of a range into p.row, and calls f then.
func (p *part) each(ctx context.Context, a *analysis.Analyzer, texts [][]byte, r pool.Range, f func()) error {
	size := 0
	for i := r.From; i < r.To; i++ {
		text := texts[i]
		if size -= len(text); size < 0 {
			if size = lookEvery; ctx.Err() != nil {
				return usage.Cause(ctx)
			}
		}
		if !a.Knows(text) {
			return usage.NewError(usage.ErrData, fmt.Sprintf("text %d has characters that are newer than the version of Unicode that is known here", i))
		}
		p.row = p.counter.Count(text, p.row[:0])
		f()
	}
	return nil
}

// fit counts a range of texts. Terms have the numbers of the part's counter.
func (p *part) fit(ctx context.Context, a *analysis.Analyzer, texts [][]byte, r pool.Range, binary bool) error {
	p.rows.lengths = make([]uint32, 0, r.To-r.From)
	return p.each(ctx, a, texts, r, func() {
		if n := p.counter.Len(); n > cap(p.uses) {
			p.uses = slices.Grow(p.uses, n)
		}
		p.uses = p.uses[:p.counter.Len()]
		for i, e := range p.row {
			if binary {
				p.row[i].Count = 1
			}
			u := &p.uses[e.Term]
			u.documents++
			u.occurrences += p.row[i].Count
		}
		p.rows.add(p.row)
	})
}

// renumber gives the terms their numbers in the whole collection, unless they have them, and sorts each row by
// them.
func (p *part) renumber(numbers []uint32) {
	for row := range p.rows.each {
		if numbers != nil {
			for i, e := range row {
				row[i].Term = numbers[e.Term]
			}
		}
		p.sorter.sort(row)
	}
}

// leastShare is the number of bytes of text for which another worker is worth its start, mostShare how many
// bytes a part has at most, beside its last text.
var leastShare, mostShare = int64(64 << 10), int64(1 << 30)

// inParts returns what count gives for each of several ranges of texts of about equal bytes, at least one: as many as
// workers, or more where there is too much text for a part.
func inParts[T any](ctx context.Context, threads int, texts [][]byte, count func(r pool.Range) (T, error)) ([]T, error) {
	workers, total := int64(pool.Threads(threads)), int64(0)
	cost := func(i int) int64 { return int64(len(texts[i])) + 1 }
	for i := range texts {
		total += cost(i)
	}
	ranges := []pool.Range{{From: 0, To: len(texts)}}
	if share := min(max((total+workers-1)/workers, leastShare), mostShare); share < total {
		ranges = pool.Split(len(texts), share, 1, cost)
	}
	parts := make([]T, len(ranges))
	return parts, pool.Run(ctx, threads, len(parts), func(_, i int) (err error) {
		parts[i], err = count(ranges[i])
		return err
	})
}

// A sorter sorts rows by the numbers of their terms. Elements of one number keep their order.
// Rows are short, and their elements half as long as a [table.Item]: without digits as wide as suits
// them, counting texts takes 1.6 times as long.
type sorter struct {
	spare  []analysis.TermCount
	places [1 << mostDigit]uint32
}

// mostDigit is the number of bits of the largest digit of a radix sort.
const mostDigit = 11

// sort sorts a row. A row that is sorted costs a look at it.
func (s *sorter) sort(row []analysis.TermCount) {
	most, sorted := uint32(0), true
	for _, e := range row {
		sorted = sorted && e.Term >= most
		most = max(most, e.Term)
	}
	switch {
	case sorted:
	case len(row) <= 24:
		insertionSort(row)
	default:
		s.radixSort(row, bits.Len32(most))
	}
}

func insertionSort(row []analysis.TermCount) {
	for i := 1; i < len(row); i++ {
		e, j := row[i], i
		for ; j > 0 && row[j-1].Term > e.Term; j-- {
			row[j] = row[j-1]
		}
		row[j] = e
	}
}

// radixSort sorts by numbers of some bits, from the last digit to the first. Digits are as wide as
// suits the length of the row.
func (s *sorter) radixSort(row []analysis.TermCount, width int) {
	digit := min(max(bits.Len(uint(len(row)))-1, 4), mostDigit)
	digit = (width + (width-1)/digit) / ((width + digit - 1) / digit)
	if cap(s.spare) < len(row) {
		s.spare = make([]analysis.TermCount, 2*len(row))
	}
	from, to := row, s.spare[:len(row)]
	for shift := 0; shift < width; shift += digit {
		s.pass(to, from, shift, digit)
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
}

// pass sorts by one digit.
func (s *sorter) pass(to, from []analysis.TermCount, shift, digit int) {
	places := s.places[:1<<digit]
	mask := uint32(len(places) - 1)
	clear(places)
	for _, e := range from {
		places[e.Term>>shift&mask]++
	}
	sum := uint32(0)
	for d, n := range places {
		places[d] = sum
		sum += n
	}
	for _, e := range from {
		d := e.Term >> shift & mask
		to[places[d]] = e
		places[d]++
	}
}
