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
	add := func(of *table, cells uint32) {
		for _, c := range of.cells {
			if c.term != 0 {
				term := c.term - 1
				r.docs[term] += c.docs
				r.sums[term] += uint64(c.sum)
				r.cells[term] += cells
			}
		}
		for term, l := range of.large {
			r.sums[term] += l.sum
		}
	}
	for class := range t.classes {
		add(&t.classes[class], 1)
	}
	add(&t.beside, 0)
	return r
}

// placed is a cell at its place, with its class.
type placed struct {
	class, docs uint32
	counts
}

// cells returns the cells of the terms in an order, and releases the tables.
func (t *Tally) cells(order []uint32, r *rows) *cells.Cells {
	next, total := r.cells, uint32(0) // by term: the place of its next cell
	for _, term := range order {
		next[term], total = total, total+next[term]
	}
	row := make([]placed, total)
	for class := range t.classes {
		of := &t.classes[class]
		for _, c := range of.cells {
			if c.term == 0 {
				continue
			}
			term := c.term - 1
			n := counts{uint64(c.sum), uint64(c.squares)}
			if of.large != nil {
				l := of.large[term]
				n = counts{n.sum + l.sum, n.squares + l.squares}
			}
			row[next[term]] = placed{uint32(class), c.docs, n}
			next[term]++
		}
		*of = table{}
	}
	t.beside = table{}
	c := &cells.Cells{}
	c.Reserve(len(order), len(row))
	from := uint32(0)
	for _, term := range order {
		for _, p := range row[from:next[term]] {
			c.AppendCounts(p.class, p.docs, p.sum, p.squares)
		}
		from = next[term]
		c.EndTerm(float64(r.docs[term]), float64(r.sums[term]))
	}
	return c
}
