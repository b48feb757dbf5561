package bagofwords

import (
	"math/bits"

	"github.com/termsift/termsift/engine/analysis"
)

// A sorter sorts rows by the numbers of their terms. Elements of one number keep their order.
type sorter struct {
	spare  []analysis.TermCount
	places [1 << mostDigit]uint32
}

// mostDigit is the number of bits of the largest digit of a radix sort.
const mostDigit = 11

// sort sorts a row. A row that is sorted costs a look at it.
func (s *sorter) sort(row []analysis.TermCount) {
	most, sorted := uint32(0), true
	for _, e := range row {
		sorted = sorted && e.Term >= most
		most = max(most, e.Term)
	}
	switch {
	case sorted:
	case len(row) <= 24:
		insertionSort(row)
	default:
		s.radixSort(row, bits.Len32(most))
	}
}

func insertionSort(row []analysis.TermCount) {
	for i := 1; i < len(row); i++ {
		e, j := row[i], i
		for ; j > 0 && row[j-1].Term > e.Term; j-- {
			row[j] = row[j-1]
		}
		row[j] = e
	}
}

// radixSort sorts by numbers of some bits, from the last digit to the first. Digits are as wide as
// suits the length of the row.
func (s *sorter) radixSort(row []analysis.TermCount, width int) {
	digit := min(max(bits.Len(uint(len(row)))-1, 4), mostDigit)
	digit = (width + (width-1)/digit) / ((width + digit - 1) / digit)
	if cap(s.spare) < len(row) {
		s.spare = make([]analysis.TermCount, 2*len(row))
	}
	from, to := row, s.spare[:len(row)]
	for shift := 0; shift < width; shift += digit {
		s.pass(to, from, shift, digit)
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
}

// pass sorts by one digit.
func (s *sorter) pass(to, from []analysis.TermCount, shift, digit int) {
	places := s.places[:1<<digit]
	mask := uint32(len(places) - 1)
	clear(places)
	for _, e := range from {
		places[e.Term>>shift&mask]++
	}
	sum := uint32(0)
	for d, n := range places {
		places[d] = sum
		sum += n
	}
	for _, e := range from {
		d := e.Term >> shift & mask
		to[places[d]] = e
		places[d]++
	}
}
