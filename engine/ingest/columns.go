package ingest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// This file finds the terms behind columns of hashes.

// ColumnNames are the terms that were hashed into columns.
type ColumnNames struct {
	Of      [][]string // by column: its terms, those with most occurrences first, then by bytes
	Terms   int        // of all columns, those left out included
	LeftOut int        // terms beyond the most that Of keeps
}

// NameColumns finds the terms of the texts of batches that an analysis with HashBits makes the columns with these
// names, and keeps the most frequent ones of each column. It counts the terms in a dictionary that it gives up where it
// becomes large; the memory then grows with the terms of the columns. The batches are run on other
// goroutines than the caller's.
func NameColumns(ctx context.Context, batches document.Batches, a analysis.Options, threads, most int, columns []string) (names *ColumnNames, err error) {
	hashed := a
	a.HashBits = 0
	analyzer, err := analysis.New(a)
	switch {
	case err != nil:
		return nil, err
	case batches == nil || hashed.HashBits == 0:
		return nil, usage.Errorf("nil batches of documents, or an analysis without hash bits, were given")
	}
	places := make(map[uint32]int32, len(columns))
	for i, name := range columns {
		column, ok := hashed.ParseColumn(name)
		if !ok {
			return nil, usage.Errorf("%q is none of 2^%d columns", usage.Cut(name), hashed.HashBits)
		}
		places[column] = int32(i)
	}
	namers := make([]*columnNamer, pool.Threads(threads))
	for i := range namers {
		namers[i] = &columnNamer{hashed: &hashed, analyzer: analyzer, columns: places, counter: analyzer.NewCounter()}
		for range columns {
			namers[i].terms = append(namers[i].terms, map[string]uint64{})
		}
	}
	err = pool.Detached(ctx, func(ctx context.Context) error {
		return pool.Stage(ctx, "names", func(ctx context.Context) error {
			return pool.Feed(ctx, threads, batches, func(worker, _ int, docs document.Stream) error {
				return eachDocument(ctx, docs, namers[worker].add)
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return joinNames(namers, most, len(columns)), nil
}

// joinNames adds up what the namers have found, and keeps the most frequent terms.
func joinNames(namers []*columnNamer, most, columns int) *ColumnNames {
	names := &ColumnNames{Of: make([][]string, columns)}
	for i := range names.Of {
		counts := map[string]uint64{}
		for _, n := range namers {
			for term, count := range n.terms[i] {
				counts[term] += count
			}
		}
		terms := make([]string, 0, len(counts))
		for term := range counts {
			terms = append(terms, term)
		}
		slices.SortFunc(terms, func(x, y string) int { return cmp.Or(cmp.Compare(counts[y], counts[x]), strings.Compare(x, y)) })
		names.Terms += len(terms)
		names.LeftOut += max(0, len(terms)-most)
		names.Of[i] = terms[:min(most, len(terms))]
	}
	return names
}

// A columnNamer finds terms on one goroutine.
type columnNamer struct {
	hashed   *analysis.Options
	analyzer *analysis.Analyzer
	columns  map[uint32]int32    // their places
	terms    []map[string]uint64 // by place: the terms with their occurrences
	counter  *analysis.Counter
	found    []analysis.TermCount
	name     []byte
}

// mostNamed bounds the memory of a namer's dictionary.
var mostNamed = int64(64 << 20)

// add adds the terms of a document.
func (n *columnNamer) add(d document.Document) error {
	n.found = n.counter.Count(d.Text, n.found[:0])
	for _, f := range n.found {
		n.name = n.counter.AppendTerm(n.name[:0], f.Term)
		if place, ok := n.columns[n.hashed.ColumnOf(n.name)]; ok {
			n.terms[place][string(n.name)] += uint64(f.Count)
		}
	}
	if n.counter.Bytes() > mostNamed {
		n.counter = n.analyzer.NewCounter()
	}
	return nil
}
