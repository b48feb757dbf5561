package bench

import (
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/store"
)

// BenchmarkYardstick transposes counted documents by plain code, on one thread: a read or a write elsewhere
// for each posting, as making, merging and opening an index are. Targets in milliseconds and
// nanoseconds are those of one machine, on which this takes 11 to 16.5 ms for 20 Newsgroups; on another
// they are scaled by what it takes there.
func BenchmarkYardstick(b *testing.B) {
	forSets(b, "20ng", func(b *testing.B, s *set) {
		rows := countedRowsOf(b, s.index)
		columns := newColumns(s.index.Terms.Len(), len(rows.terms))
		b.Run("set="+s.name, func(b *testing.B) {
			for b.Loop() {
				columns.transpose(rows)
			}
			if !columns.ascend() {
				b.Fatal("the documents of a term do not ascend")
			}
		})
	})
}

// countedRows are documents with the numbers of their terms and the counts, in order.
type countedRows struct {
	start         []int64 // by document, and the end
	terms, counts []int32
}

// countedRowsOf returns the documents of an index in an order that is not that of their classes, with terms
// numbered by their bytes, as a vectorizer hands them on.
func countedRowsOf(b *testing.B, x *store.Index) *countedRows {
	b.Helper()
	places := rand.New(rand.NewPCG(42, 42)).Perm(x.Documents())
	rows := &countedRows{start: make([]int64, x.Documents()+1), terms: make([]int32, x.NumPostings()), counts: make([]int32, x.NumPostings())}
	each := func(f func(term int32, row int, count float64)) {
		var p store.Postings
		for number, t := range x.Terms.Sorted() {
			if err := x.Read(int(t), &p); err != nil {
				b.Fatal(err)
			}
			for i, doc := range p.Docs {
				f(int32(number), places[doc], p.TF[i])
			}
		}
	}
	each(func(_ int32, row int, _ float64) { rows.start[row+1]++ })
	for row := range places {
		rows.start[row+1] += rows.start[row]
	}
	next := append([]int64(nil), rows.start...)
	each(func(term int32, row int, count float64) {
		rows.terms[next[row]], rows.counts[next[row]] = term, int32(count)
		next[row]++
	})
	return rows
}

// countedColumns are the documents of each term, with the counts.
type countedColumns struct {
	start, next  []int64
	docs, counts []int32
}

func newColumns(terms, postings int) *countedColumns {
	return &countedColumns{start: make([]int64, terms+1), next: make([]int64, terms), docs: make([]int32, postings), counts: make([]int32, postings)}
}

func (c *countedColumns) transpose(rows *countedRows) {
	clear(c.start)
	for _, t := range rows.terms {
		c.start[t+1]++
	}
	for t := range c.next {
		c.start[t+1] += c.start[t]
		c.next[t] = c.start[t]
	}
	next, docs, all := c.next, c.docs, c.counts
	for doc := range len(rows.start) - 1 {
		from, to := rows.start[doc], rows.start[doc+1]
		counts := rows.counts[from:to]
		for i, t := range rows.terms[from:to] {
			place := next[t]
			next[t] = place + 1
			docs[place], all[place] = int32(doc), counts[i]
		}
	}
}

// ascend reports whether the documents of each term do.
func (c *countedColumns) ascend() bool {
	for t := range c.next {
		for i := c.start[t] + 1; i < c.start[t+1]; i++ {
			if c.docs[i] <= c.docs[i-1] {
				return false
			}
		}
	}
	return true
}
