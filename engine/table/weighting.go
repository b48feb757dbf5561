package table

import (
	"slices"

	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A Weighting is a function from term frequencies to the elements of a vector.
type Weighting string

// The weightings. N and df are those of the index.
const (
	TF        Weighting = "tf"         // tf
	Binary    Weighting = "binary"     // 1
	TFIDF     Weighting = "tfidf"      // tf·ln(N/df)
	TFIDFUnit Weighting = "tfidf-unit" // tf·ln(N/df), documents scaled to length 1
	LTC       Weighting = "ltc"        // (1+ln tf)·ln(N/df), documents scaled to length 1
)

// Share is tf/L, the share of a term in the L tokens of a document. It is what some measures compare, and
// none of the [Weightings] of rows.
const Share Weighting = "share"

// Weightings returns the known weightings.
func Weightings() []Weighting { return []Weighting{TF, TFIDF, TFIDFUnit, LTC, Binary} }

// Unit reports whether documents are scaled to Euclidean length 1.
func (w Weighting) Unit() bool { return w == TFIDFUnit || w == LTC }

// UsesIDF reports whether the weight depends on the document frequency.
func (w Weighting) UsesIDF() bool { return w == TFIDF || w == TFIDFUnit || w == LTC }

// Raw returns the weight before any scaling of the document.
func (w Weighting) Raw(tf, idf float64) float64 {
	switch w {
	case Binary:
		return 1
	case TFIDF, TFIDFUnit:
		return tf * idf
	case LTC:
		return (1 + kernels.Log(tf)) * idf
	default:
		return tf
	}
}

// IDF returns ln(N/df).
func IDF(n, df float64) float64 { return kernels.Log(n / df) }

// ParseWeighting returns the weighting with the given name; "" means tf. It returns a
// [usage.UnknownError] for an unknown name.
func ParseWeighting(name Weighting) (Weighting, error) {
	if name == "" {
		return TF, nil
	}
	if slices.Contains(Weightings(), name) {
		return name, nil
	}
	var known []string
	for _, k := range Weightings() {
		known = append(known, string(k))
	}
	return "", usage.Unknown("weighting", string(name), known)
}
