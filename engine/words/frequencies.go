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
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file tells how often a corpus uses its terms, how evenly, and which documents use them most.

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

// evenness has what the orders by dispersion read, the most even with the least value.
var evenness = map[WordOrder]func(d *Dispersion) float64{
	ByDP:     func(d *Dispersion) float64 { return d.DP },
	ByDPNorm: func(d *Dispersion) float64 { return d.DPNorm },
	ByD:      func(d *Dispersion) float64 { return -d.D },
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
		return usage.Errorf("the words of one class are asked for, %q, and those of each: omit one", usage.Cut(o.Class))
	}
	return nil
}

// A Word is a term with its frequencies in a corpus.
type Word struct {
	Term string
	Use
	Share float64 // of the documents, empty ones counted: those with the term

	number int // of the term
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
	by         func(d *Dispersion) float64 // the order; nil for one of counts
	corpus     *side
	class      int   // of whose counts alone, in statistics; -1 for all documents
	partial    error // why terms are missing; nil for a list of all
	classWords []int // of each of Classes
}

// Frequencies lists the terms of a corpus, or of statistics, in which dispersions are undefined. It is
// [ErrNoWords] if no term is within the bounds.
func Frequencies(ctx context.Context, c rank.Counted, o WordOptions) (w *WordList, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Order = cmp.Or(o.Order, ByOccurrences)
	w = &WordList{o: o, by: evenness[o.Order], class: -1}
	if w.corpus, err = sideOf(ctx, c, "corpus", o.Threads); err != nil {
		return nil, err
	}
	if o.Class != "" || o.ByClass {
		if err := w.findClass(ctx, c); err != nil {
			return nil, err
		}
	}
	if err := w.count(); err != nil {
		return nil, err
	}
	return w, w.list(ctx)
}

// ErrNoWords is returned if a list has no term.
var ErrNoWords = usage.NewError(usage.ErrNothing, "no words")

// findClass checks that there are classes, and finds that of the options. Of an index its documents are then the whole
// corpus.
func (w *WordList) findClass(ctx context.Context, c rank.Counted) error {
	stats := w.corpus.counts
	p := stats.Provenance()
	if err := p.RequireClasses(len(stats.Classes()), "a list by class"); err != nil || w.o.ByClass {
		return err
	}
	class, known := slices.BinarySearch(stats.Classes(), w.o.Class)
	if !known {
		return usage.Unknown("class", w.o.Class, stats.Classes())
	}
	whole, ok := c.(*corpus.Corpus)
	if !ok {
		w.class = class
		return nil
	}
	query, err := corpus.ParseQuery("class="+corpus.QuoteName(w.o.Class), nil)
	if err != nil {
		return err
	}
	match, err := whole.Match(query)
	if err != nil {
		return err
	}
	part, err := whole.Subset(ctx, match.Docs, corpus.SubsetOptions{Docs: query.String(), Threads: w.o.Threads})
	if err != nil {
		return err
	}
	w.corpus, err = sideOf(ctx, part, "class "+usage.Cut(w.o.Class), w.o.Threads)
	return err
}

