package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Statistics are the counts of every term in every class where it occurs, with the names
// of terms and classes and the Provenance: all that a measure reads. They are immutable
// and safe for concurrent use.
//
// Their file is a fraction of the size of an index, so machines that do not need postings
// exchange statistics. Those of disjoint parts add up to those of all documents, to the
// last bit as long as values are counts that add up to no more than 2^53. Of real values all measures
// have their digits, too, however large the values are beside their differences, and one value beside
// the others.
type Statistics struct {
	counts     *table.Table
	provenance table.Provenance // its field Documents is set

	deriving sync.Mutex
	derived  map[any]any
}

// NewStatistics returns statistics of counts that were not made from a corpus, which it
// takes ownership of, with the record of where they come from.
func NewStatistics(counts *table.Table, p table.Provenance) (*Statistics, error) {
	if counts == nil {
		return nil, usage.Errorf("nil counts were given")
	}
	p.Documents = int(counts.Documents)
	return &Statistics{counts: counts, provenance: p}, nil
}

// A Weighting turns the frequency of a term in a document into a value of the document's
// vector.
type Weighting = table.Weighting

// CountOptions say what to count. The zero value counts all documents.
type CountOptions struct {
	// Weight also counts the sums of a weighting, which ocfs needs: tf, tfidf, tfidf-unit,
	// ltc or binary. Those of tf and binary are always there.
	Weight Weighting
	// Within restricts the count to a set of documents, such as a fold or a date range.
	Within *roaring.Bitmap
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Statistics counts every term in every class. The corpus caches the counts of all its
// documents: those without sums of a weighting, and those with the sums of the weighting
// that was last asked for.
func (c *Corpus) Statistics(ctx context.Context, o CountOptions) (*Statistics, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	w, err := table.ParseWeighting(o.Weight)
	if err != nil {
		return nil, err
	}
	if w == table.TF || w == table.Binary {
		w = ""
	}
	if o.Within != nil {
		return c.countWithin(ctx, w, o)
	}
	c.counting.Lock()
	defer c.counting.Unlock()
	for _, kept := range []*Statistics{c.plain, c.weighted} {
		if kept != nil && kept.counts.Weighting == w {
			return kept, nil
		}
	}
	s, err := c.count(ctx, store.CountOptions{Weighting: w, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	s.provenance.Documents = c.Documents()
	if w == "" {
		c.plain = s
	} else {
		c.weighted = s
	}
	return s, nil
}

// countWithin counts the documents of o.Within; these counts are not cached.
func (c *Corpus) countWithin(ctx context.Context, w table.Weighting, o CountOptions) (*Statistics, error) {
	record, err := c.record(o.Within, "")
	if err != nil {
		return nil, err
	}
	s, err := c.count(ctx, store.CountOptions{Weighting: w, Within: o.Within, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	s.provenance.Subsets = append(s.provenance.Subsets[:len(s.provenance.Subsets):len(s.provenance.Subsets)], record)
	s.provenance.Documents = s.Documents()
	return s, nil
}

// count counts documents in a [pool.Stage] named "count".
func (c *Corpus) count(ctx context.Context, o store.CountOptions) (*Statistics, error) {
	s := &Statistics{provenance: c.provenance}
	err := pool.Stage(ctx, "count", func(ctx context.Context) (err error) {
		s.counts, err = c.numbered.Count(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Statistics returns s, so that functions that take the statistics of a corpus also take
// statistics themselves. It returns an error if o asks for the sums of a weighting that
// were not counted, or for a subset of the documents, which statistics do not know.
func (s *Statistics) Statistics(_ context.Context, o CountOptions) (*Statistics, error) {
	w, err := table.ParseWeighting(o.Weight)
	switch {
	case s == nil:
		return nil, usage.Errorf("nil statistics were given")
	case err != nil:
		return nil, err
	case o.Within != nil:
		return nil, usage.Errorf("statistics do not know documents: count the corpus within them")
	case w != table.TF && w != table.Binary && w != s.counts.Weighting:
		return nil, usage.Errorf("the statistics have no sums of weighting %s, whose idf depends on the number of all documents: count them in a corpus, or take the index", w)
	}
	return s, nil
}

// Counts returns the columns, which must not be modified.
func (s *Statistics) Counts() *table.Table { return s.counts }

// Derive returns the value that f computes from the statistics, such as the logarithms of
// the margins. It calls f once for each key and caches the value.
func (s *Statistics) Derive(key any, f func() any) any {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	v, ok := s.derived[key]
	if !ok {
		v = f()
		if s.derived == nil {
			s.derived = map[any]any{}
		}
		s.derived[key] = v
	}
	return v
}

// Documents returns the number of documents, including those without a label.
func (s *Statistics) Documents() int { return int(s.counts.Documents) }

// Classes returns the labels in the order of their bytes. The slice must not be modified.
func (s *Statistics) Classes() []string { return s.counts.Classes }

// Pruned reports whether terms were left out by document frequency.
func (s *Statistics) Pruned() bool { return s.counts.Pruned }

// Missing returns the largest number of documents of a term that are not counted, since the
// shards left out their rare terms: see [Statistics.WithoutRare]. It is 0 if all are counted.
func (s *Statistics) Missing() int { return int(s.counts.Missing) }

// WithoutRare returns the statistics without the terms that occur in fewer than least
// documents, which are most terms of a shard of a large collection and tell little. Statistics
// that are made so can be added and merged. The totals still count all documents, and of a term
// each shard loses as many documents as the most frequent one has that was left out, least - 1
// at most: the sum of these bounds is [Statistics.Missing]. Bounded statistics (MinDF, MaxDF) are an error that wraps
// table.ErrPruned.
func (s *Statistics) WithoutRare(least int) (*Statistics, error) {
	if least < 0 || uint64(least) > math.MaxUint32 {
		return nil, usage.Errorf("terms can be left out below 1 to %d documents of a shard, not %d", uint32(math.MaxUint32), least)
	}
	counts, err := s.counts.WithoutRare(uint32(least))
	if err != nil {
		return nil, err
	}
	return &Statistics{counts: counts, provenance: s.provenance}, nil
}

// Real reports whether there are values that are no counts.
func (s *Statistics) Real() bool { return s.counts.Centred != nil || !s.counts.CF.Whole() }

// Terms returns the number of terms.
func (s *Statistics) Terms() int { return s.counts.Terms.Len() }

// Provenance returns the record of how the documents were read and analysed.
func (s *Statistics) Provenance() table.Provenance {
	p := s.provenance
	p.Documents = 0
	return p
}

// Lookup returns the number of a term, of which a person may have typed another form: Running for
// the term run of a corpus with stems. If there is no such term, the error is a
// [usage.UnknownError] that names similar ones.
func (s *Statistics) Lookup(term string) (int, error) {
	names := s.counts.Terms
	if spelled := Spelled(s.provenance.Analysis, []string{term}, names.Has); len(spelled) == 1 {
		if t, ok := names.Lookup(spelled[0]); ok {
			return t, nil
		}
	}
	all := func(yield func(string) bool) {
		for i := range s.Terms() {
			if !yield(names.Term(i)) {
				return
			}
		}
	}
	return 0, &usage.UnknownError{Kind: "term", Name: term, Near: usage.Nearest(term, all), Remedy: s.whyUnknown(term)}
}

// Add returns the statistics of the documents of s followed by those of o, as one pass
// over all of them would count them. The two sets of documents must not overlap. Sums of
// weights are dropped. The documents must have been analysed in the same way, else the
// error is an [table.DifferenceError]; terms must not be bounded by document frequency,
// else it wraps table.ErrPruned.
func (s *Statistics) Add(o *Statistics) (*Statistics, error) {
	if o == nil {
		return nil, usage.Errorf("nil statistics were given")
	}
	names := []string{"the first statistics", "the other"}
	p, err := table.JoinProvenances([]table.Provenance{s.provenance, o.provenance}, false, func(i int) string { return names[i] })
	if err != nil {
		return nil, err
	}
	counts, err := table.Add(s.counts, o.counts)
	if err != nil {
		return nil, err
	}
	p.Documents = int(counts.Documents)
	return &Statistics{counts: counts, provenance: p}, nil
}

// Sub returns the statistics of the documents of s that are not in o, whose documents must
// be a part of those of s: a training set without a fold, for instance. Classes that are
// left without a document remain. Of real values, the variance within classes has the rounding error of
// that of s: where o has much larger values, count the documents that are left.
func (s *Statistics) Sub(o *Statistics) (*Statistics, error) {
	if o == nil {
		return nil, usage.Errorf("nil statistics were given")
	}
	if own, other := s.provenance.Part, o.provenance.Part; !own.Is(other) {
		return nil, table.DifferentParts(own, other, "what is left", "what is subtracted")
	}
	counts, err := table.Sub(s.counts, o.counts)
	if err != nil {
		return nil, err
	}
	p := s.provenance
	p.Documents = int(counts.Documents)
	p.Subsets = append(p.Subsets[:len(p.Subsets):len(p.Subsets)], table.SubsetRecord{
		Docs: "all but a part", Documents: p.Documents, Of: s.Documents(),
	})
	return &Statistics{counts: counts, provenance: p}, nil
}

// Save writes the file of the statistics to path. Whatever happens, path has either the
// old file or the new one.
func (s *Statistics) Save(ctx context.Context, path string) error {
	return files.Write(ctx, files.OS{}, path, func(w io.Writer) error {
		_, err := s.WriteTo(w)
		return err
	})
}

// WriteTo writes the file of the statistics. The same statistics give the same bytes.
func (s *Statistics) WriteTo(w io.Writer) (int64, error) {
	if w == nil {
		return 0, usage.Errorf("a nil writer was given")
	}
	meta, err := json.Marshal(s.provenance)
	if err != nil {
		return 0, err
	}
	return store.WriteStatistics(w, s.counts, meta)
}

// OpenStatistics reads a file of statistics. Its errors are those of [Open].
func OpenStatistics(path string) (*Statistics, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := DecodeStatistics(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// DecodeStatistics is like [OpenStatistics] for the bytes of a file.
func DecodeStatistics(data []byte) (*Statistics, error) {
	counts, meta, err := store.DecodeStatistics(data)
	if err != nil {
		return nil, err
	}
	p, err := decodeProvenance(meta, counts.Documents)
	if err != nil {
		return nil, err
	}
	return &Statistics{counts: counts, provenance: p}, nil
}

// IsStatistics reports whether a file that begins with these bytes claims to be one of
// statistics.
func IsStatistics(prefix []byte) bool { return store.IsStatistics(prefix) }
