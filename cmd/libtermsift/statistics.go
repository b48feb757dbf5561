package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
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
func (c *counted) counts(ctx context.Context) *table.Table {
	if c.corpus == nil {
		return c.statistics
	}
	return need(c.corpus.Statistics(ctx, corpus.CountOptions{}))
}

// A countable is a corpus or statistics.
type countable interface {
	rank.Counted
	Terms() int
}

// whole returns the corpus, or the statistics if there is none.
func (c *counted) whole() countable {
	if c.corpus == nil {
		return c.statistics
	}
	return c.corpus
}

func (c *counted) provenance() corpus.Provenance {
	if c.corpus == nil {
		return c.statistics.Provenance()
	}
	return c.corpus.Provenance()
}

// open opens the file of an index or of statistics.
func open(path string) *counted {
	switch prefix := beginning(path); {
	case corpus.IsStatistics(prefix):
		return &counted{statistics: need(corpus.OpenStatistics(path))}
	case corpus.IsIndex(prefix):
		return &counted{corpus: need(corpus.Open(path, corpus.OpenOptions{}))}
	}
	panic(refusal{dataError("%s is neither an index nor statistics: write one with termsift index", path)})
}

// beginning returns the first bytes of a file.
func beginning(path string) []byte {
	f := need(os.Open(path))
	defer f.Close()
	if !need(f.Stat()).Mode().IsRegular() {
		panic(refusal{dataError("%s is no regular file", path)})
	}
	prefix := make([]byte, 32)
	n, err := io.ReadFull(f, prefix)
	if err != nil && n == 0 {
		panic(refusal{dataError("%s is empty", path)})
	}
	return prefix[:n]
}

// statisticsOptions are the options of ts_stats_texts.
type statisticsOptions struct {
	corpus.Options
	classes   []string
	ids       []string // of the texts; nil for their numbers
	statsOnly bool
}

func (o *statisticsOptions) settings() []usage.Setting {
	return append(countSettings(&o.Options), []usage.Setting{
		classesSetting(&o.classes),
		{
			Name: "target", To: &o.Target,
			Help: `a name: the names of the classes are numbers, one for each document, as "4.5", for measures of a target. Documents without one are left out, which a warning tells`,
		},
		{
			Name: "ids", To: &o.ids,
			Help: "a text for each document, else its number from 0: with those of its input statistics have the bytes of the command's. They are some of many, and may lack labels and terms, which a warning tells",
		},
		{Name: "stats-only", To: &o.statsOnly, Default: true, Help: "false keeps the documents in memory"},
		{Name: "segments", To: &o.Segment, Help: "then cuts each text into runs of so many tokens, which are the documents"},
		threadsSetting(&o.Threads),
	}...)
}

func (o *statisticsOptions) validate(map[string]bool) {
	if o.Segment < 0 || o.Segment > 0 && o.statsOnly {
		panic(refused("option \"segments\" is a number of tokens, and needs \"stats-only\": false"))
	}
}

// count counts texts into statistics, or into a corpus if their documents are asked for. It returns
// warnings, too.
func count(ctx context.Context, t [][]byte, l *labels, o *statisticsOptions) (*counted, []string) {
	asked, c := o.Options, &counted{}
	warnings := l.target(o.Target, len(t))
	if o.ids != nil {
		if len(o.ids) != len(t) {
			panic(refused("option \"ids\" has %d texts for %d documents", len(o.ids), len(t)))
		}
		l.ids, asked.Shard, asked.Charset = o.ids, true, "auto" // the charset that the command records
	}
	if o.statsOnly {
		c.statistics = need(corpus.CountInMemory(ctx, batches(t, l), asked)).Table
		warnings = append(warnings, lacks(c.statistics)...)
	} else {
		c.corpus = need(corpus.BuildInMemory(ctx, batches(t, l), asked))
	}
	if short := c.provenance().Short; short > 0 {
		warnings = append(warnings, fmt.Sprintf("%d texts have less than %d tokens, and no segment", short, o.Segment))
	}
	return c, append(warnings, tokensNote(asked, c.provenance().Analysis)...)
}

