package bench

import (
	"testing"

	"github.com/termsift/termsift/engine/store"
)

// BenchmarkYardstick transposes tokenised documents by plain code, on one thread: two reads or writes
// elsewhere for each posting. Making an index has the same input and does more. Targets in nanoseconds a
// posting are those of one machine, on which careful C takes 33 to 42 for this work on a set such as L, and
// this code 1.2 times as long as that, in turn; on a slower one they are scaled by what it takes there.
func BenchmarkYardstick(b *testing.B) {
	forSources(b, "S,M,L", func(b *testing.B, name string, src store.Source) {
		lists := newPlainLists(src)
		b.Run("set="+name, func(b *testing.B) {
			for b.Loop() {
				lists.transpose(src)
			}
			perPosting(b, src)
			if !lists.ascend() {
				b.Fatal("the documents of a term do not ascend")
			}
		})
	})
}

// plainLists are the documents of each term, with the counts.
type plainLists struct {
	start, next []int
	docs        []uint32
	counts      []uint32
}

func newPlainLists(src store.Source) *plainLists {
	terms, postings := len(src.Names), len(src.Terms)
	return &plainLists{make([]int, terms+1), make([]int, terms), make([]uint32, postings), make([]uint32, postings)}
}

func (l *plainLists) transpose(src store.Source) {
	clear(l.start)
	for _, t := range src.Terms {
		l.start[t+1]++
	}
	for t := range l.next {
		l.start[t+1] += l.start[t]
		l.next[t] = l.start[t]
	}
	next, docs, counts := l.next, l.docs, l.counts
	for doc := range src.IDs {
		from, to := src.DocStart[doc], src.DocStart[doc+1]
		of := src.Counts[from:to]
		for i, t := range src.Terms[from:to] {
			place := next[t]
			next[t] = place + 1
			docs[place], counts[place] = uint32(doc), uint32(of[i])
		}
	}
}

// ascend reports whether the documents of each term do.
func (l *plainLists) ascend() bool {
	for t := range l.next {
		for i := l.start[t] + 1; i < l.start[t+1]; i++ {
			if l.docs[i] <= l.docs[i-1] {
				return false
			}
		}
	}
	return true
}
