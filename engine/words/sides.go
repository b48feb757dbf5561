package words

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// A Side describes one of the two corpora.
type Side struct {
	Documents int // empty ones included; 0 of a list that does not tell them
	Terms     int
	Tokens    int // occurrences of all terms
	// Words are the occurrences of the shortest terms: of n-grams of one word and more, those of
	// words; of other corpora all Tokens. Rates per million divide by them.
	Words int
}

// A side is one of the two corpora with its counts.
type side struct {
	Side
	name   string // for errors and warnings
	counts *table.Table
	index  *postings.Index // nil if only statistics were given
	parts  *lengths        // nil until a dispersion is asked for

	fromList bool // it is a [FrequencyList]
	noRanges bool // the documents with a term are not known
}

// newSides counts two corpora and checks that they can be compared.
func newSides(ctx context.Context, of [2]rank.Counted, threads int) (sides [2]*side, err error) {
	for i, name := range [2]string{"target", "reference"} {
		if list, ok := of[i].(*FrequencyList); ok && list != nil {
			s := list.side
			s.name, sides[i] = name, &s
		} else if sides[i], err = sideOf(ctx, of[i], name, threads); err != nil {
			return sides, err
		}
	}
	one, other := sides[target], sides[reference]
	if !one.fromList && !other.fromList {
		if err := table.Comparable(one.counts, other.counts); err != nil {
			return sides, err
		}
	}
	for _, s := range sides {
		if s.fromList {
			continue
		}
		if err := s.counts.Whole(s.name); err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// sideOf counts a corpus, which errors and warnings call name.
func sideOf(ctx context.Context, c rank.Counted, name string, threads int) (*side, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: threads})
	if err != nil {
		return nil, err
	}
	s := &side{name: name, counts: stats}
	if whole, ok := c.(*corpus.Corpus); ok {
		s.index = whole.Index()
	}
	tokens := stats.Cells.Tokens
	switch {
	case stats.Real() || s.index != nil && s.index.Real():
		return nil, fmt.Errorf("the %s: %w: its values are real numbers, and words are counted: index the text, or counts", name, usage.ErrData)
	case tokens == 0:
		return nil, fmt.Errorf("the %s: %w: none of its %d documents has a term", name, usage.ErrData, stats.Documents())
	case tokens > min(mostTokens, math.MaxInt):
		return nil, fmt.Errorf("the %s: %w: it has %v tokens, and keyness counts to %v", name, usage.ErrData, tokens, min(mostTokens, float64(math.MaxInt)))
	}
	s.Side = Side{Documents: stats.Documents(), Terms: stats.Cells.Terms(), Tokens: int(tokens)}
	s.Words = s.shortest(s.Tokens, func(t int) int { return int(s.count(ofTokens, t)) })
	return s, nil
}

// undispersed says why no term of the corpus has a dispersion, "" if some may.
func (s *side) undispersed() string {
	switch {
	case s.fromList:
		return fmt.Sprintf("the %s is a frequency list, which has no documents to look at: the dispersion in it is undefined", s.name)
	case s.index == nil:
		return fmt.Sprintf("the %s is statistics, which know no documents: the dispersion in it is undefined", s.name)
	case s.parts != nil && s.parts.parts == 1:
		return fmt.Sprintf("the %s is one document: the dispersion in it is undefined", s.name)
	}
	return ""
}

// shortest returns the occurrences of the shortest of the n-grams that an option asked for, such as
// "1-3"; else all. Their words have one space between.
func (s *side) shortest(all int, occurrences func(term int) int) int {
	names, o := s.counts.Names, s.counts.Provenance().Analysis
	least, _, several := strings.Cut(o.NGrams, "-")
	n, err := strconv.Atoi(least)
	if !several || err != nil {
		return all
	}
	length := func(term string) int { return strings.Count(term, " ") + 1 }
	if o.Tokens == "char" || o.Tokens == "char_wb" {
		length = utf8.RuneCountInString
	}
	words := 0
	for t := range names.Len() {
		if length(names.Term(t)) <= n { // a short word of char_wb is less
			words += occurrences(t)
		}
	}
	return words
}