// count sets the side and the terms within the bounds.
func (w *WordList) count() error {
	w.Side = w.corpus.Side
	names, cells := w.corpus.counts.Names, &w.corpus.counts.Cells
	if w.class >= 0 {
		w.Documents, w.Tokens, w.Terms = int(cells.ClassDocs[w.class]), int(cells.ClassTokens[w.class]), 0
		w.Side.Words = w.wordsIn(w.class)
	}
	for t := range cells.Terms() {
		tf, df := w.uses(t, w.class)
		if tf > 0 && w.class >= 0 {
			w.Terms++
		}
		wanted := w.o.Terms == nil || slices.Contains(w.o.Terms, names.Term(t))
		if wanted && tf >= max(1, w.o.MinFreq) && df >= w.o.MinRange {
			use := Use{TF: tf, DF: df, PerMillion: perMillion(float64(tf), w.Side.Words)}
			w.Words = append(w.Words, Word{names.Term(t), use, float64(df) / float64(max(1, w.Documents)), t})
		}
	}
	switch w.Passed = len(w.Words); {
	case w.Passed == 0:
		return fmt.Errorf("%w: none of the %d terms has the least frequency, %d, and the least range, %d", ErrNoWords, w.Terms, max(1, w.o.MinFreq), max(1, w.o.MinRange))
	case w.by != nil && w.corpus.index == nil:
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
	return w.corpus.shortest(int(w.corpus.counts.Cells.ClassTokens[class]), func(t int) int {
		tf, _ := w.uses(t, class)
		return tf
	})
}

// list makes the list of the terms.
func (w *WordList) list(ctx context.Context) error {
	if w.by != nil {
		if err := w.disperse(ctx); err != nil {
			return err
		}
	}
	best := rank.Best[int]{Most: w.o.Top, Order: w.order}
	for i := range w.Words {
		best.Offer(i)
	}
	places := best.Sorted()
	words := make([]Word, len(places))
	for i, place := range places {
		words[i] = w.Words[place]
	}
	w.Words = words
	if w.by == nil {
		if err := w.disperse(ctx); err != nil {
			return err
		}
	}
	if w.o.ByClass {
		w.Classes = w.corpus.counts.Classes()
		for class := range w.Classes {
			w.classWords = append(w.classWords, w.wordsIn(class))
		}
	}
	if w.partial = w.corpus.counts.Whole("corpus"); w.partial != nil {
		w.Warnings = append(w.Warnings, fmt.Sprintf("terms are missing, and rates are of those that are there: %v", w.partial))
	}
	if why := w.corpus.undispersed(); why != "" {
		w.Warnings = append(w.Warnings, why)
	}
	return nil
}

// disperse sets the dispersions of the words.
func (w *WordList) disperse(ctx context.Context) (err error) {
	if _, err := w.corpus.disperse(ctx, -1); err != nil { // which looks at the documents, once
		return err
	}
	return pool.Run(ctx, w.o.Threads, (len(w.Words)+chunkTerms-1)/chunkTerms, func(_, chunk int) (err error) {
		for i := chunk * chunkTerms; i < min(len(w.Words), (chunk+1)*chunkTerms) && err == nil; i++ {
			word := &w.Words[i]
			word.Dispersion, err = w.corpus.disperse(ctx, word.number)
		}
		return err
	})
}

// order compares two of the words, the first of them first.
func (w *WordList) order(i, j int) int {
	a, b, first := &w.Words[i], &w.Words[j], 0
	switch {
	case w.by != nil:
		v, other := w.by(&a.Dispersion), w.by(&b.Dispersion)
		if first = cmp.Compare(v, other); math.IsNaN(v) || math.IsNaN(other) {
			first = -first // for which NaN is below all
		}
	case w.o.Order == ByDocuments:
		first = cmp.Compare(b.DF, a.DF)
	case w.o.Order == ByTerm:
		first = strings.Compare(a.Term, b.Term)
	}
	return cmp.Or(first, cmp.Compare(b.TF, a.TF), cmp.Compare(b.DF, a.DF), strings.Compare(a.Term, b.Term))
}

// ByClass appends to dst how each of the classes uses a word of the list, by its place. Thousands of classes times all
// words would take gigabytes at once.
func (w *WordList) ByClass(dst []ClassWord, word int) []ClassWord {
	for class, words := range w.classWords {
		use := ClassWord{PerMillion: math.NaN()}
		if use.TF, use.DF = w.uses(w.Words[word].number, class); words > 0 {
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

// A Dispersion says how evenly a term is spread over the documents of a corpus that have
// any term. All of it is NaN, undefined, if the corpus has less than two such documents
// or none with the term, and in statistics, which know no documents.
type Dispersion struct {
	// DP is Gries's deviation of proportions, half of Σ|v/f - s| over the documents, v of
	// the f occurrences being in a document with the share s of all tokens: 0 if the term
	// is spread as the tokens are, near 1 if it is in few documents (Gries 2008).
	DP float64
	// DPNorm is DP/(1 - the least s), whose largest value is 1 (Lijffijt and Gries 2012).
	DPNorm float64
	// D is Juilland's D, 1 - V/√(n-1), V being the coefficient of variation of the
	// relative frequencies in the n documents: 1 if they are all equal, 0 if only one
	// document has the term.
	D float64
}

// undefined is the dispersion where there is none.
var undefined = Dispersion{math.NaN(), math.NaN(), math.NaN()}

// lengths are the documents of a corpus as parts over which terms are spread.
type lengths struct {
	tokens []float64 // of each document
	total  float64
	parts  int     // documents with tokens
	least  float64 // tokens of the shortest part
}

// measure sets the lengths of the documents of a side with an index, once.
func (s *side) measure(ctx context.Context) error {
	if s.parts != nil {
		return nil
	}
	tokens, err := s.index.DocumentTokens(ctx)
	if err != nil {
		return err
	}
	l := &lengths{tokens: tokens, least: math.Inf(1)}
	for _, n := range tokens {
		if n > 0 {
			l.parts++
			l.total += n
			l.least = min(l.least, n)
		}
	}
	s.parts = l
	return nil
}

// dispersion returns the dispersion of a term. The sum of DP is one of whole numbers, and
// exact below 2^53.
func (l *lengths) dispersion(p *postings.List) Dispersion {
	if l.parts < 2 || len(p.Docs) == 0 {
		return undefined
	}
	d := Dispersion{DP: l.deviation(p)}
	d.DPNorm = min(1, d.DP/(1-l.least/l.total))
	n, rates := float64(l.parts), 0.0
	for i, v := range p.TF {
		rates += v / l.tokens[p.Docs[i]]
	}
	mean := rates / n
	squares := (n - float64(len(p.Docs))) * mean * mean
	for i, v := range p.TF {
		gap := v/l.tokens[p.Docs[i]] - mean
		squares += float64(gap * gap)
	}
	d.D = max(0, 1-math.Sqrt(squares/n)/mean/math.Sqrt(n-1))
	return d
}

// deviation returns the deviation of proportions of a term that occurs.
func (l *lengths) deviation(p *postings.List) float64 {
	frequency, covered := 0.0, 0.0
	for i, v := range p.TF {
		frequency += v
		covered += l.tokens[p.Docs[i]]
	}
	// Σ|v·T - f·n|, in documents without the term f·n.
	sum := float64(frequency * (l.total - covered))
	for i, v := range p.TF {
		sum += math.Abs(kernels.DiffOfProducts(v, l.total, frequency, l.tokens[p.Docs[i]]))
	}
	return sum / frequency / l.total / 2
}

// A Document is a document with a term.
type Document struct {
	ID     string
	Labels []string
	TF     float64 // occurrences of the term, or its value
	Length float64 // tokens of the document, or the sum of its values
}

// Documents returns for each term the n documents of a corpus in which it occurs most
// often; of equal ones that which was read first. A term that the corpus lacks has none.
func Documents(ctx context.Context, c *corpus.Corpus, n int, terms ...string) ([][]Document, error) {
	switch {
	case c == nil:
		return nil, usage.Errorf("a nil corpus was given")
	case n <= 0:
		return nil, usage.Errorf("the number of documents must be positive, not %d", n)
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	lengths, err := x.DocumentTokens(ctx)
	if err != nil {
		return nil, err
	}
	names, err := x.DocumentIDs()
	if err != nil {
		return nil, err
	}
	order, err := x.InputOrder()
	if err != nil {
		return nil, err
	}
	place := make([]int, len(order)) // in the input, by document
	for at, doc := range order {
		place[doc] = at
	}
	found := make([][]Document, len(terms))
	var p postings.List
	err = x.Each(ctx, len(terms), func(i int) error {
		term, ok := c.Lookup(terms[i])
		if !ok {
			return nil
		}
		if err := x.Read(term, &p); err != nil {
			return err
		}
		best := rank.Best[int]{Most: n, Order: func(i, j int) int { // of places in the list
			return cmp.Or(cmp.Compare(p.TF[j], p.TF[i]), cmp.Compare(place[p.Docs[i]], place[p.Docs[j]]))
		}}
		for at := range p.Docs {
			best.Offer(at)
		}
		for _, at := range best.Sorted() {
			doc := p.Docs[at]
			d := Document{ID: names.Term(int(doc)), TF: p.TF[at], Length: lengths[doc]}
			for _, class := range c.Labels(int(doc)) {
				d.Labels = append(d.Labels, c.Classes()[class])
			}
			found[i] = append(found[i], d)
		}
		return nil
	})
	return found, err
}
