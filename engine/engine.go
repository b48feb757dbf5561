package engine

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// The types that a first program needs, each with its room's name.
type (
	// A Corpus is a counted, labelled collection of documents: package corpus.
	Corpus = corpus.Corpus
	// Options say how text becomes terms and which terms are kept.
	Options = corpus.Options
	// OpenOptions say how an index file is opened.
	OpenOptions = corpus.OpenOptions
	// Statistics are the counts of every term in every class: package corpus.
	Statistics = table.Table
	// A Matrix is a sparse matrix of counts in the memory of the caller, whose method
	// Statistics counts it: package matrix.
	Matrix[I matrix.Index, V matrix.Value] = matrix.Matrix[I, V]
	// MatrixLabels are the classes of the documents of a matrix: package matrix.
	MatrixLabels = matrix.Labels
	// MatrixOptions have the names of the terms and classes of a matrix: package matrix.
	MatrixOptions = matrix.Options
	// A Ranking holds the value of every term by one measure: package rank.
	Ranking = rank.Ranking
	// An Entry is a term with its value: package rank.
	Entry = rank.Entry
	// A Selection is an ordered list of terms: package selection.
	Selection = selection.Selection
	// A Transformer turns documents into vectors over selected terms: package vectors.
	Transformer = vectors.Transformer
)

// Build counts a stream of documents; see [corpus.Build].
func Build(ctx context.Context, docs document.Stream, o Options) (*Corpus, error) {
	return corpus.Build(ctx, docs, o)
}

// Open opens an index file; see [corpus.Open].
func Open(path string, o OpenOptions) (*Corpus, error) { return corpus.Open(path, o) }

// Rank scores every term of a corpus, or of statistics, by a measure; see [rank.Terms].
func Rank(ctx context.Context, c rank.Counted, o rank.Options) (*Ranking, error) {
	return rank.Terms(ctx, c, o)
}

// Select chooses terms of a corpus, or of statistics; see [selection.Select].
func Select(ctx context.Context, c rank.Counted, o selection.Options) (*Selection, error) {
	return selection.Select(ctx, c, o)
}

// Transform prepares vectors over selected terms in a weighting; see [vectors.New].
func Transform(s *Selection, weight table.Weighting) (*Transformer, error) {
	return vectors.New(s, weight)
}
