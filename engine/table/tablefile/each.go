package tablefile

import (
	"context"

	"github.com/termsift/termsift/engine/table"
)

// A Term has the counts of a term of a file.
type Term struct {
	Name   []byte
	DF, CF float64 // documents and occurrences
	// By class where the term occurs, ascending: its number, documents and occurrences.
	Class []uint32
	A, S  []float64
}

// Each calls f with all terms, in the order of their bytes, with a block in memory. The term is valid
// until f returns.
func (f *File) Each(ctx context.Context, fn func(t *Term) error) error {
	p, t := &mergePart{f: f}, Term{}
	p.reset()
	width := table.ClassWidth(len(f.Classes))
	for {
		key, err := p.next(ctx)
		if err != nil || key == noKey {
			return err
		}
		b := &p.reader.block
		next := cellsOf(&b.columns, f.form)
		t.Name, t.DF, t.CF = p.names.last, float64(b.df[p.term]), b.cf[p.term]
		t.Class, t.A, t.S = t.Class[:0], t.A[:0], t.S[:0]
		for i := p.cell; i < p.cell+int(b.length[p.term]); i++ {
			docs, sum, _ := next.number(i)
			t.Class, t.A, t.S = append(t.Class, b.classOf(i, width)), append(t.A, docs), append(t.S, sum)
		}
		if err := fn(&t); err != nil {
			return err
		}
	}
}

// Real reports whether there are values that are no counts.
func (f *File) Real() bool { return f.form == table.RealValues }