// mostTokens is the number up to which products of two counts and their sums are exact
// where they need to be.
const mostTokens = 1 << 52

// count returns the occurrences of a term by its number, or the documents with it; 0 for -1.
func (s *side) count(u string, term int) float64 {
	switch {
	case term < 0:
		return 0
	case u == ofDocuments:
		return float64(s.counts.Cells.DF[term])
	}
	return s.counts.Cells.CF.At(term, float64(s.counts.Cells.DF[term]))
}

// use says how the corpus uses a term, by its number or -1.
func (s *side) use(ctx context.Context, term int) (u Use, err error) {
	tf := s.count(ofTokens, term)
	u = Use{TF: int(tf), PerMillion: perMillion(tf, s.Words), DF: int(s.count(ofDocuments, term))}
	if s.noRanges {
		u.DF = -1
	}
	u.Dispersion, err = s.disperse(ctx, term)
	return u, err
}

// perMillion returns the occurrences in a million words.
func perMillion(tf float64, words int) float64 { return 1e6 * tf / float64(max(1, words)) }

// disperse returns the dispersion of a term, which is undefined in statistics.
func (s *side) disperse(ctx context.Context, term int) (d Dispersion, err error) {
	if s.index == nil {
		return undefined, nil
	}
	if err := s.measure(ctx); err != nil {
		return d, err
	}
	var p postings.List
	if term < 0 {
		return s.parts.dispersion(&p), nil
	}
	err = s.index.Guard(func() error {
		if err := s.index.Read(term, &p); err != nil {
			return err
		}
		d = s.parts.dispersion(&p)
		return nil
	})
	return d, err
}

// A FrequencyList has the frequencies of the terms of a corpus that is not at hand, such as a published word
// list. [Keyness] takes it for a corpus. It need not have all terms of the corpus: what it
// lacks has the frequency 0. Whoever gives it knows whether its terms were found as those of the
// other corpus.
//
// It has no documents to look at, so dispersions are undefined, and measures of documents need one
// that tells the documents with each term.
type FrequencyList struct{ side }

// A Frequency is that of a term of a [FrequencyList].
type Frequency struct {
	Term string
	TF   int64 // occurrences
	DF   int64 // documents with the term; 0 of a list that does not tell them
}

// ListTotals are the sizes of the corpus of a [FrequencyList].
type ListTotals struct {
	Tokens    int64 // occurrences of all terms, those that the list lacks, too
	Documents int64 // empty ones included; 0 if they are not known
}

// check returns an error for sizes that no corpus has.
func (t ListTotals) check() error {
	mostTokens, mostDocuments := min(mostTokens, int64(math.MaxInt)), int64(math.MaxInt32) // those of two corpora fit into 32 bits
	switch {
	case t.Tokens < 0, t.Documents < 0:
		return wrongList("the numbers of all tokens and documents cannot be negative: %d, %d", t.Tokens, t.Documents)
	case t.Tokens > mostTokens:
		return wrongList("%d tokens are more than the %d that keyness counts to", t.Tokens, mostTokens)
	case t.Documents > mostDocuments:
		return wrongList("%d documents are more than the %d that keyness counts to", t.Documents, mostDocuments)
	}
	return nil
}

// NewFrequencyList returns a list of different terms. It wraps [usage.ErrData] if their numbers are
// impossible, and [usage.ErrUsage] without a total of tokens.
func NewFrequencyList(terms []Frequency, totals ListTotals) (*FrequencyList, error) {
	l, err := newListMaker("the frequency list", totals)
	if err != nil {
		return nil, err
	}
	for i, t := range terms {
		if err := l.add(t); err != nil {
			return nil, fmt.Errorf("%s: term %d: %w", l.name, i+1, err)
		}
	}
	return l.list()
}

