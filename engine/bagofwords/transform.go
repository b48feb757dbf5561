package bagofwords

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// Transform counts texts over the terms of the vocabulary. The columns of a row ascend.
func (v *Vocabulary) Transform(ctx context.Context, texts Texts, threads int) (*Rows, error) {
	ranges, err := split(texts, pool.Threads(threads))
	if err != nil {
		return nil, err
	}
	rows := make([]*rowBlocks, len(ranges))
	err = pool.Run(ctx, threads, len(ranges), func(_, i int) (err error) {
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
	p := v.counters.take()
	defer v.counters.give(p)
	p.rows = &rowBlocks{lengths: make([]uint32, 0, r.To-r.From)}
	err := p.each(ctx, v.analyzer, texts, r, func() {
		known := p.row[:0]
		for _, e := range p.row {
			if int(e.Term) < len(v.columns) && v.columns[e.Term] != left {
				if e.Term = uint32(v.columns[e.Term]); v.binary {
					e.Count = 1
				}
				known = append(known, e)
			}
		}
		p.sorter.sort(known)
		p.rows.add(known)
		if p.counter.Bytes() > p.most {
			v.counters.renew(p)
		}
	})
	return p.rows, err
}
