package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/termsift/termsift/engine/store"
)

// A Summary is the statistics of a corpus with its Provenance: what one machine sends
// to another where the postings are not needed. A file of it is a fraction of an index;
// summaries of shards add up to that of all documents, to the last bit as long as
// counts stay below 2^53 and values are counts.
type Summary struct {
	*Statistics
	provenance Provenance // with Documents
}

// Summary counts every term in every class, without sums of weights.
func (c *Corpus) Summary(ctx context.Context, threads int) (*Summary, error) {
	s, err := c.Statistics(ctx, StatisticsOptions{Threads: threads})
	if err != nil {
		return nil, err
	}
	p := c.provenance
	p.Documents = c.Documents()
	return &Summary{s, p}, nil
}

// Provenance says how the corpus was made.
func (s *Summary) Provenance() Provenance {
	p := s.provenance
	p.Documents = 0
	return p
}

// Add gives the summary of both sets of documents, those of s before those of o: that
// of one corpus of them all. The corpora must have been analysed alike, else the error
// is a [DifferenceError]; and must not be bounded by document frequency, else it wraps
// store.ErrPruned.
func (s *Summary) Add(o *Summary) (*Summary, error) {
	names := []string{"the first summary", "the other"}
	p, err := joinProvenances([]Provenance{s.provenance, o.provenance}, false, func(i int) string { return names[i] })
	if err != nil {
		return nil, err
	}
	sum, err := s.Statistics.Add(o.Statistics)
	if err != nil {
		return nil, err
	}
	p.Documents = sum.Documents()
	return &Summary{sum, p}, nil
}

// WriteTo writes the file of a summary; the same one gives the same bytes.
func (s *Summary) WriteTo(w io.Writer) (int64, error) {
	meta, err := json.Marshal(s.provenance)
	if err != nil {
		return 0, err
	}
	return store.WriteStatistics(w, s.s, meta)
}

// OpenSummary reads the file of a summary. Errors are those of [Open].
func OpenSummary(path string) (*Summary, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := DecodeSummary(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// DecodeSummary is [OpenSummary] for the bytes of a file.
func DecodeSummary(data []byte) (*Summary, error) {
	s, meta, err := store.DecodeStatistics(data)
	if err != nil {
		return nil, err
	}
	summary := &Summary{Statistics: newStatistics(s)}
	if err := json.Unmarshal(meta, &summary.provenance); err != nil || summary.provenance.Documents != int(s.Documents) {
		return nil, &store.FileError{Section: "statistics", Err: store.ErrFormat, Detail: fmt.Sprintf("of %v documents: %v", s.Documents, err)}
	}
	return summary, nil
}

// IsSummary says whether a file that begins with these bytes claims to be a summary.
func IsSummary(prefix []byte) bool { return store.IsStatistics(prefix) }
