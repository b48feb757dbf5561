// Package bestterms chooses terms by the algorithm Best Terms of Fragoudis, Meretakis
// and Likothanassis (KAIS 8(1), 2005): of every document in a class the best term that
// indicates the class, then of every other document with one of these the best term that
// indicates the rest.
//
// It takes a [corpus.Corpus] and [Options], and gives a [Choice]: for each class its
// positive and negative terms and the documents that have a positive one. A Choice
// becomes one list of features (Selection), the rows of one class against the rest
// (OneAgainstRest), or a file (WriteTSV).
//
// Begin with [Choose] in bestterms.go and search.chooseForClass in search.go, which is
// the algorithm; the same file has its loops and the formulas.
//
// The package never ranks terms, computes weights or trains a classifier.
package bestterms

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// The values of [Options] that have names.
const (
	// RuleInterpolated takes terms with P(c|w) >= p + (1-p)·P(c).
	RuleInterpolated = "interpolated"
	// RuleMax takes terms with P(c|w) >= p.
	RuleMax = "max"

	// ScopeReduced looks for negative terms in the documents outside the class that
	// have a positive one.
	ScopeReduced = "reduced"
	// ScopeAll looks in all documents outside the class.
	ScopeAll = "all"

	// CountsTraining takes the counts of the negative terms from the whole corpus.
	CountsTraining = "training"
	// CountsReduced counts the documents that have a positive term, for which alone
	// the negative terms are wanted. Terms that none of them has are not negative.
	CountsReduced = "reduced"
)

