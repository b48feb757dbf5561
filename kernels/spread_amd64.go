//go:build !purego

package kernels

import (
	"math"
	"math/bits"
)

// This file has what the AVX2 forms of kernels over sets share. They spread the bytes of a term over
// all classes, eight bytes at a time, of which the last ones may lie behind the cells of the term.

// spreadSlack is the number of bytes that such a form wants to be there behind the cells of a term.
const spreadSlack = 8

// spreadPatterns has for each byte the shuffles that make words of consecutive bytes, each at the place
// of one of its bits, and 0 at the others.
var spreadPatterns = func() (patterns [256][8]uint32) {
	const none = 0x80808080
	for bits := range patterns {
		next := uint32(0)
		for k := range patterns[bits] {
			patterns[bits][k] = none
			if bits>>k&1 == 1 {
				patterns[bits][k] = none&^0xFF | next
				next++
			}
		}
	}
	return patterns
}()

// spreadTerms calls a form for the terms of some sets, whose cells are the elements of columns of
// bytes, and returns false if they are not. The form does the terms from the first on, as far as spreadSlack
// bytes lie behind the cells of each, and returns how many terms and cells these are; -1 terms if
// a set has classes that are none. It is called again for the others, with their bytes copied.
func spreadTerms(sets []uint64, columns [3][]byte, form func(from int, columns [3][]byte) (terms, cells int)) bool {
	terms, cells := form(0, columns)
	if terms < 0 {
		return false
	}
	left := len(columns[0]) - cells
	if terms == len(sets) {
		return left == 0
	}
	var copies [len(columns)][2*SetClasses + 2*spreadSlack]byte
	if left > len(copies[0])-spreadSlack {
		return false // no term has so many
	}
	for i, c := range columns {
		if cells <= len(c) { // else it is none of the form's
			columns[i] = copies[i][:copy(copies[i][:], c[cells:])+spreadSlack]
		}
	}
	more, cells := form(terms, columns)
	return more == len(sets)-terms && cells == left
}

func setMaximaAVX2(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, n float64, beyond uint64, form Deviation) bool {
	classes := ^beyond
	if classes == 0 {
		return setMaximaGeneric(dst, sets, a, of, sizes, weights, n, beyond, form)
	}
	var padded, expected [SetClasses]float64
	for c, size := range sizes {
		if classes>>c&1 == 0 {
			size = math.NaN()
		}
		padded[c] = size
	}
	return spreadTerms(sets, [3][]byte{a}, func(from int, columns [3][]byte) (terms, cells int) {
		return spreadMaximaAVX2(dst[from:], sets[from:], columns[0], of[from:], &padded, (*[SetClasses]float64)(weights), &expected, n, &spreadPatterns, beyond, uint64(form))
	})
}

// fewSums is the number of cells a term, for each eight classes, below which setSumsAVX2 takes one cell
// after the other.
const fewSums = 2.75

func setSumsAVX2(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool {
	if float64(len(a)) < fewSums*float64(len(sets)*eights(beyond)) {
		return setFewSumsAVX2(dst, met, sets, a, table, beyond)
	}
	return spreadTerms(sets, [3][]byte{a}, func(from int, columns [3][]byte) (terms, cells int) {
		return spreadSumsAVX2(dst[from:], met[from:], sets[from:], columns[0], (*[256 * SetClasses][2]float64)(table), &spreadPatterns, beyond)
	})
}

func setMomentsAVX2(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool {
	byClass := func(column []float64) *[SetClasses]float64 { return (*[SetClasses]float64)(column) }
	return spreadTerms(sets, [3][]byte{a, s, q}, func(from int, columns [3][]byte) (terms, cells int) {
		return spreadMomentsAVX2(largest[from:], squares[from:], totals[from:], sets[from:], columns[0], columns[1], columns[2], of[from:],
			byClass(sizes), byClass(inverses), byClass(roots), n, &spreadPatterns, beyond)
	})
}

// eights returns into how many groups of eight the classes fall that beyond leaves.
func eights(beyond uint64) int { return (bits.Len64(^beyond) + 7) / 8 }