// ReadFrequencyList reads a list from UTF-8 text whose lines are a term and its occurrences, and in all lines or
// none the documents that have it, with a tab between. Before these there may be lines that begin
// with #total and #documents, a tab, and the number of all tokens and documents, and remarks, which
// begin with # and have no tab. A total that is 0 is that of the file. Errors begin with the name and
// the number of the line.
func ReadFrequencyList(r io.Reader, name string, totals ListTotals) (*FrequencyList, error) {
	l, err := newListMaker(name, totals)
	if err != nil {
		return nil, err
	}
	line := 0
	err = tsv.Lines(r, name, func(text string) error {
		if line++; line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if err := l.read(text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l.list()
}

// A listMaker makes a list term after term.
type listMaker struct {
	name   string
	totals ListTotals
	terms  []Frequency
	known  map[string]bool
	sum    float64 // of the occurrences
	// Terms with and without their documents, "" for none.
	with, without string
}

func newListMaker(name string, totals ListTotals) (*listMaker, error) {
	if err := totals.check(); err != nil {
		return nil, usage.Errorf("%s: %v", name, err)
	}
	return &listMaker{name: name, totals: totals, known: map[string]bool{}}, nil
}

// read reads a line.
func (l *listMaker) read(line string) error {
	fields := strings.Split(line, "\t")
	switch heads := len(l.terms) == 0; {
	case line == "":
		return nil
	case !utf8.ValidString(line):
		return wrongList("the line is not UTF-8: write the list in UTF-8")
	case heads && line[0] == '#' && len(fields) == 1:
		return nil
	case heads && len(fields) == 2 && fields[0] == "#total":
		return l.setTotal(&l.totals.Tokens, "tokens", fields[1])
	case heads && len(fields) == 2 && fields[0] == "#documents":
		return l.setTotal(&l.totals.Documents, "documents", fields[1])
	case len(fields) != 2 && len(fields) != 3:
		return wrongList("the line has %d fields; it needs a term, its occurrences and, if they are known, the documents that have it, with a tab between; termsift words --list writes such lines", len(fields))
	}
	if at := slices.IndexFunc(fields, func(f string) bool { return strings.ContainsFunc(f, unicode.IsLetter) }); at > 0 {
		if _, err := strconv.ParseUint(fields[0], 10, 63); err == nil {
			return wrongList("the term is the first column, and here it seems to be column %d, %q: write the term, its occurrences and, if they are known, the documents that have it", at+1, usage.Cut(fields[at]))
		}
	}
	t := Frequency{Term: fields[0]}
	var err error
	if t.TF, err = wholeNumber(fields[1], "occurrences"); err != nil {
		return err
	}
	if len(fields) == 3 {
		if t.DF, err = wholeNumber(fields[2], "documents"); err != nil {
			return err
		}
	}
	return l.add(t)
}

// setTotal sets a total that the list tells.
func (l *listMaker) setTotal(to *int64, of, text string) error {
	n, err := wholeNumber(text, of)
	if err != nil {
		return err
	}
	if *to != 0 && *to != n {
		return wrongList("the list says that its corpus has %d %s, and %d were given", n, of, *to)
	}
	*to = n
	return l.totals.check()
}

func wholeNumber(text, of string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, wrongList("%q is no number of %s: a whole number, such as 1234, is needed", usage.Cut(text), of)
	}
	return n, nil
}

func wrongList(format string, args ...any) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf(format, args...))
}

// add adds a term.
func (l *listMaker) add(t Frequency) error {
	name := usage.Cut(t.Term)
	switch {
	case t.Term == "":
		return wrongList("the term is empty")
	case t.TF < 0 || t.DF < 0:
		return wrongList("%q has %d occurrences in %d documents: neither can be negative", name, t.TF, t.DF)
	case t.DF > t.TF:
		return wrongList("%q has %d occurrences, which are not in %d documents", name, t.TF, t.DF)
	case l.totals.Documents > 0 && t.DF > l.totals.Documents:
		return wrongList("%q is in %d documents, and the corpus has %d", name, t.DF, l.totals.Documents)
	case l.known[t.Term]:
		return wrongList("%q stands twice: add its occurrences up", name)
	case t.DF > 0:
		l.with = cmp.Or(l.with, t.Term)
	case t.TF > 0:
		l.without = cmp.Or(l.without, t.Term)
	}
	l.known[t.Term] = true
	l.sum += float64(t.TF)
	l.terms = append(l.terms, t)
	return nil
}

