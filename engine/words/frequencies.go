package words

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file lists the terms of one corpus by their frequencies.

// A WordOrder is an order of the terms of a [WordList].
type WordOrder string

// The orders. Equal terms are ordered by occurrences, then documents, both descending, then bytes;
// terms whose dispersion is undefined come last.
const (
	ByOccurrences WordOrder = "tf"
	ByDocuments   WordOrder = "df"
	ByTerm        WordOrder = "term"   // by their bytes
	ByDP          WordOrder = "dp"     // the most even first: ascending
	ByDPNorm      WordOrder = "dpnorm" // ascending
	ByD           WordOrder = "d"      // descending
)

// WordOrders lists the orders.
func WordOrders() []WordOrder {
	return []WordOrder{ByOccurrences, ByDocuments, ByTerm, ByDP, ByDPNorm, ByD}
}

// ofDispersion returns the dispersion that the order reads, the most even with the least value; nil
// for an order of counts.
func (o WordOrder) ofDispersion() func(d *Dispersion) float64 {
	switch o {
	case ByDP:
		return func(d *Dispersion) float64 { return d.DP }
	case ByDPNorm:
		return func(d *Dispersion) float64 { return d.DPNorm }
	case ByD:
		return func(d *Dispersion) float64 { return -d.D }
	}
	return nil
}

// WordOptions say which terms a [WordList] has. The zero value has all, the most frequent first.
type WordOptions struct {
	// Class, unless "", counts the documents of this class alone.
	Class string
	// ByClass also tells how often each class uses a term.
	ByClass bool
	// MinFreq and MinRange are the least occurrences of a term, and the least documents with it.
	MinFreq, MinRange int
	Terms             []string  // these terms alone; nil is all
	Order             WordOrder // "" is ByOccurrences
	Top               int       // the largest number of terms; 0 gives all
	Threads           int       // bounds the goroutines; 0 means GOMAXPROCS
}

// Validate returns a [usage.ErrUsage] for options that are wrong whatever the corpus.
func (o WordOptions) Validate() error {
	switch {
	case o.Order != "" && !slices.Contains(WordOrders(), o.Order):
		return usage.Unknown("order of words", string(o.Order), namesOf(WordOrders()))
	case o.MinFreq < 0, o.MinRange < 0, o.Top < 0:
		return usage.Errorf("the least frequency, the least range and the number of words must not be negative: %d, %d, %d", o.MinFreq, o.MinRange, o.Top)
	case o.ByClass && o.Class != "":
		return usage.Errorf("the words of one class are asked for, %q, and those of each: leave one away", usage.Cut(o.Class))
	}
	return nil
}

// A Word is a term with its frequencies in a corpus.
type Word struct {
	Term string
	Use
	Share float64 // of the documents, empty ones counted: those with the term
}

// A ClassWord says how a class uses a term.
type ClassWord struct {
	TF, DF     int
	PerMillion float64 // occurrences in a million of the class's tokens; NaN without tokens
}

// A WordList has the terms of a corpus by their frequencies. Its Side is the corpus, or the class.
type WordList struct {
	Side
	Passed   int      // terms within the bounds, before WordOptions.Top
	Classes  []string // whose uses [WordList.ByClass] tells; nil unless asked for
	Words    []Word
	Warnings []string // remarks for people

	o          WordOptions
	corpus     *side
	class      int           // of whose counts alone, in statistics; -1 for all documents
	terms      []*listedTerm // of Words; before, those within the bounds
	partial    error         // why terms are missing; nil for a list of all
	classWords []int         // of each of Classes
}

// A listedTerm is a word with its number.
type listedTerm struct {
	Word
	number int
}

