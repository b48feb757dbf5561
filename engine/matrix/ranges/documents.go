package ranges

// This file has the loops over the elements of a document, which know the types of a matrix.
// They are compiled for each pair of types.

// column is the type of the numbers of columns, value that of values.
type (
	column interface{ int32 | int64 }
	value  interface {
		uint8 | int32 | int64 | float32 | float64
	}
)

// AddDocument adds a document whose elements are all 1 to numbers as [Counter.Number] has them.
// It reports whether they are in range and in order.
func AddDocument[I column](number []uint32, index []I) (ok, ascending bool) {
	last, disorder := I(-1), I(0)
	for _, at := range index {
		if uint64(at) >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		number[at]++
	}
	return true, disorder >= 0
}

// AddWeights is AddDocument with values.
func AddWeights[I column, V value](number []uint32, index []I, values []V) (ok, ascending bool) {
	last, disorder, most := I(-1), I(0), largestWeight[V]()
	values = values[:len(index)]
	for i, at := range index {
		place := uint64(at) // used as it is, so that its bound is checked once
		if place >= uint64(len(number)) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		if v := values[i]; !(v > 0 && v <= most) {
			if v == 0 {
				continue
			}
			return false, false
		}
		number[place]++
	}
	return true, disorder >= 0
}

// StampDocument is AddDocument where order need not be: ok says that no element stands twice, too.
func StampDocument[I column](number []uint32, stamp uint32, index []I) (ok bool) {
	for _, at := range index {
		place := uint64(at)
		if place >= uint64(len(number)) {
			return false
		}
		sum := number[place]
		if sum&^MostDocuments == stamp {
			return false
		}
		number[place] = sum&MostDocuments + 1 | stamp
	}
	return true
}

// StampWeights is StampDocument with values. An element of value 0 is not stamped: all reports
// whether there is none.
func StampWeights[I column, V value](number []uint32, stamp uint32, index []I, values []V) (ok, all bool) {
	most := largestWeight[V]()
	values, all = values[:len(index)], true
	for i, at := range index {
		place := uint64(at)
		if place >= uint64(len(number)) {
			return false, false
		}
		if v := values[i]; !(v > 0 && v <= most) {
			if v == 0 {
				all = false
				continue
			}
			return false, false
		}
		sum := number[place]
		if sum&^MostDocuments == stamp {
			return false, false
		}
		number[place] = sum&MostDocuments + 1 | stamp
	}
	return true, all
}

// MostWeight is the largest value of an element that AddWeights takes: their sum need not be
// watched.
const MostWeight = 1 << 20

// largestWeight returns MostWeight, or the largest value of the type.
func largestWeight[V value]() V {
	most := uint64(MostWeight)
	if v := V(most >> 12); v == 0 { // 8 bits
		most = 1<<8 - 1
	}
	return V(most)
}
