package postings

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// cellsByTerm are the documents of each term in each class.
type cellsByTerm map[int]map[uint32]float64

func (c cellsByTerm) add(t *table.Tile) {
	for _, r := range rowsOf(t) {
		own := map[uint32]float64{}
		for i, class := range r.class {
			own[class] = r.a[i]
		}
		c[r.term] = own
	}
}

// Frequent terms, others, and ranges that begin anywhere have the counts that loops over documents give,
// in samples one after another.
func TestSampleCountsOfRelabelledDocuments(t *testing.T) {
	x := build(randomSource(31, 9000, false, false))
	least, classes := x.sharedFrom(), uint32(len(x.Classes))
	if last := x.DocFreq[x.FirstShort()-1]; kernels.HasSharedBits() && !(x.hasShared() && last < least) {
		t.Fatalf("long lists of %d to %d documents, the least of a set is %d: both kinds are wanted", x.DocFreq[0], last, least)
	}
	r := rand.New(rand.NewPCG(32, 1))
	counter := x.NewListCounter(false)
	var samples []*Sample
	var orders [][]int
	for range 3 {
		order := r.Perm(x.Documents())
		of := make([]uint32, len(order))
		for d, from := range order {
			of[d] = uint32(from)
		}
		samples, orders = append(samples, x.AllDocuments().Relabelled(of)), append(orders, order)
	}
	var p List
	for _, terms := range []pool.Range{{From: 0, To: 40}, {From: 5, To: 150}, {From: 130, To: x.Terms.Len()}, {From: 0, To: 2}} {
		testkit.OK(counter.Load(terms))
		for i, s := range samples {
			got := cellsByTerm{}
			counter.Count(s, got.add)
			for term := terms.From; term < terms.To; term++ {
				want := map[uint32]float64{}
				testkit.OK(x.ReadDocs(term, &p))
				for _, d := range p.Docs {
					if class := x.firstClass(orders[i][d]); class < classes {
						want[class]++
					}
				}
				if !maps.Equal(got[term], want) {
					t.Fatalf("sample %d, terms %v: term %d in %d documents: %v, want %v", i, terms, term, x.DocFreq[term], got[term], want)
				}
			}
		}
	}
}
