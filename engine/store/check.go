package store

import (
	"math"

	"github.com/termsift/termsift/bitmap"
)

// check verifies what the rest of the package relies on, in an index whose
// checksums are right but whose author is not trusted, and derives start.
func (x *Index) check() error {
	n := len(x.input)
	steps := []func() error{
		func() error { return checkOffsets("document-offsets", x.ids, n) },
		func() error { return checkOffsets("term-offsets", x.Terms, len(x.df)) },
		x.checkInput,
		x.checkLabels,
		x.checkFrequencies,
		x.checkLists,
		x.checkColumn,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func checkOffsets(section string, d *Dictionary, n int) error {
	if len(d.offsets) != n+1 || d.offsets[0] != 0 || int(d.offsets[n]) != len(d.text) {
		return broken(section, 0, ErrFormat, "%d offsets for %d names", len(d.offsets), n)
	}
	for i := range n {
		if d.offsets[i] > d.offsets[i+1] {
			return broken(section, 4*i, ErrFormat, "offsets do not ascend")
		}
	}
	return nil
}

func (x *Index) checkInput() error {
	seen := make([]bool, len(x.input))
	for d, place := range x.input {
		if int(place) >= len(seen) || seen[place] {
			return broken("input-places", 4*d, ErrFormat, "place %d is out of range or taken", place)
		}
		seen[place] = true
	}
	return nil
}

func (x *Index) checkLabels() error {
	n := len(x.input)
	if len(x.labelStart) != n+1 || x.labelStart[0] != 0 || int(x.labelStart[n]) != len(x.labels) {
		return broken("label-starts", 0, ErrFormat, "%d starts for %d documents", len(x.labelStart), n)
	}
	for d := range n {
		from, to := x.labelStart[d], x.labelStart[d+1]
		if from > to || int(to) > len(x.labels) {
			return broken("label-starts", 4*d, ErrFormat, "starts do not ascend")
		}
		x.multi = x.multi || to-from > 1
		for i := from; i < to; i++ {
			if int(x.labels[i]) >= len(x.Classes) || i > from && x.labels[i] <= x.labels[i-1] {
				return broken("labels", 4*int(i), ErrFormat, "class %d is out of range or order", x.labels[i])
			}
		}
	}
	return nil
}

func (x *Index) checkFrequencies() error {
	x.start = make([]uint64, len(x.df)+1)
	for t, df := range x.df {
		if df == 0 || int(df) > len(x.input) || t > 0 && df > x.df[t-1] {
			return broken("df", 4*t, ErrFormat, "frequency %d is out of range or order", df)
		}
		x.start[t+1] = x.start[t] + uint64(df)
	}
	return nil
}

func (x *Index) checkLists() error {
	if len(x.denseAt) == 0 || len(x.denseAt) > len(x.df)+1 || x.denseAt[len(x.denseAt)-1] != uint64(len(x.dense)) {
		return broken("dense-offsets", 0, ErrFormat, "%d offsets", len(x.denseAt))
	}
	if rest := x.start[len(x.df)] - x.start[x.numDense()]; rest != uint64(len(x.flat)) {
		return broken("flat", 0, ErrFormat, "%d postings, not %d", len(x.flat), rest)
	}
	for t := range x.numDense() {
		from, to := x.denseAt[t], x.denseAt[t+1]
		if from > to || to > uint64(len(x.dense)) {
			return broken("dense-offsets", 8*t, ErrFormat, "offsets do not ascend")
		}
		v, err := bitmap.Parse(x.dense[from:to])
		if err != nil || v.Cardinality() != int(x.df[t]) {
			return broken("dense", int(from), ErrFormat, "term %d: %v", t, err)
		}
	}
	var buf []uint32
	for t := range x.df {
		buf = x.documents(t, buf)
		if !ascendingBelow(buf, len(x.input)) || len(buf) != int(x.df[t]) {
			return broken("flat", 0, ErrFormat, "the list of term %d is not ascending or out of range", t)
		}
		if t >= x.numDense() {
			buf = nil
		}
	}
	return nil
}

func ascendingBelow(ids []uint32, n int) bool {
	for i, id := range ids {
		if int(id) >= n || i > 0 && id <= ids[i-1] {
			return false
		}
	}
	return true
}

func (x *Index) checkColumn() error {
	n := x.NumPostings()
	if x.tf.real() || len(x.tf.double) > 0 {
		if len(x.tf.single) != n || len(x.tf.counts) != 0 || len(x.tf.double) != 0 && len(x.tf.double) != n {
			return broken("values", 0, ErrFormat, "%d values for %d postings", len(x.tf.single), n)
		}
		for i, v := range x.tf.single {
			if !(v >= 0) || math.IsInf(float64(v), 0) {
				return broken("values", 4*i, ErrFormat, "value %v", v)
			}
		}
		return nil
	}
	if len(x.tf.counts) != n || len(x.tf.escapeAt) != len(x.tf.escaped) {
		return broken("counts", 0, ErrFormat, "%d counts for %d postings", len(x.tf.counts), n)
	}
	for i, at := range x.tf.escapeAt {
		if at >= uint64(n) || x.tf.counts[at] != escape || i > 0 && at <= x.tf.escapeAt[i-1] {
			return broken("escape-places", 8*i, ErrFormat, "posting %d", at)
		}
	}
	for i, c := range x.tf.counts {
		if c == 0 {
			return broken("counts", i, ErrFormat, "a count of 0")
		}
	}
	return nil
}