// list returns the list of the terms.
func (l *listMaker) list() (*FrequencyList, error) {
	totals := l.totals
	switch {
	case l.sum == 0:
		return nil, fmt.Errorf("%s: %w", l.name, wrongList("it has no term that occurs"))
	case totals.Tokens == 0:
		return nil, usage.Errorf("%s does not tell how many tokens its corpus has in all: give the number (--reference-total N), or write it before the terms, in a line \"#total\", a tab, the number", l.name)
	case l.sum > float64(totals.Tokens):
		return nil, fmt.Errorf("%s: %w", l.name, wrongList("its terms have %.0f occurrences together, more than the total of %d tokens", l.sum, totals.Tokens))
	case l.with != "" && l.without != "":
		return nil, fmt.Errorf("%s: %w", l.name, wrongList("it tells the documents with %q, and not those with %q: tell those with every term, or none", usage.Cut(l.with), usage.Cut(l.without)))
	case l.with != "" && totals.Documents == 0:
		return nil, usage.Errorf("%s tells the documents with each term, but not how many there are in all: give the number (--reference-documents N), or write it before the terms, in a line \"#documents\", a tab, the number", l.name)
	}
	f := &FrequencyList{side{fromList: true, noRanges: l.with == ""}}
	f.Side = Side{Documents: int(totals.Documents), Terms: len(l.terms), Tokens: int(totals.Tokens), Words: int(totals.Tokens)}
	f.counts = &table.Table{Names: table.NamedBy(len(l.terms), func(i int) string { return l.terms[i].Term })}
	for _, t := range l.terms {
		f.counts.Cells.EndTerm(float64(t.DF), float64(t.TF))
	}
	return f, nil
}

// Statistics makes a FrequencyList a [rank.Counted], but what else takes one gets an error.
func (l *FrequencyList) Statistics(context.Context, corpus.CountOptions) (*table.Table, error) {
	if l == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	return nil, usage.Errorf("a frequency list has neither classes nor documents: only keyness compares with it")
}

// needRanges returns an error if documents with a term are asked for that a list does not tell.
func (c *Comparison) needRanges() error {
	for _, s := range c.sides {
		if !s.noRanges {
			continue
		}
		if c.Options.MinRange > 1 {
			return usage.Errorf("the %s is a frequency list that does not tell the documents with each term, so that a least range of %d cannot be looked for", s.name, c.Options.MinRange)
		}
		for _, m := range c.Measures {
			if d := keyMeasureOf(m); d.unitBy(&c.Options) == ofDocuments && d.listed == nil {
				return usage.Errorf("%s counts the documents with each term, which the %s, a frequency list, does not tell: give it a third column with them, or take a measure of occurrences, such as %s or %s",
					m, s.name, LL, LogRatio)
			}
		}
	}
	return nil
}

// leastShared is the share of tokens below which a list and a corpus are hardly of the same kind of
// terms.
const leastShared = .5

// warnOfList warns of a list, which is one of the sides, that has few of the other corpus's tokens.
func (c *Comparison) warnOfList(i int) {
	other, shared := c.sides[1-i], 0.
	for _, p := range c.pairs {
		if p[i] >= 0 {
			shared += other.count(ofTokens, p[1-i])
		}
	}
	if all := other.Tokens; shared < leastShared*float64(all) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the frequency list has the terms of %.0f %% of the %s's tokens: was it counted with the same tokens, case, stop words and stems?",
			100*shared/float64(all), other.name))
	}
}
