package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// topical is the share of tokens that follow the class of their document.
const topical = 0.3

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
	logTerms float64   // of Terms+1: the span of the ranks' logarithm
	term     []uint32  // rank in the corpus -> term
	class    []float64 // cumulated weights of the classes
}

func newLaw(p Params) *law {
	l := &law{
		Params:   p,
		logTerms: math.Log(float64(p.Terms) + 1),
		term:     make([]uint32, p.Terms),
		class:    make([]float64, p.Classes),
	}
	s := newStream(p.Seed, 0)
	for i := range l.term { // Fisher-Yates, inside out
		j := s.below(i + 1)
		l.term[i] = l.term[j]
		l.term[j] = uint32(i)
	}
	sum := 0.0
	for k := range l.class {
		sum += 1 / float64(k+5)
		l.class[k] = sum
	}
	return l
}

// length draws the number of tokens of a document.
func (l *law) length(s *stream) int {
	bell := s.unit() + s.unit() + s.unit() + s.unit()
	return max(3, int(float64(l.Tokens)*(0.25+0.375*bell)))
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
	more := 2 * (l.Labels - 1) * s.unit()
	return min(1+int(more+s.unit()), l.Classes)
}

func (l *law) drawClass(s *stream) uint32 {
	u := s.unit() * l.class[len(l.class)-1]
	k := sort.Search(len(l.class), func(k int) bool { return l.class[k] > u })
	return uint32(min(k, len(l.class)-1))
}

// draw takes one token of a document with these labels. The exponential is a
// tenth of its time: a table of ranks would not pay.
func (l *law) draw(s *stream, labels []uint32) uint32 {
	rank := min(max(int(math.Exp(s.unit()*l.logTerms))-1, 0), l.Terms-1)
	if s.unit() < topical {
		k := labels[0]
		if len(labels) > 1 {
			k = labels[s.below(len(labels))]
		}
		rank = classRank(rank, k, l.Terms)
	}
	return l.term[rank]
}

// classRank permutes the ranks for class k. The factor is prime and the map
// therefore a bijection of any number of terms below it.
func classRank(rank int, k uint32, terms int) int {
	return int((uint64(rank)*2654435761 + uint64(k)*40503*977 + 17) % uint64(terms))
}