// Frequencies lists the terms of a corpus, or of statistics, in which dispersions are undefined. It is
// [ErrNoWords] if no term is within the bounds.
func Frequencies(ctx context.Context, c rank.Counted, o WordOptions) (*WordList, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Order = cmp.Or(o.Order, ByOccurrences)
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	w := &WordList{o: o, class: -1}
	if o.Class != "" || o.ByClass {
		if err := w.findClass(stats); err != nil {
			return nil, err
		}
	}
	if whole, ok := c.(*corpus.Corpus); ok && w.class >= 0 {
		if c, stats, err = w.ofClass(ctx, whole); err != nil {
			return nil, err
		}
	}
	if stats.Real() {
		return nil, fmt.Errorf("%w: the values are real numbers, and words are counted: index the text, or counts", usage.ErrData)
	}
	if w.corpus, err = newSide(c, stats, "corpus"); err != nil {
		return nil, err
	}
	if err := w.count(stats); err != nil {
		return nil, err
	}
	if err := w.list(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// ErrNoWords is returned if a list has no term.
var ErrNoWords = usage.NewError(usage.ErrNothing, "no words")

// findClass checks that there are classes, and finds that of the options.
func (w *WordList) findClass(stats *table.Table) error {
	p := stats.Provenance()
	if err := p.RequireClasses(len(stats.Classes()), "a list by class"); err != nil || w.o.ByClass {
		return err
	}
	class, known := slices.BinarySearch(stats.Classes(), w.o.Class)
	if !known {
		return usage.Unknown("class", w.o.Class, stats.Classes())
	}
	w.class = class
	return nil
}

// ofClass returns the documents of the class, and their counts: all documents of the list.
func (w *WordList) ofClass(ctx context.Context, c *corpus.Corpus) (rank.Counted, *table.Table, error) {
	query, err := corpus.ParseQuery("class="+corpus.QuoteName(w.o.Class), nil)
	if err != nil {
		return nil, nil, err
	}
	match, err := c.Match(query)
	if err != nil {
		return nil, nil, err
	}
	part, err := c.Subset(ctx, match.Docs, corpus.SubsetOptions{Docs: query.String(), Threads: w.o.Threads})
	if err != nil {
		return nil, nil, err
	}
	w.class = -1
	stats, err := part.Statistics(ctx, corpus.CountOptions{Threads: w.o.Threads})
	return part, stats, err
}

// count sets the side and the terms within the bounds.
func (w *WordList) count(stats *table.Table) error {
	w.Side = w.corpus.Side
	cells := &stats.Cells
	if w.class >= 0 {
		w.Documents, w.Tokens, w.Terms = int(cells.ClassDocs[w.class]), int(cells.ClassTokens[w.class]), 0
		w.Side.Words = w.wordsIn(w.class)
	}
	for t := range cells.Terms() {
		tf, df := w.uses(t, w.class)
		if tf > 0 && w.class >= 0 {
			w.Terms++
		}
		wanted := w.o.Terms == nil || slices.Contains(w.o.Terms, stats.Names.Term(t))
		if wanted && tf >= max(1, w.o.MinFreq) && df >= w.o.MinRange {
			use := Use{TF: tf, DF: df, PerMillion: perMillion(float64(tf), w.Side.Words)}
			w.terms = append(w.terms, &listedTerm{Word{Term: stats.Names.Term(t), Use: use, Share: float64(df) / float64(max(1, w.Documents))}, t})
		}
	}
	if w.Passed = len(w.terms); w.Passed == 0 {
		return fmt.Errorf("%w: none of the %d terms has the least frequency, %d, and the least range, %d", ErrNoWords, w.Terms, max(1, w.o.MinFreq), max(1, w.o.MinRange))
	}
	if w.o.Order.ofDispersion() != nil && w.corpus.index == nil {
		return usage.Errorf("words are ordered by their dispersion over documents, which statistics do not know: take the index, or order by %s or %s", ByOccurrences, ByDocuments)
	}
	return nil
}

// uses returns the occurrences of a term, and the documents with it, in a class, or in all for -1.
func (w *WordList) uses(t, class int) (tf, df int) {
	cells := &w.corpus.counts.Cells
	if class < 0 {
		return int(w.corpus.count(ofTokens, t)), int(cells.DF[t])
	}
	at := cells.CellOf(t, uint32(class))
	if at < 0 {
		return 0, 0
	}
	at += cells.Start[t]
	documents := cells.A.At(at, 0)
	return int(cells.S.At(at, documents)), int(documents)
}

// wordsIn returns [Side.Words] of a class.
func (w *WordList) wordsIn(class int) int {
	return shortest(w.corpus.counts.Names, w.corpus.counts.Provenance().Analysis, int(w.corpus.counts.Cells.ClassTokens[class]), func(t int) int {
		tf, _ := w.uses(t, class)
		return tf
	})
}

// list makes the list of the terms.
func (w *WordList) list(ctx context.Context) error {
	w.warn()
	by := w.o.Order.ofDispersion()
	if by != nil {
		if err := w.disperseAll(ctx); err != nil {
			return err
		}
	}
	best := rank.Best[*listedTerm]{Most: w.o.Top, Order: w.order(by)}
	for _, t := range w.terms {
		best.Offer(t)
	}
	w.terms = best.Sorted()
	if by == nil {
		if err := w.disperseAll(ctx); err != nil {
			return err
		}
	}
	if w.o.ByClass {
		w.Classes = w.corpus.counts.Classes()
		for class := range w.Classes {
			w.classWords = append(w.classWords, w.wordsIn(class))
		}
	}
	for _, t := range w.terms {
		w.Words = append(w.Words, t.Word)
	}
	return nil
}

// warn says what the list does not tell.
func (w *WordList) warn() {
	w.partial = w.corpus.counts.Whole("corpus")
	if w.partial != nil {
		w.Warnings = append(w.Warnings, fmt.Sprintf("terms are missing, and rates are of those that are there: %v", w.partial))
	}
	if w.corpus.index == nil {
		w.Warnings = append(w.Warnings, "statistics know no documents: the dispersion in them is undefined")
	} else if w.Documents == 1 {
		w.Warnings = append(w.Warnings, "there is one document: the dispersion in it is undefined")
	}
}

// disperseAll sets the dispersions of the terms.
func (w *WordList) disperseAll(ctx context.Context) (err error) {
	if _, err := w.corpus.disperse(ctx, -1); err != nil { // which looks at the documents, once
		return err
	}
	return pool.Run(ctx, w.o.Threads, (len(w.terms)+chunkTerms-1)/chunkTerms, func(_, chunk int) error {
		for i := chunk * chunkTerms; i < min(len(w.terms), (chunk+1)*chunkTerms); i++ {
			var err error
			if w.terms[i].Dispersion, err = w.corpus.disperse(ctx, w.terms[i].number); err != nil {
				return err
			}
		}
		return nil
	})
}

// order returns the order of the terms; by reads their dispersions.
func (w *WordList) order(by func(d *Dispersion) float64) func(s, t *listedTerm) int {
	return func(s, t *listedTerm) int {
		first := 0
		switch {
		case by != nil:
			v, other := by(&s.Dispersion), by(&t.Dispersion)
			if first = cmp.Compare(v, other); math.IsNaN(v) || math.IsNaN(other) {
				first = -first // for which NaN is below all
			}
		case w.o.Order == ByDocuments:
			first = cmp.Compare(t.DF, s.DF)
		case w.o.Order == ByTerm:
			first = strings.Compare(s.Term, t.Term)
		}
		return cmp.Or(first, cmp.Compare(t.TF, s.TF), cmp.Compare(t.DF, s.DF), strings.Compare(s.Term, t.Term))
	}
}

// ByClass appends to dst how each of the classes uses a word of the list, by its place. Thousands of classes times all
// words would take gigabytes at once.
func (w *WordList) ByClass(dst []ClassWord, word int) []ClassWord {
	for class, words := range w.classWords {
		use := ClassWord{PerMillion: math.NaN()}
		if use.TF, use.DF = w.uses(w.terms[word].number, class); words > 0 {
			use.PerMillion = perMillion(float64(use.TF), words)
		}
		dst = append(dst, use)
	}
	return dst
}

// Dispersed reports whether the dispersion of a word is defined.
func (w *WordList) Dispersed() bool {
	return slices.ContainsFunc(w.Words, func(w Word) bool { return !math.IsNaN(w.Dispersion.DP) })
}

// WriteList writes the list in the form that [ReadFrequencyList] reads: the numbers of all tokens and
// documents, and a line for each word with its occurrences and documents. Whatever words the list has,
// the totals are those of its corpus. The error is a [usage.ErrData] for a term that a line cannot have,
// and wraps table.ErrPruned for a corpus without some of its terms.
func (w *WordList) WriteList(to io.Writer) error {
	if w.partial != nil {
		return w.partial
	}
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "#total\t%d\n#documents\t%d\n", w.Tokens, w.Documents)
	for _, word := range w.Words {
		if strings.ContainsAny(word.Term, "\t\n\r") || !utf8.ValidString(word.Term) {
			return wrongList("the term %q has a tab, the end of a line or what is no UTF-8 in it, which no line of a frequency list has", usage.Cut(word.Term))
		}
		fmt.Fprintf(out, "%s\t%d\t%d\n", word.Term, word.TF, word.DF)
	}
	return out.Flush()
}
