package workload

import (
	"math/rand/v2"
	"slices"
	"sort"
)

// A stream is a generator of its own: the one of a block of documents.
type stream struct{ rand.PCG }

// newStream seeds the stream of this number; the odd factor spreads the numbers
// over the whole state.
func newStream(seed, number uint64) *stream {
	s := new(stream)
	s.Seed(seed, number*0x9e3779b97f4a7c15)
	return s
}

// unit is uniform in [0, 1).
func (s *stream) unit() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// below is uniform in [0, n), up to a bias of n in 2^53.
func (s *stream) below(n int) int { return int(s.unit() * float64(n)) }

// A law is what all documents of a corpus have in common. It is only read once
// it is made.
type law struct {
	Params
	zipf  zipf
	class []float64 // cumulated weights of the classes
}

func newLaw(p Params) *law {
	l := &law{
		Params: p,
		zipf:   newZipf(p.Kernel, p.Terms),
		class:  make([]float64, p.Classes),
	}
	sum := 0.0
	for k := range l.class {
		sum += 1 / float64(k+5)
		l.class[k] = sum
	}
	return l
}

// shuffled numbers the terms: the ranks in the corpus, by chance.
func (l *law) shuffled() []uint32 {
	number := make([]uint32, l.Terms)
	s := newStream(l.Seed, 0)
	for i := range number { // Fisher-Yates, inside out
		j := s.below(i + 1)
		number[i] = number[j]
		number[j] = uint32(i)
	}
	return number
}

// document appends the classes and the ranks of the tokens of one document.
func (l *law) document(s *stream, labels, ranks []uint32) (_, _ []uint32) {
	from := len(labels)
	labels = l.labels(s, labels)
	for range l.length(s) {
		ranks = append(ranks, l.draw(s, labels[from:]))
	}
	return labels, ranks
}

// length draws the number of tokens of a document.
func (l *law) length(s *stream) int {
	bell := s.unit() + s.unit() + s.unit() + s.unit()
	return max(3, int(float64(l.Tokens)*(0.25+float64(0.375*bell))))
}

// labels appends the classes of a document, ascending.
func (l *law) labels(s *stream, to []uint32) []uint32 {
	from := len(to)
	for n := l.labelCount(s); len(to)-from < n; {
		if k := l.drawClass(s); !slices.Contains(to[from:], k) {
			to = append(to, k)
		}
	}
	slices.Sort(to[from:])
	return to
}

// labelCount is uniform around the mean, and at least one. Rounding up with the
// probability of the fraction keeps the mean what was asked for, unless the
// classes do not suffice for twice as many.
func (l *law) labelCount(s *stream) int {
	if l.Labels <= 1 {
		return 1
	}
	more := float64(2 * (l.Labels - 1) * s.unit())
	return min(1+int(more+s.unit()), l.Classes)
}

func (l *law) drawClass(s *stream) uint32 {
	u := s.unit() * l.class[len(l.class)-1]
	k := sort.Search(len(l.class), func(k int) bool { return l.class[k] > u })
	return uint32(min(k, len(l.class)-1))
}

// draw takes one token of a document with these labels: its rank in the corpus.
func (l *law) draw(s *stream, labels []uint32) uint32 {
	rank := l.zipf.rank(s.unit())
	if s.unit() >= topical {
		return rank
	}
	k := labels[0]
	if len(labels) > 1 {
		k = labels[s.below(len(labels))]
	}
	return classRank(rank, k, l.Terms)
}

// classRank permutes the ranks for class k. The factor is prime and the map
// therefore a bijection of any number of terms below it.
func classRank(rank, k uint32, terms int) uint32 {
	return uint32((uint64(rank)*2654435761 + uint64(k)*40503*977 + 17) % uint64(terms))
}
