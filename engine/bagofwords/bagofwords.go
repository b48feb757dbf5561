// Package bagofwords turns texts into matrices of documents and terms, by the rules of scikit-learn's
// CountVectorizer and HashingVectorizer, to the order of the elements.
//
// [Fit] counts texts and numbers their terms in the order of their first occurrence. A [Vocabulary] has
// the terms with the columns that they have in the matrix, in the order of their names by bytes, and
// [Vocabulary.Transform] counts further texts over them. [Hash] needs no vocabulary. Begin reading at Fit;
// part.go counts, lexicon.go makes one list of terms of those of several threads, and rows.go has the matrix.
//
// Results do not depend on the number of threads.
package bagofwords

import (
	"context"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// Texts are documents by number. They must not change while they are counted.
type Texts interface {
	Len() int
	At(i int) []byte
}

// Options say which terms become columns.
type Options struct {
	// Analysis says how texts become terms.
	Analysis analysis.Options
	// MinDF and MaxDF bound the number of documents of a term; a MaxDF of 0 bounds nothing.
	MinDF, MaxDF int
	// MaxFeatures is how many terms are kept at most, those with the most occurrences, of equal ones the first
	// by name; 0 keeps all.
	MaxFeatures int
	// Binary has each term count once in a document.
	Binary bool
	// Threads bounds the workers, 0 = GOMAXPROCS.
	Threads int
}

// Fit counts texts and makes a vocabulary of their terms. The elements of a row stand in the order of
// the numbers of their terms.
func Fit(ctx context.Context, texts Texts, o Options) (*Vocabulary, *Rows, error) {
	a, err := newAnalyzer(o.Analysis)
	if err != nil {
		return nil, nil, err
	}
	if o.MaxFeatures < 0 {
		return nil, nil, usage.Errorf("the largest number of features is %d: it must be 0 for all, or more", o.MaxFeatures)
	}
	ranges, err := split(texts, pool.Threads(o.Threads))
	if err != nil {
		return nil, nil, err
	}
	parts := make([]*part, len(ranges))
	err = pool.Run(ctx, o.Threads, len(parts), func(_, i int) error {
		parts[i] = newPart(a.NewCounter())
		return parts[i].fit(ctx, a, texts, ranges[i], o.Binary)
	})
	if err != nil {
		return nil, nil, err
	}
	terms, err := newLexicon(ctx, parts, o.Threads)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]*rowBlocks, len(parts))
	err = pool.Run(ctx, o.Threads, len(parts), func(_, i int) error {
		parts[i].renumber(terms.numbers[i])
		rows[i] = parts[i].rows
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	v := newVocabulary(a, terms, parts[0].counter, o)
	return v, v.fittedRows(rows), nil
}

// newAnalyzer checks the options of an analysis, whose terms must have names.
func newAnalyzer(o analysis.Options) (*analysis.Analyzer, error) {
	if o.HashBits != 0 {
		return nil, usage.Errorf("columns of hashes have no names for a vocabulary: leave HashBits out, and call Hash for columns")
	}
	return analysis.New(o)
}
