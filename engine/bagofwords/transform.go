package bagofwords

import (
	"context"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
)

// Transform counts texts over the terms of the vocabulary. The columns of a row ascend.
func (v *Vocabulary) Transform(ctx context.Context, texts Texts, threads int) (*Rows, error) {
	ranges := split(texts, pool.Threads(threads))
	rows := make([]*rowBlocks, len(ranges))
	err := pool.Run(ctx, min(pool.Threads(threads), len(ranges)), len(ranges), func(_, i int) (err error) {
		rows[i], err = v.transform(ctx, texts, ranges[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return rowsOf(rows), nil
}

// transform counts a range of texts.
func (v *Vocabulary) transform(ctx context.Context, texts Texts, r pool.Range) (*rowBlocks, error) {
	p := v.counters.take(v)
	defer v.counters.put(p)
	p.rows = &rowBlocks{lengths: make([]uint32, 0, r.To-r.From)}
	err := each(ctx, texts, r, func(text []byte) {
		p.row = p.counter.Count(text, p.row[:0])
		row := p.row[:0]
		for _, e := range p.row {
			if e.Term < uint32(len(v.columns)) && v.columns[e.Term] != left {
				if e.Term = uint32(v.columns[e.Term]); v.binary {
					e.Count = 1
				}
				row = append(row, e)
			}
		}
		p.sorter.sort(row)
		p.rows.add(row)
	})
	return p.rows, err
}

// counters are the counters of a vocabulary that no call has at the moment. A counter gives the terms of the
// vocabulary their numbers, and others greater ones.
type counters struct {
	mu   sync.Mutex
	free []*part
}

// mostGrowth is by how many bytes the words of texts may grow a counter.
const mostGrowth = 32 << 20

// take returns a counter, which is new if all are in use.
func (c *counters) take(v *Vocabulary) *part {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		p := c.free[n-1]
		c.free = c.free[:n-1]
		return p
	}
	return newPart(v.newCounter())
}

// put gives a counter back.
func (c *counters) put(p *part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, p)
}

// newCounter returns a counter with the terms of the vocabulary.
func (v *Vocabulary) newCounter() *analysis.Counter {
	c := v.analyzer.NewCounter()
	for _, name := range v.names {
		c.Add(name)
	}
	return c
}