// Options are the options of [Choose]. The zero value is the algorithm of the paper
// with chi and p = 0.
type Options struct {
	// Function is one of [Functions]; "" is chi. It is computed as in Sebastiani's
	// Table 1: df is P(t|c), or adds no ½ and is infinite where a cell is empty, ig
	// is the measure emi.
	Function string
	// P in [0, 1] is the precision that terms must have: 0 demands P(c|w) > P(c), 1
	// that the term occurs in the class alone. It means the decimal number that it
	// prints as: 0.1 is one tenth exactly.
	P float64
	// Rule is RuleInterpolated or RuleMax, Scope ScopeReduced or ScopeAll, Counts
	// CountsTraining or CountsReduced; "" is the first of each.
	Rule, Scope, Counts string
	// Classes to choose for, each once; nil means all.
	Classes []string
	// RSD is the damping constant d of rs and rsw; 0 means 1/6.
	RSD float64
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Defaults gives the options of the paper, written out: chi, the interpolated rule with
// p = 0, negative terms of the reduced documents by the counts of the training. A field
// that is "" or 0 in other options means the same as here.
func Defaults() Options {
	return Options{Function: string(rank.Chi), Rule: RuleInterpolated, Scope: ScopeReduced, Counts: CountsTraining}
}

// A Choice has the terms that were chosen for every class, and how.
type Choice struct {
	Function            string
	RSD                 float64 // d of rs and rsw where it is not 1/6, else 0
	P                   float64
	Rule, Scope, Counts string
	Classes             []ClassTerms // in the order of Options.Classes
	// Entries counts the (document, term) pairs that the two loops have read.
	Entries int64

	// Documents is the number of documents of the corpus, CorpusClasses has all its
	// classes in label-byte order, Provenance says how it was made.
	Documents     int
	CorpusClasses []string
	Provenance    corpus.Provenance
}

// ClassTerms has the terms that tell one class from all others, and the documents
// that are left to learn it from. A document without a term of Positive is outside
// the class, in training and when classifying. A class of no documents, or of all,
// has no terms: all lists and Kept are empty.
type ClassTerms struct {
	Class     string
	Documents int // in the class
	// Positive are the best terms of the documents in the class (F+), Negative of
	// those outside it (F-), best first.
	Positive, Negative []Term
	// Kept are the documents of all classes that have a term of Positive (D_F), and
	// KeptDocuments is their number.
	Kept          *roaring.Bitmap
	KeptDocuments int
	Entries       int64 // (document, term) pairs read for the class
}

// A Term is a term that was the best one of some document.
type Term struct {
	Term  string
	Score float64 // for the class; for its complement if the term is negative
	DF    int     // documents with the term
	A, B  int     // those of them in the class, and outside it
}

// Functions returns the names that Options.Function may have: the measures of a term
// and a class that use numbers of documents alone.
func Functions() []string {
	var names []string
	for _, m := range rank.Measures() {
		if m.Combinable && !m.UsesTokens {
			names = append(names, m.Name)
		}
	}
	return names
}

// Validate returns an error, a [usage.ErrUsage], for options that no corpus could satisfy.
func (o Options) Validate() error {
	if name, known := cmp.Or(o.Function, "chi"), Functions(); !slices.Contains(known, name) {
		return rank.UnknownMeasure("function", name, known)
	}
	for _, choice := range []struct {
		kind, name string
		known      []string
	}{
		{"rule", cmp.Or(o.Rule, RuleInterpolated), []string{RuleInterpolated, RuleMax}},
		{"scope", cmp.Or(o.Scope, ScopeReduced), []string{ScopeReduced, ScopeAll}},
		{"count base", cmp.Or(o.Counts, CountsTraining), []string{CountsTraining, CountsReduced}},
	} {
		if !slices.Contains(choice.known, choice.name) {
			return usage.Unknown(choice.kind, choice.name, choice.known)
		}
	}
	if !(0 <= o.P && o.P <= 1) {
		return usage.Errorf("p must be in [0, 1], not %v", o.P)
	}
	if o.RSD < 0 || math.IsNaN(o.RSD) || math.IsInf(o.RSD, 0) {
		return usage.Errorf("d of the relevancy score must be positive, not %v", o.RSD)
	}
	return nil
}

// Choose chooses the terms of every class. A class takes time proportional to the
// distinct terms of its documents and of all documents that have a term chosen for it.
// Terms whose values are within a relative 4e-12 of the largest one in a document are
// equal: the best of them is that with the most documents on its side, then the first
// by its bytes.
func Choose(ctx context.Context, c *corpus.Corpus, o Options) (*Choice, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	classes, err := classNumbers(c, o.Classes)
	if err != nil {
		return nil, err
	}
	if err := c.RequireClasses("Best Terms"); err != nil {
		return nil, err
	}
	f, err := newForward(ctx, c)
	if err != nil {
		return nil, err
	}
	o.Function = cmp.Or(o.Function, "chi")
	out := &Choice{
		Function: o.Function, P: o.P, Classes: make([]ClassTerms, len(classes)),
		Rule: cmp.Or(o.Rule, RuleInterpolated), Scope: cmp.Or(o.Scope, ScopeReduced), Counts: cmp.Or(o.Counts, CountsTraining),
		Documents: c.Documents(), CorpusClasses: c.Classes(), Provenance: c.Provenance(),
	}
	if o.Function == "rs" || o.Function == "rsw" {
		out.RSD = o.RSD
	}
	searches := make([]*search, pool.Threads(o.Threads))
	err = pool.Stage(ctx, "best terms", func(ctx context.Context) error {
		return c.Index().Run(ctx, o.Threads, len(classes), func(worker, i int) (err error) {
			if searches[worker] == nil {
				searches[worker] = newSearch(ctx, f, &o)
			}
			out.Classes[i], err = searches[worker].chooseForClass(classes[i])
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, c := range out.Classes {
		out.Entries += c.Entries
	}
	return out, nil
}

// classNumbers returns the numbers of the named classes, of all classes if names is nil.
// It returns a [usage.ErrUsage] for a class that is unknown or named twice.
func classNumbers(c *corpus.Corpus, names []string) ([]int, error) {
	classes := []int{}
	if names == nil {
		for i := range c.Classes() {
			classes = append(classes, i)
		}
	}
	seen := map[string]bool{}
	for _, name := range names {
		i, ok := slices.BinarySearch(c.Classes(), name)
		switch {
		case !ok:
			return nil, usage.Unknown("class", name, c.Classes())
		case seen[name]:
			return nil, usage.Errorf("class %q is named twice", name)
		}
		seen[name] = true
		classes = append(classes, i)
	}
	return classes, nil
}

// name returns how the terms were chosen, for example
// best-terms(chi, p=0.25, interpolated, reduced, training). A d of rs and rsw other than
// 1/6 is given behind the function.
func (b *Choice) name() string {
	damping := ""
	if b.RSD > 0 {
		damping = ", d=" + tsv.FormatValue(b.RSD)
	}
	return fmt.Sprintf("best-terms(%s%s, p=%s, %s, %s, %s)", b.Function, damping, tsv.FormatValue(b.P), b.Rule, b.Scope, b.Counts)
}

// Selection unites the terms of all classes, each with the class that it was first
// chosen for. First come the positive terms, the best of every class in turn, then the
// second of every class, and so on; then in the same way the terms that are negative
// only. So values of different classes, whose scales may differ (P(t|c) of a negative
// term is close to 1, an odds ratio often infinite), are never compared, and the first k
// terms serve all classes for any k. Which documents the algorithm leaves out for a class
// a selection cannot tell: see OneAgainstRest. Selection returns
// [selection.ErrNothingSelected] if no class has a term.
func (b *Choice) Selection() (*selection.Selection, error) {
	positive, negative := make([][]rank.Entry, len(b.Classes)), make([][]rank.Entry, len(b.Classes))
	for i, c := range b.Classes {
		positive[i], negative[i] = c.rankEntries(c.Positive), c.rankEntries(c.Negative)
	}
	s := &selection.Selection{
		Measure: rank.Measure(b.name()), Combine: rank.ByClass,
		Documents: b.Documents, Classes: b.CorpusClasses, Provenance: b.Provenance,
	}
	s.Number(selection.Unite(math.MaxInt, positive, negative))
	s.Stages = []selection.Stage{{Measure: s.Measure, Combine: s.Combine, Criterion: "the best of each document", Terms: len(s.Features)}}
	if len(s.Features) == 0 {
		return nil, fmt.Errorf("%w: no term is positive for any of the %d classes by %s", selection.ErrNothingSelected, len(b.Classes), b.name())
	}
	return s, nil
}

// rankEntries returns terms of the class as entries of a ranking.
func (c *ClassTerms) rankEntries(terms []Term) []rank.Entry {
	out := make([]rank.Entry, len(terms))
	for i, t := range terms {
		out[i] = rank.Entry{Term: t.Term, Class: c.Class, Value: t.Score, DF: t.DF, A: t.A, B: t.B}
	}
	return out
}

// A Choice is written as tab-separated text: lines that begin with "#" and record
// how it was made, one "#class" line for each class with its sizes, a header line, and
// one line for each class and term.

const (
	classTermsMark   = "#termsift class terms 1"
	classTermsHeader = "class\tsign\trank\tterm\tscore\tdf\ta\tb"
)

// classRecord is the content of a "#class" line.
type classRecord struct {
	Class     string `json:"class"`
	Documents int    `json:"documents"` // |D_C|
	Kept      int    `json:"kept"`      // |D_F|
	Positive  int    `json:"positive"`  // |F+|
	Negative  int    `json:"negative"`  // |F-|
	Entries   int64  `json:"entries"`
}

// WriteTSV writes the terms of every class, the positive ones (sign +) before the
// negative ones. It does not write Kept.
func (b *Choice) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	record := func(name string, value any) error {
		data, err := json.Marshal(value)
		fmt.Fprintf(out, "#%s %s\n", name, data)
		return err
	}
	fmt.Fprintln(out, classTermsMark)
	err := errors.Join(
		record("function", b.Function), record("rs_d", b.RSD), record("p", b.P), record("rule", b.Rule), record("scope", b.Scope), record("counts", b.Counts),
		record("documents", b.Documents), record("classes", b.CorpusClasses), record("provenance", b.Provenance))
	for _, c := range b.Classes {
		err = errors.Join(err, record("class", classRecord{c.Class, c.Documents, c.KeptDocuments, len(c.Positive), len(c.Negative), c.Entries}))
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, classTermsHeader)
	for _, c := range b.Classes {
		c.writeRows(out, '+', c.Positive)
		c.writeRows(out, '-', c.Negative)
	}
	return out.Flush()
}

// writeRows writes a line for each term. An error of out comes from its Flush.
func (c *ClassTerms) writeRows(out *bufio.Writer, sign rune, terms []Term) {
	for i, t := range terms {
		fmt.Fprintf(out, "%s\t%c\t%d\t%s\t%s\t%d\t%d\t%d\n",
			tsv.Escape(c.Class), sign, i+1, tsv.Escape(t.Term), tsv.FormatValue(t.Score), t.DF, t.A, t.B)
	}
}

// OneAgainstRest yields the rows that a binary classifier of one class learns from, of rows
// over the features of a selection: those with a positive term of the class, with the single
// label 1 if they are in it and -1 if not. The others are outside the class, and no classifier
// need be asked for them. class is a place in Classes. The labels of a row are valid until the
// next one. A selection that lacks a positive term, or the class, would leave out documents of
// the class: it yields a [usage.ErrContradiction].
func (b *Choice) OneAgainstRest(s *selection.Selection, class int, in iter.Seq2[vectors.Row, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		positive, err := b.positiveFeatures(s, class)
		if err != nil {
			yield(vectors.Row{}, err)
			return
		}
		own := slices.Index(s.Classes, b.Classes[class].Class)
		var label [1]int
		for r, err := range in {
			if err == nil && !slices.ContainsFunc(r.Index, func(rank uint32) bool { return int(rank) < len(positive) && positive[rank] }) {
				continue
			}
			label[0] = -1
			if slices.Contains(r.Labels, own) {
				label[0] = 1
			}
			r.Labels, r.Target = label[:], ""
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// positiveFeatures returns which features of a selection are positive terms of a class, by rank.
func (b *Choice) positiveFeatures(s *selection.Selection, class int) ([]bool, error) {
	c := &b.Classes[class]
	if !slices.Contains(s.Classes, c.Class) {
		return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, usage.Cut(c.Class))
	}
	rank := make(map[string]int, len(s.Features))
	for i, f := range s.Features {
		rank[f.Term] = i + 1
	}
	positive := make([]bool, len(s.Features)+1)
	for _, t := range c.Positive {
		if rank[t.Term] == 0 {
			return nil, fmt.Errorf("%w: it lacks %q, a positive term of %q; take both from the same corpus",
				usage.ErrContradiction, usage.Cut(t.Term), usage.Cut(c.Class))
		}
		positive[rank[t.Term]] = true
	}
	return positive, nil
}