// lacks says what statistics lack that only those of a part of a whole may.
func lacks(s *table.Table) (warnings []string) {
	if len(s.Classes()) == 0 {
		warnings = append(warnings, "no document has a label, so there are no classes")
	}
	if s.Cells.Terms() == 0 {
		warnings = append(warnings, fmt.Sprintf("none of the %d documents has a term", s.Documents()))
	}
	return warnings
}

// matrixOptions are the options of ts_stats_matrix.
type matrixOptions struct {
	matrix.Options
	target string
}

func (o *matrixOptions) settings() []usage.Setting {
	return []usage.Setting{
		classesSetting(&o.Classes),
		{Name: "target", To: &o.target, Help: "as of stats_texts, where each document must have a number"},
		threadsSetting(&o.Threads),
	}
}

// tokensOfMatrix is recorded as the tokens of statistics of a matrix. No analyzer has it, so
// texts are refused where their terms would have to be found.
const tokensOfMatrix = "matrix"

// countMatrix counts a matrix into statistics.
func countMatrix(ctx context.Context, x sparse, l *labels, o *matrixOptions) *counted {
	y := &matrix.Labels{Classes: l.classes, Of: l.of, Start: l.start}
	s := need(x.Statistics(ctx, y, o.Options))
	p := s.Provenance()
	p.Analysis.Tokens, p.Target = tokensOfMatrix, o.target
	s.SetProvenance(p)
	return &counted{statistics: s}
}

// namesOf returns copies of the names of the terms of a matrix. They must be UTF-8, and none be empty.
func namesOf(t [][]byte, terms int64) []string {
	if int64(len(t)) != terms {
		panic(refused("there are %d names in terms, and matrix.terms is %d", len(t), terms))
	}
	names := make([]string, len(t))
	for i := range names {
		name := t[i]
		switch {
		case len(name) == 0:
			panic(refusal{dataError("terms[%d] is empty: each column needs a name", i)})
		case !utf8.Valid(name):
			panic(refusal{dataError("terms[%d] is %q, which is not UTF-8", i, usage.Cut(string(name)))})
		}
		names[i] = string(name)
	}
	return names
}

// add returns the statistics of the documents of a followed by those of b, with a warning if they are the same.
func add(ctx context.Context, a, b *counted) (sum *counted, warnings []string) {
	left, right := a.counts(ctx), b.counts(ctx)
	p, q := left.Provenance(), right.Provenance()
	if n := left.Documents(); n > 0 && n == right.Documents() && p.InputHash != "" && p.InputHash == q.InputHash && reflect.DeepEqual(p.Subsets, q.Subsets) {
		warnings = []string{fmt.Sprintf("the first statistics and the other are of the same %d documents, which count twice", n)}
	}
	return &counted{statistics: need(left.Add(right))}, warnings
}

// save returns the file of statistics, those of a corpus if it is one.
func (c *counted) save() []byte {
	var out bytes.Buffer
	need(corpus.WriteStatistics(&out, c.counts(context.Background())))
	return out.Bytes()
}

// named are statistics whose columns are asked for by number.
type named struct{ *table.Table }

// columns are the terms with their df, the classes with their documents, and the number of documents.
func (s named) columns() []column {
	terms, classes := s.Cells.Terms(), s.Classes()
	all := append(nameColumns(terms, func(t int) string { return s.Names.Term(t) }), columnOf(terms, func(to []float64) {
		for t := range to {
			to[t] = float64(s.Cells.DF[t])
		}
	}))
	all = append(all, nameColumns(len(classes), func(k int) string { return classes[k] })...)
	return append(all, numbers(s.Cells.ClassDocs[:len(classes)]...), numbers(int64(s.Documents())))
}
