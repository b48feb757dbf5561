package tally

import (
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/table"
)

// EmptyDocuments returns the number of documents without a term.
func (t *Tally) EmptyDocuments() int { return int(t.empty) }

// Tokens returns the sum of all counts, once the statistics were taken.
func (t *Tally) Tokens() float64 { return t.tokens }

// Statistics returns the statistics of the documents that were added, with the names of the
// terms and classes by their numbers. Terms without a document are left out. It empties the
// tally.
func (t *Tally) Statistics(ctx context.Context, terms, classes []string) (*table.Table, error) {
	t.countWaiting()
	for i := range t.classes {
		t.settle(&t.classes[i])
	}
	t.waiting, t.order, t.counts, t.sums, t.met = nil, nil, nil, nil, nil
	margins := table.Margins{Documents: t.documents, Labelled: t.labelled}
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(classes[i], classes[j]) })
	sorted, names := make([]class, len(classes)), make([]string, len(classes))
	for place, class := range order {
		sorted[place], names[place] = t.classes[class], classes[class]
		margins.ClassDocs = append(margins.ClassDocs, sorted[place].docs)
	}
	t.classes = sorted
	rows, tokens := t.measure(len(terms))
	for _, n := range tokens {
		margins.ClassTokens = append(margins.ClassTokens, float64(n))
	}
	kept, all := make([]uint32, 0, len(rows)), uint64(0)
	for term := range rows {
		if rows[term].docs > 0 {
			kept = append(kept, uint32(term))
			all += rows[term].sum
		}
	}
	t.tokens = float64(all)
	margins.Tokens = t.tokens
	o, err := table.OrderTerms(ctx, len(kept), func(i int) (string, uint32) { return terms[kept[i]], rows[kept[i]].docs })
	if err != nil {
		return nil, err
	}
	for t, i := range o.Order {
		o.Order[t] = kept[i]
	}
	c := t.cells(o.Order, rows)
	c.Margins = margins
	return &table.Table{Cells: *c, Classes: names, Terms: o.Terms}, nil
}

// A row has the documents of a term, its occurrences and its number of cells.
type row struct {
	docs, cells uint32
	sum         uint64
}

// add adds what a cell has beside its large counts, and returns its occurrences.
func (r *row) add(s sums) uint64 {
	n := s.counts()
	r.docs += uint32(n.docs)
	r.sum += n.sum
	r.cells++
	return n.sum
}

// measure adds up the cells of each of n terms, and the occurrences of all in each class.
func (t *Tally) measure(n int) (rows []row, tokens []uint64) {
	rows, tokens = make([]row, n), make([]uint64, len(t.classes))
	for number := range t.classes {
		of, sum := &t.classes[number], uint64(0)
		for _, c := range of.cells {
			sum += rows[c.term()].add(c.sums())
		}
		for term, n := range of.large {
			rows[term].docs += uint32(n.docs)
			rows[term].sum += n.sum
			sum += n.sum
		}
		tokens[number] = sum
	}
	for term, b := range t.beside {
		rows[term].docs += uint32(b.docs)
		rows[term].sum += uint64(b.sum)
	}
	return rows, tokens
}

// isLarge is the bit of a placed cell that says that it has more than its fields.
const isLarge = 1 << 31

// cells returns the cells of the terms in an order, and releases the classes.
func (t *Tally) cells(order []uint32, rows []row) *table.Cells {
	next, total := make([]uint32, len(rows)), uint32(0) // by term: the place of its next cell
	ordered := make([]row, len(order))
	for i, term := range order {
		ordered[i] = rows[term]
		next[term] = total
		total += ordered[i].cells
	}
	placed, large := make([]cell, total), map[uint32]counts{} // both by place, with the class for the term
	for number := range t.classes {
		of := &t.classes[number]
		for _, c := range of.cells {
			place := &next[c.term()]
			placed[*place] = cell(number)<<32 | cell(c.sums())
			*place++
		}
		for term, n := range of.large {
			place := next[term] - 1
			placed[place] |= isLarge
			large[place] = n
		}
		*of = class{}
	}
	t.beside = nil
	c := &table.Cells{}
	c.Reserve(len(order), len(placed))
	place := uint32(0)
	for _, of := range ordered {
		for end := place + of.cells; place < end; place++ {
			p := placed[place]
			n := (p &^ isLarge).sums().counts()
			if p&isLarge != 0 {
				l := large[place]
				n = counts{n.docs + l.docs, n.sum + l.sum, n.squares + l.squares}
			}
			c.AppendCounts(uint32(p>>32), uint32(n.docs), n.sum, n.squares)
		}
		c.EndCounts(of.docs, of.sum)
	}
	return c
}
