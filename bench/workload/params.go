// Package workload makes corpora of a known shape: the inputs of the
// benchmarks, as large as asked for and the same in every run.
//
// The model is a text with Zipf's law (exponent 1) and topics. A class k is
// drawn with a probability proportional to 1/(k+5), the length of a document
// from a bell between a quarter and seven quarters of the mean. A token takes a
// rank whose logarithm is uniform; three tokens in ten take the term that this
// rank has in the document's class, the others the one it has in the whole
// corpus. Numbers of terms say nothing about their frequency, as in an
// alphabetic vocabulary.
package workload

import (
	"fmt"
	"math"
)

// Params are the shape of a corpus. The same Params give the same corpus on any
// number of threads. Between kinds of processors, whose exponentials differ in
// the last bit, a token in billions may differ.
type Params struct {
	Name      string  // of the set, for reports
	Documents int     // each gets at least one label and three tokens
	Tokens    int     // mean number of a document; its postings are fewer
	Terms     int     // size of the vocabulary; rare ones may not occur
	Classes   int     // size of the label set; rare ones may not occur
	Labels    float64 // mean number of labels of a document; 0 or 1: exactly one
	Seed      uint64
}

// most bounds documents and terms: their numbers are 32 bits wide and the
// largest one is taken by the index.
const most = math.MaxUint32 - 1

// check says what is wrong with p, if anything.
func (p Params) check() error {
	for _, v := range []struct {
		n    int
		what string
	}{{p.Documents, "documents"}, {p.Tokens, "tokens a document"}, {p.Terms, "terms"}, {p.Classes, "classes"}} {
		if v.n < 1 || int64(v.n) > most {
			return fmt.Errorf("workload: %d %s: want 1 to %d", v.n, v.what, uint32(most))
		}
	}
	return p.checkLabels()
}

func (p Params) checkLabels() error {
	if p.Labels > float64(p.Classes) {
		return fmt.Errorf("workload: %v labels a document are more than the %d classes", p.Labels, p.Classes)
	}
	if p.Labels != 0 && !(p.Labels >= 1) { // so that NaN fails, too
		return fmt.Errorf("workload: %v labels a document: want 0 or at least 1", p.Labels)
	}
	if most := float64(p.Documents) * 2 * max(p.Labels, 1); most > math.MaxUint32 {
		return fmt.Errorf("workload: %d documents with %v labels each are too many", p.Documents, p.Labels)
	}
	return nil
}
