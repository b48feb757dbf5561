package table

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/usage"
)

// Hash returns a hash of the counts, of 16 hexadecimal digits and below 2^60: the input
// hash of statistics whose documents nobody has read. It does not depend on the names of
// terms.
func (t *Table) Hash() string {
	var h xxh3.Hasher
	for _, name := range t.ClassNames {
		_, _ = h.WriteString(name)
		_, _ = h.Write([]byte{0})
	}
	for _, numbers := range [][]float64{{t.Cells.Documents, t.Cells.Labelled, t.Cells.Tokens}, t.Cells.ClassDocs, t.Cells.ClassTokens} {
		hashNumbers(&h, numbers)
	}
	hashNumbers(&h, t.Cells.DF)
	t.hashClasses(&h)
	for _, c := range []*Column{&t.Cells.CF, &t.Cells.A, &t.Cells.S, &t.Cells.Q} {
		_, _ = h.Write(c.Bytes())
		hashNumbers(&h, c.Escaped())
	}
	return fmt.Sprintf("%016x", h.Sum64()>>4)
}

// hashNumbers hashes numbers as they lie in a file.
func hashNumbers[T uint32 | float64](h *xxh3.Hasher, numbers []T) {
	var data []byte
	for part := range slices.Chunk(numbers, 4096) {
		data, _ = binary.Append(data[:0], binary.LittleEndian, part)
		_, _ = h.Write(data)
	}
}

// hashClasses hashes the classes of the cells as numbers of four bytes.
func (t *Table) hashClasses(h *xxh3.Hasher) {
	const part = 4096 // cells
	var classes []uint32
	for from := 0; from < t.Cells.Len(); from += part {
		classes = t.Cells.Class.Read(classes, from, min(from+part, t.Cells.Len()))
		hashNumbers(h, classes)
	}
}

// An InputHash is a hash of documents in their order: a polynomial in hashBase modulo the
// prime 2^61-1, whose coefficients are the documents' xxh3-64. The hash of two lists one
// behind the other follows from their hashes and the length of the second, so that
// merging gives the hash of one build. Two different lists have the same hash with a
// probability of 2^-61 for each document of the longer one; it protects from mistakes,
// not from malice.
type InputHash struct {
	sum uint64 // below hashPrime
	N   int    // documents
}

const (
	hashPrime = 1<<61 - 1
	hashBase  = 0x0f2a9c71e45d38b7 // any number between 1 and hashPrime will do
)

// Add appends a document.
func (h *InputHash) Add(document uint64) {
	h.sum = addModulo(multiplyModulo(h.sum, hashBase), document%hashPrime)
	h.N++
}

// Append appends the documents of another hash.
func (h *InputHash) Append(o InputHash) {
	power, square := uint64(1), uint64(hashBase)
	for n := o.N; n > 0; n /= 2 {
		if n%2 == 1 {
			power = multiplyModulo(power, square)
		}
		square = multiplyModulo(square, square)
	}
	h.sum = addModulo(multiplyModulo(h.sum, power), o.sum)
	h.N += o.N
}

// addModulo adds two numbers below hashPrime.
func addModulo(a, b uint64) uint64 {
	if a += b; a >= hashPrime {
		a -= hashPrime
	}
	return a
}

// multiplyModulo multiplies two numbers below hashPrime, modulo which 2^61 is 1.
func multiplyModulo(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return addModulo(low&hashPrime, high<<3|low>>61)
}

// String returns the hash as a Provenance has it, 16 hexadecimal digits.
func (h InputHash) String() string { return fmt.Sprintf("%016x", h.sum) }

// errOther is wrapped by the errors of Parse.
var errOther = usage.NewError(usage.ErrData, "not an input hash of this version")

// ParseInputHash parses what String has returned for n documents. Other texts are [usage.ErrData].
func parseInputHash(text string, n int) (InputHash, error) {
	sum, err := strconv.ParseUint(text, 16, 64)
	if err != nil || sum >= hashPrime || len(text) != 16 {
		return InputHash{}, fmt.Errorf("%w: %q", errOther, usage.Cut(text))
	}
	return InputHash{sum, n}, nil
}

// OrderedHashes are the hashes of batches by their numbers. They are safe for concurrent use.
type OrderedHashes struct {
	mu     sync.Mutex
	hashes []InputHash
}

// Put sets the hash of a batch.
func (o *OrderedHashes) Put(number int, h InputHash) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.hashes) <= number {
		o.hashes = append(o.hashes, InputHash{})
	}
	o.hashes[number] = h
}

// Join returns the hash of the documents of all batches.
func (o *OrderedHashes) Join() (all InputHash) {
	for _, h := range o.hashes {
		all.Append(h)
	}
	return all
}
