package collocation

import (
	"context"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
	"github.com/termsift/termsift/engine/usage"
)

// A Source has the counts of n-grams, which it can tell again and again: a table ([OfTable]) or a file.
type Source interface {
	// Classes returns the names of the classes, by bytes.
	Classes() []string
	// Record returns how the documents were read and analysed.
	Record() table.Provenance
	// Complete returns an error unless all terms of the documents are there, and are counts.
	Complete() error
	// Each calls f with every term, in any order. The term is valid until f returns.
	Each(ctx context.Context, f func(t *Term) error) error
}

// A Term has the counts of a term.
type Term struct {
	Name      []byte
	Documents float64 // with the term
	Total     float64 // occurrences in all documents
	// Of each class where the term occurs, ascending: its number, documents and occurrences.
	Class    []uint32
	DocsIn   []float64
	TotalsIn []float64
}

// in returns the occurrences and documents in a class, or in the whole corpus.
func (t *Term) in(class int) (occurrences, documents float64) {
	if class == whole {
		return t.Total, t.Documents
	}
	for i, c := range t.Class {
		if int(c) == class {
			return t.TotalsIn[i], t.DocsIn[i]
		}
	}
	return 0, 0
}

// whole stands for all documents in place of the number of a class.
const whole = -1

// OfTable returns the counts of a table.
func OfTable(t *table.Table) Source { return tableSource{t} }

type tableSource struct{ *table.Table }

// Complete implements [Source].
func (s tableSource) Complete() error {
	if s.Table == nil {
		return usage.Errorf("nil statistics were given")
	}
	return complete(s.Real(), s.Pruned, s.Missing)
}

// complete returns an error for counts that are weights, or that lack terms.
func complete(weighted, pruned bool, missing uint32) error {
	switch {
	case weighted:
		return errReal
	case pruned:
		return errPruned
	case missing > 0:
		return errRare
	}
	return nil
}

// tileTerms is the number of terms that are read at a time.
const tileTerms = 1 << 10

// Each implements [Source].
func (s tableSource) Each(ctx context.Context, f func(t *Term) error) error {
	tile, term := table.Tile{NoSquares: true}, Term{}
	for from := 0; from < s.Terms(); from += tileTerms {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		s.Cells.Read(&tile, from, min(from+tileTerms, s.Terms()), true)
		for i := range tile.DF {
			first, end := tile.Range(i)
			term.Name = append(term.Name[:0], s.Names.Term(from+i)...)
			term.Documents, term.Total = float64(tile.DF[i]), tile.CF[i]
			term.Class, term.DocsIn, term.TotalsIn = tile.Class[first:end], tile.A[first:end], tile.S[first:end]
			if err := f(&term); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close closes the file of a source, if it is one.
func Close(s Source) error {
	if file, ok := s.(fileSource); ok {
		return file.Close()
	}
	return nil
}

// OfFile returns the counts of a file of statistics with this record, which is read anew for each pass.
func OfFile(f *tablefile.File, record table.Provenance) Source { return fileSource{f, record} }

type fileSource struct {
	*tablefile.File
	record table.Provenance
}

// Classes implements [Source].
func (s fileSource) Classes() []string { return s.File.Classes }

// Record implements [Source].
func (s fileSource) Record() table.Provenance { return s.record }

// Complete implements [Source].
func (s fileSource) Complete() error {
	return complete(s.Real(), s.Pruned, s.Missing)
}

// Each implements [Source].
func (s fileSource) Each(ctx context.Context, f func(t *Term) error) error {
	return s.File.Each(ctx, func(t *tablefile.Term) error {
		return f(&Term{Name: t.Name, Documents: t.DF, Total: t.CF, Class: t.Class, DocsIn: t.A, TotalsIn: t.S})
	})
}

// What sources lack.
var (
	errReal   = usage.NewError(usage.ErrData, "the values are real numbers, and collocations are made of counts: take the text, or counts")
	errPruned = usage.NewError(usage.ErrData, "terms were left out by document frequency, and what words occur with is the sum over all n-grams: count without --min-df and --max-df, and use --min-freq here")
	errRare   = usage.NewError(usage.ErrData, "the rare terms of the shards were left out, and what words occur with is the sum over all n-grams: count without --local-min-df, and use --min-freq here")
)
