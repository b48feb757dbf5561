package keyness

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis"
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
	counts *table.Table
	index  *postings.Index // nil if only statistics were given
	parts  *lengths        // nil until a dispersion is asked for

	fromList bool // it is a [FrequencyList]
	noRanges bool // the documents with a term are not known
}

// newSides counts two corpora and checks that they can be compared.
func newSides(ctx context.Context, target, reference rank.Counted, threads int) (sides [2]*side, err error) {
	var stats [2]*table.Table
	for i, c := range []rank.Counted{target, reference} {
		list, isList := c.(*FrequencyList)
		switch {
		case c == nil, isList && list == nil:
			return sides, usage.Errorf("a nil corpus was given")
		case isList:
			of := list.side
			sides[i] = &of
			continue
		}
		if stats[i], err = c.Statistics(ctx, corpus.CountOptions{Threads: threads}); err != nil {
			return sides, err
		}
	}
	if err := checkTables(stats); err != nil {
		return sides, err
	}
	for i, c := range []rank.Counted{target, reference} {
		if stats[i] == nil {
			continue
		}
		if sides[i], err = newSide(c, stats[i], sideNames[i]); err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// checkTables checks that two tables can be compared, or one, beside a frequency list.
func checkTables(stats [2]*table.Table) error {
	if stats[0] != nil && stats[1] != nil {
		return table.Comparable(stats[0], stats[1])
	}
	for i, t := range stats {
		if t == nil {
			continue
		}
		if err := t.Whole(sideNames[i]); err != nil {
			return err
		}
	}
	return nil
}

// sideNames are what errors and warnings call the corpora.
var sideNames = [2]string{"target", "reference"}

// newSide returns the side of c and its statistics, which the errors call name.
func newSide(c rank.Counted, stats *table.Table, name string) (*side, error) {
	s := &side{counts: stats}
	if whole, ok := c.(*corpus.Corpus); ok {
		s.index = whole.Index()
	}
	if stats.Real() || s.index != nil && s.index.Real() {
		return nil, fmt.Errorf("the %s: %w: its values are real numbers, and keyness compares counts: index the text, or counts", name, usage.ErrData)
	}
	tokens := s.counts.Cells.Tokens
	switch {
	case tokens == 0:
		return nil, fmt.Errorf("the %s: %w: none of its %d documents has a term", name, usage.ErrData, stats.Documents())
	case tokens > min(mostTokens, math.MaxInt):
		return nil, fmt.Errorf("the %s: %w: it has %v tokens, and keyness counts to %v", name, usage.ErrData, tokens, min(mostTokens, float64(math.MaxInt)))
	}
	s.Side = Side{Documents: stats.Documents(), Terms: stats.Cells.Terms(), Tokens: int(tokens)}
	s.Words = shortest(s.counts.Names, stats.Provenance().Analysis, s.Tokens, func(t int) int { return int(s.frequency(int32(t))) })
	return s, nil
}

// shortest returns the occurrences of the shortest of the n-grams that an option asked for, such as
// "1-3"; else all. Their words have one space between.
func shortest(names *table.Dictionary, o analysis.Options, all int, occurrences func(term int) int) int {
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

// frequency returns the occurrences of a term by its number, 0 for -1.
func (s *side) frequency(term int32) float64 {
	if term < 0 {
		return 0
	}
	return s.counts.Cells.CF.At(int(term), float64(s.counts.Cells.DF[term]))
}

// documents returns the number of documents with a term, 0 for -1.
func (s *side) documents(term int32) int {
	if term < 0 {
		return 0
	}
	return int(s.counts.Cells.DF[term])
}

// disperse returns the dispersion of a term, which is undefined in statistics.
func (s *side) disperse(ctx context.Context, term int32) (d Dispersion, err error) {
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
		if err := s.index.Read(int(term), &p); err != nil {
			return err
		}
		d = s.parts.dispersion(&p)
		return nil
	})
	return d, err
}

// A pair is a term by its numbers in the target and the reference, -1 where it is absent.
type pair struct{ target, reference int32 }

// join returns the terms of both dictionaries, by their bytes.
func join(target, reference *table.Dictionary) []pair {
	a, b := target.Sorted(), reference.Sorted()
	pairs := make([]pair, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		s, t := target.Term(int(a[0])), reference.Term(int(b[0]))
		switch {
		case s < t:
			pairs = append(pairs, pair{int32(a[0]), -1})
			a = a[1:]
		case s > t:
			pairs = append(pairs, pair{-1, int32(b[0])})
			b = b[1:]
		default:
			pairs = append(pairs, pair{int32(a[0]), int32(b[0])})
			a, b = a[1:], b[1:]
		}
	}
	for _, t := range a {
		pairs = append(pairs, pair{int32(t), -1})
	}
	for _, t := range b {
		pairs = append(pairs, pair{-1, int32(t)})
	}
	return pairs
}

// A FrequencyList has the frequencies of the terms of a corpus that is not at hand, such as a published word
// list. [Compare] and [Drift] take it for a corpus. It need not have all terms of the corpus: what it
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
	const name = "the frequency list"
	if err := totals.check(); err != nil {
		return nil, usage.Errorf("%s: %v", name, err)
	}
	return newList(terms, totals, name, func(i int) string { return fmt.Sprintf("%s: term %d", name, i+1) })
}

