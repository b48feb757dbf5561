package bagofwords

import (
	"context"
	"fmt"
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
func (p *part) each(ctx context.Context, a *analysis.Analyzer, texts Texts, r pool.Range, f func()) error {
	size := 0
	for i := r.From; i < r.To; i++ {
		text := texts.At(i)
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
func (p *part) fit(ctx context.Context, a *analysis.Analyzer, texts Texts, r pool.Range, binary bool) error {
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

// split cuts texts into ranges of about equal bytes, at least one: for so many workers, or more where there is
// too much text for a part.
func split(texts Texts, workers int) ([]pool.Range, error) {
	if texts == nil {
		return nil, usage.Errorf("there are no texts: they are nil")
	}
	cost := func(i int) int64 { return int64(len(texts.At(i))) + 1 }
	total := int64(0)
	for i := range texts.Len() {
		total += cost(i)
	}
	share := max((total+int64(workers)-1)/int64(workers), leastShare)
	if share = min(share, mostShare); share >= total {
		return []pool.Range{{From: 0, To: texts.Len()}}, nil
	}
	return pool.Split(texts.Len(), share, 1, cost), nil
}
