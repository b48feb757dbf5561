package main

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A counted is a corpus, or statistics, in which case corpus is nil.
type counted struct {
	corpus     *corpus.Corpus
	statistics *table.Table
	saved      savedBytes
}

// Close releases the file of a corpus. Calls that need it fail from then on.
func (c *counted) Close() error {
	if c.corpus == nil {
		return nil
	}
	return c.corpus.Close()
}

// counts returns the statistics of a corpus, or those that there are.
func (c *counted) counts(ctx context.Context) (*table.Table, error) {
	if c.corpus == nil {
		return c.statistics, nil
	}
	return c.corpus.Statistics(ctx, corpus.CountOptions{})
}

// whole returns the corpus, or the statistics if there is none.
func (c *counted) whole() rank.Counted {
	if c.corpus == nil {
		return c.statistics
	}
	return c.corpus
}

// open opens the file of an index or of statistics.
func open(path string) (*counted, error) {
	prefix, err := beginning(path)
	switch {
	case err != nil:
		return nil, err
	case corpus.IsStatistics(prefix):
		s, err := corpus.OpenStatistics(path)
		return &counted{statistics: s}, err
	case corpus.IsIndex(prefix):
		c, err := corpus.Open(path, corpus.OpenOptions{})
		return &counted{corpus: c}, err
	}
	return nil, dataError("%s is neither an index nor statistics: write one with termsift index", path)
}

// beginning returns the first bytes of a file.
func beginning(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, dataError("%s is no regular file", path)
	}
	prefix := make([]byte, 32)
	n, err := io.ReadFull(f, prefix)
	if err != nil && n == 0 {
		return nil, dataError("%s is empty", path)
	}
	return prefix[:n], nil
}

// statisticsOptions are the options of ts_stats_texts.
type statisticsOptions struct {
	analysing
	classes   []string
	statsOnly bool
	threads   int
}

func readStatisticsOptions(text string) (*statisticsOptions, error) {
	o := &statisticsOptions{analysing: newAnalysing(), statsOnly: true}
	own := []setting{{"classes", &o.classes}, {"stats-only", &o.statsOnly}, {"threads", &o.threads}}
	if err := readOptions(text, append(o.analysing.settings(), own...)); err != nil {
		return nil, err
	}
	if err := checkThreads(o.threads); err != nil {
		return nil, err
	}
	return o, o.analysing.check()
}

// count counts texts into statistics, or into a corpus if their documents are asked for.
func count(ctx context.Context, t texts, l *labels, o *statisticsOptions) (*counted, error) {
	if !o.statsOnly {
		c, err := corpus.BuildInMemory(ctx, batches(t, l), o.analysing.options(o.threads))
		return &counted{corpus: c}, err
	}
	c, err := corpus.CountInMemory(ctx, batches(t, l), o.analysing.options(o.threads))
	if err != nil {
		return nil, err
	}
	return &counted{statistics: c.Table}, nil
}

// add returns the statistics of the documents of a followed by those of b.
func add(ctx context.Context, a, b *counted) (*counted, error) {
	left, err := a.counts(ctx)
	if err != nil {
		return nil, err
	}
	right, err := b.counts(ctx)
	if err != nil {
		return nil, err
	}
	sum, err := left.Add(right)
	return &counted{statistics: sum}, err
}

// save returns the file of statistics, those of a corpus if it is one.
func (c *counted) save() ([]byte, error) {
	s, err := c.counts(context.Background())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = corpus.WriteStatistics(&out, s)
	return out.Bytes(), err
}

// loadStatistics reads the bytes of a file of statistics, which must not change.
func loadStatistics(data []byte) (*counted, error) {
	s, err := corpus.DecodeStatistics(data)
	return &counted{statistics: s}, err
}

// selectTerms selects terms of a corpus or of statistics.
func selectTerms(ctx context.Context, c *counted, s *selecting) (*model, error) {
	if c.corpus != nil {
		return s.ofCorpus(ctx, c.corpus)
	}
	return s.ofStatistics(ctx, c.statistics)
}

// ofStatistics selects the k best terms by a measure. All other ways to select need the
// documents.
func (s *selecting) ofStatistics(ctx context.Context, stats *table.Table) (*model, error) {
	method, err := s.method()
	if err != nil {
		return nil, err
	}
	k, err := s.criterion()
	if err != nil {
		return nil, err
	}
	m, measure := method.(methods.Measure)
	if !measure || k.name != "k" || s.perClass || s.roundRobin || s.keep != nil || s.drop != nil {
		return nil, usage.Errorf("of statistics k terms are selected by a measure; all else needs a corpus")
	}
	chosen, err := selection.Select(ctx, stats, s.selection(m.Options, k, stats.Cells.Terms()))
	return &model{selection: chosen, weight: vectors.TF}, err
}

// named are statistics whose columns are asked for by number.
type named struct{ *table.Table }

func (s named) term(t int) string { return s.Names.Term(t) }

func (s named) class(c int) string { return s.Classes()[c] }

func (s named) df(t int) float64 { return float64(s.Cells.DF[t]) }

func (s named) documents(c int) float64 { return s.Cells.ClassDocs[c] }

// sizes returns the numbers of ts_corpus_sizes.
func (s named) sizes() []int64 {
	terms, classes := s.Cells.Terms(), len(s.Classes())
	return []int64{
		int64(s.Documents()), int64(terms), int64(bytesOf(terms, s.term)), int64(classes), int64(bytesOf(classes, s.class)),
	}
}

// rowsOfCounted turns the documents of a corpus into rows.
func rowsOfCounted(ctx context.Context, m *model, c *counted, o transformOptions) (*rowSet, error) {
	if c.corpus == nil {
		return nil, usage.Errorf("statistics do not know documents: a corpus is needed")
	}
	return rowsOfCorpus(ctx, m, c.corpus, vectors.Weighting(o.weight), o.threads)
}

// readSelectOptions reads the options of ts_select.
func readSelectOptions(text string) (*selecting, error) {
	o := newSelecting()
	if err := readOptions(text, o.settings()); err != nil {
		return nil, err
	}
	return &o, o.validate()
}
