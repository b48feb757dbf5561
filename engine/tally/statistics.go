package tally

import (
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/store"
)

// EmptyDocuments returns the number of documents without a term.
func (t *Tally) EmptyDocuments() int { return int(t.empty) }

// Tokens returns the sum of all counts.
func (t *Tally) Tokens() float64 { return t.tokens }

// Statistics returns the statistics of the documents that were added, with the names of the
// terms and classes by their numbers. Terms without a document are left out. It empties the
// tally.
func (t *Tally) Statistics(ctx context.Context, terms, classes []string) (*store.Statistics, error) {
	t.countWaiting()
	t.waiting, t.counts = nil, nil
	margins := cells.Margins{Documents: t.documents, Labelled: t.labelled, Tokens: t.tokens}
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(classes[i], classes[j]) })
	sorted, names := make([]table, len(classes)), make([]string, len(classes))
	for place, class := range order {
		sorted[place], names[place] = t.classes[class], classes[class]
		margins.ClassDocs = append(margins.ClassDocs, sorted[place].docs)
		margins.ClassTokens = append(margins.ClassTokens, sorted[place].tokens)
	}
	t.classes = sorted
	rows := t.measure()
	kept := slices.DeleteFunc(rows.all(), func(term uint32) bool { return rows.docs[term] == 0 })
	o, err := store.OrderTerms(ctx, len(kept), func(i int) (string, uint32) { return terms[kept[i]], rows.docs[kept[i]] })
	if err != nil {
		return nil, err
	}
	for t, i := range o.Order {
		o.Order[t] = kept[i]
	}
	c := t.cells(o.Order, rows)
	c.Margins = margins
	return &store.Statistics{Cells: *c, Classes: names, Terms: o.Terms}, nil
}

// rows has by term its documents, its occurrences and its number of cells.
type rows struct {
	docs  []uint32
	sums  []uint64
	cells []uint32
}

// all returns all terms.
func (r *rows) all() []uint32 {
	all := make([]uint32, len(r.docs))
	for term := range all {
		all[term] = uint32(term)
	}
	return all
}

// measure adds up the cells of each term.
func (t *Tally) measure() *rows {
	r := &rows{make([]uint32, t.terms), make([]uint64, t.terms), make([]uint32, t.terms)}
	add := func(term uint32, n counts) {
		r.docs[term] += uint32(n.docs)
		r.sums[term] += n.sum
	}
	for class := range t.classes {
		of := &t.classes[class]
		for _, c := range of.cells {
			if c != 0 {
				add(c.term(), c.counts())
				r.cells[c.term()]++
			}
		}
		for term, n := range of.large {
			add(term, n)
		}
	}
	for term, b := range t.beside {
		add(uint32(term), counts{docs: uint64(b.docs), sum: uint64(b.sum)})
	}
	return r
}

// isLarge is the bit of a placed cell that says that it has more than its fields.
const isLarge = 1 << 31

// cells returns the cells of the terms in an order, and releases the tables.
func (t *Tally) cells(order []uint32, r *rows) *cells.Cells {
	next, total := r.cells, uint32(0) // by term: the place of its next cell
	for _, term := range order {
		next[term], total = total, total+next[term]
	}
	row, large := make([]cell, total), map[uint32]counts{} // both by place, with the class for the term
	for class := range t.classes {
		of := &t.classes[class]
		for _, c := range of.cells {
			if c != 0 {
				place := &next[c.term()]
				row[*place] = cell(class)<<32 | c&fields
				*place++
			}
		}
		for term, n := range of.large {
			place := next[term] - 1
			row[place] |= isLarge
			large[place] = n
		}
		*of = table{}
	}
	t.beside = nil
	c := &cells.Cells{}
	c.Reserve(len(order), len(row))
	place := uint32(0)
	for _, term := range order {
		for ; place < next[term]; place++ {
			p := row[place]
			n := (p &^ isLarge).counts()
			if p&isLarge != 0 {
				l := large[place]
				n = counts{n.docs + l.docs, n.sum + l.sum, n.squares + l.squares}
			}
			c.AppendCounts(uint32(p>>32), uint32(n.docs), n.sum, n.squares)
		}
		c.EndTerm(float64(r.docs[term]), float64(r.sums[term]))
	}
	return c
}