// ReadFrequencyList reads a list from UTF-8 text whose lines are a term and its occurrences, and in all lines or
// none the documents that have it, with a tab between. Before these there may be lines that begin
// with #total and #documents, a tab, and the number of all tokens and documents, and remarks, which
// begin with # and have no tab. A total that is 0 is that of the file. Errors begin with the name and
// the number of the line.
func ReadFrequencyList(r io.Reader, name string, totals ListTotals) (*FrequencyList, error) {
	if err := totals.check(); err != nil {
		return nil, usage.Errorf("%s: %v", name, err)
	}
	p, line := listParser{totals: totals}, 0
	var lines []int // by term
	err := tsv.Lines(r, name, func(text string) error {
		line++
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if err := p.read(text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if len(lines) < len(p.terms) {
			lines = append(lines, line)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newList(p.terms, p.totals, name, func(i int) string { return fmt.Sprintf("%s:%d", name, lines[i]) })
}

// A listParser reads the lines of a list.
type listParser struct {
	terms  []Frequency
	totals ListTotals
}

// read reads a line.
func (p *listParser) read(line string) error {
	fields := strings.Split(line, "\t")
	switch {
	case line == "":
		return nil
	case !utf8.ValidString(line):
		return wrongList("the line is not UTF-8: write the list in UTF-8")
	case len(p.terms) == 0 && line[0] == '#' && len(fields) == 1:
		return nil
	case len(p.terms) == 0 && len(fields) == 2 && fields[0] == "#total":
		return p.setTotal(&p.totals.Tokens, "tokens", fields[1])
	case len(p.terms) == 0 && len(fields) == 2 && fields[0] == "#documents":
		return p.setTotal(&p.totals.Documents, "documents", fields[1])
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
	p.terms = append(p.terms, t)
	return nil
}

// setTotal sets a total that the list tells.
func (p *listParser) setTotal(to *int64, of, text string) error {
	n, err := wholeNumber(text, of)
	if err != nil {
		return err
	}
	if *to != 0 && *to != n {
		return wrongList("the list says that its corpus has %d %s, and %d were given", n, of, *to)
	}
	*to = n
	return p.totals.check()
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

// check returns an error for a term that no corpus of so many documents, 0 if they are not known, has.
func (t *Frequency) check(documents int64) error {
	name := usage.Cut(t.Term)
	switch {
	case t.Term == "":
		return wrongList("the term is empty")
	case t.TF < 0 || t.DF < 0:
		return wrongList("%q has %d occurrences in %d documents: neither can be negative", name, t.TF, t.DF)
	case t.DF > t.TF:
		return wrongList("%q has %d occurrences, which are not in %d documents", name, t.TF, t.DF)
	case documents > 0 && t.DF > documents:
		return wrongList("%q is in %d documents, and the corpus has %d", name, t.DF, documents)
	}
	return nil
}

// newList makes a list of terms, whose places in it errors tell by at.
func newList(terms []Frequency, totals ListTotals, name string, at func(i int) string) (*FrequencyList, error) {
	known, sum, with, without := map[string]bool{}, 0., -1, -1
	for i, t := range terms {
		err := t.check(totals.Documents)
		if known[t.Term] {
			err = wrongList("%q stands twice: add its occurrences up", usage.Cut(t.Term))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at(i), err)
		}
		known[t.Term] = true
		sum += float64(t.TF)
		if t.DF > 0 && with < 0 {
			with = i
		}
		if t.DF == 0 && t.TF > 0 && without < 0 {
			without = i
		}
	}
	switch {
	case sum == 0:
		return nil, fmt.Errorf("%s: %w", name, wrongList("it has no term that occurs"))
	case totals.Tokens == 0:
		return nil, usage.Errorf("%s does not tell how many tokens its corpus has in all: give the number (--reference-total N), or write it before the terms, in a line \"#total\", a tab, the number", name)
	case sum > float64(totals.Tokens):
		return nil, fmt.Errorf("%s: %w", name, wrongList("its terms have %.0f occurrences together, more than the total of %d tokens", sum, totals.Tokens))
	case with >= 0 && without >= 0:
		return nil, fmt.Errorf("%s: %w", name, wrongList("it tells the documents with %q, and not those with %q: tell those with every term, or none",
			usage.Cut(terms[with].Term), usage.Cut(terms[without].Term)))
	case with >= 0 && totals.Documents == 0:
		return nil, usage.Errorf("%s tells the documents with each term, but not how many there are in all: give the number (--reference-documents N), or write it before the terms, in a line \"#documents\", a tab, the number", name)
	}
	l := &FrequencyList{side{fromList: true, noRanges: with < 0}}
	l.Side = Side{Documents: int(totals.Documents), Terms: len(terms), Tokens: int(totals.Tokens), Words: int(totals.Tokens)}
	l.counts = &table.Table{Names: table.DictionaryOf(len(terms), func(i int) string { return terms[i].Term })}
	for _, t := range terms {
		l.counts.Cells.EndTerm(float64(t.DF), float64(t.TF))
	}
	return l, nil
}

// Statistics makes a FrequencyList a [rank.Counted], but what else takes one gets an error.
func (l *FrequencyList) Statistics(context.Context, corpus.CountOptions) (*table.Table, error) {
	return nil, usage.Errorf("a frequency list has neither classes nor documents: only keyness compares with it")
}

// needRanges returns an error if documents with a term are asked for that a list does not tell.
func (c *Comparison) needRanges() error {
	for i, s := range []*side{c.target, c.reference} {
		if !s.noRanges {
			continue
		}
		if c.Options.MinRange > 1 {
			return usage.Errorf("the %s is a frequency list that does not tell the documents with each term, so that a least range of %d cannot be looked for", sideNames[i], c.Options.MinRange)
		}
		for _, m := range c.measures {
			if d := definitionOf(m); d.unitBy(&c.Options) == Documents && d.listed == nil {
				return usage.Errorf("%s counts the documents with each term, which the %s, a frequency list, does not tell: give it a third column with them, or take a measure of occurrences, such as %s or %s",
					m, sideNames[i], LL, LogRatio)
			}
		}
	}
	return nil
}

// leastShared is the share of tokens below which a list and a corpus are hardly of the same kind of
// terms.
const leastShared = .5

// warnOfList warns of what a list, which is one of the sides, does not tell, and of one that has few
// of the other corpus's tokens.
func (c *Comparison) warnOfList(i int) {
	c.Warnings = append(c.Warnings, fmt.Sprintf("the %s is a frequency list, which has no documents to look at: the dispersion in it is undefined", sideNames[i]))
	shared := 0.
	for _, p := range c.pairs {
		if p.target >= 0 && p.reference >= 0 {
			shared += [...]float64{c.reference.frequency(p.reference), c.target.frequency(p.target)}[i]
		}
	}
	if all := [...]int{c.Reference.Tokens, c.Target.Tokens}[i]; shared < leastShared*float64(all) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the frequency list has the terms of %.0f %% of the %s's tokens: was it counted with the same tokens, case, stop words and stems?",
			100*shared/float64(all), sideNames[1-i]))
	}
}
