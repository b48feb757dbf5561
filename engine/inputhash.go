package engine

import (
	"fmt"
	"math/bits"
	"strconv"
)

// An inputHash stands for documents in an order: a polynomial in hashBase modulo the
// prime 2^61-1, whose coefficients are the documents' xxh3-64. The hash of documents
// one behind the other follows from the hashes of the two parts and the length of the
// second, so that merging gives the hash of one build. Two lists that differ have the
// same hash with a chance of 2^-61 for each document of the longer one; it protects
// from mistakes, not from malice.
type inputHash struct {
	sum uint64 // below hashPrime
	n   int    // documents
}

const (
	hashPrime = 1<<61 - 1
	hashBase  = 0x0f2a9c71e45d38b7 // any number in between will do
)

// add appends a document.
func (h *inputHash) add(document uint64) {
	h.sum = plusModulo(timesModulo(h.sum, hashBase), document%hashPrime)
	h.n++
}

// join appends the documents of another hash.
func (h *inputHash) join(o inputHash) {
	power, square := uint64(1), uint64(hashBase)
	for n := o.n; n > 0; n /= 2 {
		if n%2 == 1 {
			power = timesModulo(power, square)
		}
		square = timesModulo(square, square)
	}
	h.sum = plusModulo(timesModulo(h.sum, power), o.sum)
	h.n += o.n
}

// plusModulo adds two numbers below hashPrime.
func plusModulo(a, b uint64) uint64 {
	if a += b; a >= hashPrime {
		a -= hashPrime
	}
	return a
}

// timesModulo multiplies two numbers below hashPrime: 2^61 is 1 modulo it.
func timesModulo(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return plusModulo(low&hashPrime, high<<3|low>>61)
}

// String is the form in the Provenance.
func (h inputHash) String() string { return fmt.Sprintf("%016x", h.sum) }

// parseInputHash reads what String has written of n documents.
func parseInputHash(text string, n int) (inputHash, error) {
	sum, err := strconv.ParseUint(text, 16, 64)
	if err != nil || sum >= hashPrime || len(text) != 16 {
		return inputHash{}, fmt.Errorf("the input hash %q is none of this version", cut(text))
	}
	return inputHash{sum, n}, nil
}
