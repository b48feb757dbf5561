package store

import (
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file fills the cells of lists whose values are read one by one: real values,
// weights, restricted sets of documents, documents with several labels, and more
// classes than a dense row holds.

// A cell holds the counts of a term in one class.
type cell struct{ a, s, q, w float64 }

func (c *cell) add(tf, w float64) {
	c.a++
	c.s += tf
	c.q += float64(tf * tf)
	c.w += w
}

// weighted fills the row from the list in r.postings.
func (r *rowCounter) weighted() {
	p, row := &r.postings, &r.row
	idf := 0.0
	if r.weigher != nil {
		idf = table.IDF(r.n, row.DF)
	}
	row.Class = row.Class[:0]
	row.resize(0)
	if r.x.multi {
		r.labels(p, idf)
	} else {
		r.runs(p, idf)
	}
}

// runs fills the row from single-label documents. Documents are numbered by class, so
// that each class is a run of the list.
func (r *rowCounter) runs(p *Postings, idf float64) {
	r.classes = r.v.codes.lookup(p.Docs, r.classes)
	if r.weigher != nil {
		r.weigh(p, idf)
	}
	none := uint32(len(r.x.Classes))
	for from := 0; from < len(r.classes); {
		to := from + 1
		for to < len(r.classes) && r.classes[to] == r.classes[from] {
			to++
		}
		c := cell{a: float64(to - from)}
		c.s, c.q = kernels.Sum(p.TF[from:to])
		r.row.CF += c.s
		if r.weigher != nil {
			c.w, _ = kernels.Sum(r.weights[from:to])
		}
		if r.classes[from] != none {
			r.row.add(r.classes[from], c)
		}
		from = to
	}
}

// weigh computes r.weights, the weights of the postings.
func (r *rowCounter) weigh(p *Postings, idf float64) {
	r.weights = r.weights[:0]
	for i, d := range p.Docs {
		r.weights = append(r.weights, r.weigher.weight(p.TF[i], idf, d))
	}
}

// labels fills the row from documents with several labels. It adds to r.sparse and
// lists the classes met, by which it clears r.sparse again: a term costs its postings,
// however many classes there are.
func (r *rowCounter) labels(p *Postings, idf float64) {
	r.classes = r.classes[:0]
	if r.weigher != nil {
		r.weigh(p, idf)
	}
	for i, d := range p.Docs {
		w := 0.0
		if r.weigher != nil {
			w = r.weights[i]
		}
		r.row.CF += p.TF[i]
		for _, l := range r.x.Labels(int(d)) {
			if r.sparse[l].a == 0 {
				r.classes = append(r.classes, l)
			}
			r.sparse[l].add(p.TF[i], w)
		}
	}
	slices.Sort(r.classes)
	for _, l := range r.classes {
		r.row.add(l, r.sparse[l])
		r.sparse[l] = cell{}
	}
}

// add appends a cell to the row.
func (r *Row) add(class uint32, c cell) {
	r.Class = append(r.Class, class)
	r.Docs = append(r.Docs, uint32(c.a))
	r.A = append(r.A, c.a)
	r.S = append(r.S, c.s)
	r.Q = append(r.Q, c.q)
	r.W = append(r.W, c.w)
}
