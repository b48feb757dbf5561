package engine

import "math"

// This file holds the values of terms that few documents have. On 20 Newsgroups
// 76 of 100 terms are in one to three of the 11,314 documents, and there are 1,771
// ways to be in them: a look-up costs 3 ns, counting and chi-square 20.

// fewMax is the largest document frequency that is looked up.
const fewMax = 3

// fewTimes is the largest frequency in a document that is; 99 of 100 words of one
// document come at most that often.
const fewTimes = 8

// fewKeys bounds the keys of a table.
const fewKeys = 1 << 16

// fewDocuments are tables by document frequency and the row that fills them.
type fewDocuments struct {
	classes, measures int
	tables            [fewMax + 1]fewTable
	class             []uint32
	a, s, q           []float64
}

// A fewTable has a place for the values of a term for every way to spread its
// documents over the classes (the unlabelled ones count as one) and over the
// frequencies up to times.
type fewTable struct {
	classes, measures, times int
	known                    []bool
	rows                     []float64 // of the values by all measures, by key
	places                   []uint32
}

// nowhere is the key of a term that has no place.
const nowhere = math.MaxUint32

// fewUpTo is the document frequency up to which there are tables: the keys
// (classes·times)^df must be few.
func fewUpTo(classes int) int {
	df := 1
	for df < fewMax && power(classes+1, df+1) <= fewKeys {
		df++
	}
	return df
}

// power is a float64: it may be far too large for a key.
func power(base, exponent int) float64 {
	p := 1.0
	for range exponent {
		p *= float64(base)
	}
	return p
}

// of gives the table for a document frequency.
func (f *fewDocuments) of(df int, tokens bool) *fewTable {
	t := &f.tables[df]
	if t.known == nil {
		t.classes, t.measures, t.times = f.classes+1, f.measures, 1
		for tokens && t.times < fewTimes && power(t.classes*(t.times+1), df) <= fewKeys {
			t.times++
		}
		keys := int(power(t.classes*t.times, df))
		t.known, t.rows = make([]bool, keys), make([]float64, keys*t.measures)
	}
	return t
}

// keys gives the places of the values of terms of df documents each; tf is nil
// where frequencies do not matter.
func (t *fewTable) keys(df int, classes []uint32, tf []uint8) []uint32 {
	if df == 1 && tf == nil {
		return classes
	}
	t.places = t.places[:0]
	for i := 0; i < len(classes); i += df {
		key := uint32(0)
		if tf == nil {
			for _, c := range classes[i : i+df] {
				key = key*uint32(t.classes) + c
			}
		} else {
			key = t.keyOfTokens(classes[i:i+df], tf[i:i+df])
		}
		t.places = append(t.places, key)
	}
	return t.places
}

func (t *fewTable) keyOfTokens(classes []uint32, tf []uint8) uint32 {
	key := 0
	for i, c := range classes {
		times := int(tf[i])
		if times == 0 || times > t.times {
			return nowhere
		}
		key = (key*t.classes+int(c))*t.times + times - 1
	}
	return uint32(key)
}

// row is the place of the values of a key.
func (t *fewTable) row(key uint32) []float64 { return t.rows[int(key)*t.measures:][:t.measures] }

// copy fills the part of the column of measure j that belongs to terms of keys.
func (t *fewTable) copy(column []float64, j int, keys []uint32) {
	for i, key := range keys {
		if at := uint(key)*uint(t.measures) + uint(j); at < uint(len(t.rows)) {
			column[i] = t.rows[at]
		}
	}
}
