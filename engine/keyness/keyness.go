package keyness

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// ErrNoKeys is returned if no term passes.
var ErrNoKeys = usage.NewError(usage.ErrNothing, "no key words")

// A Correction corrects p-values for the number of terms that are tested.
type Correction string

// The corrections. The zero value is Holm's.
const (
	Holm Correction = "holm" // any wrong key among those with p < α has probability α at most
	BH   Correction = "bh"   // Benjamini and Hochberg: of the keys with p <= q a share of q is wrong on average
	None Correction = "none"
)

// Corrections lists the corrections.
func Corrections() []Correction { return []Correction{Holm, BH, None} }

// Options say which keys to find. The zero value finds all, ranked by [LL].
type Options struct {
	Measure Measure
	// MinFreq and MinRange are the least occurrences of a key, and the least documents
	// that have it, in the corpus that uses it more. Other terms are not tested, and do
	// not count for the correction.
	MinFreq, MinRange int
	// Correction corrects the p-values; "" is [Holm].
	Correction Correction
	// MaxP is the largest corrected p-value of a key; 0 is no bound.
	MaxP float64
	// Exact takes the p-values from Fisher's exact test, two-sided.
	Exact bool
	// NoYates computes [Chi] without Yates's correction.
	NoYates bool
	// Top is the largest number of positive, and of negative, keys; 0 gives all.
	Top int
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Validate returns a [usage.ErrUsage] for options that are wrong whatever the corpora.
func (o Options) Validate() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns the options with their defaults, or a [usage.ErrUsage].
func (o Options) withDefaults() (_ Options, err error) {
	if o.Measure, err = parseMeasure(o.Measure); err != nil {
		return o, err
	}
	o.Correction = cmp.Or(o.Correction, Holm)
	if !slices.Contains(Corrections(), o.Correction) {
		return o, usage.Unknown("correction", string(o.Correction), []string{string(Holm), string(BH), string(None)})
	}
	switch {
	case o.MinFreq < 0, o.MinRange < 0, o.Top < 0:
		return o, usage.Errorf("the least frequency, the least range and the number of keys must not be negative: %d, %d, %d", o.MinFreq, o.MinRange, o.Top)
	case !(o.MaxP >= 0 && o.MaxP <= 1):
		return o, usage.Errorf("the largest p-value must be from 0 to 1, not %v", o.MaxP)
	}
	return o, nil
}

// A Use says how a corpus uses a term.
type Use struct {
	TF         int // occurrences
	PerMillion float64
	DF         int // documents with the term: its range
	Dispersion Dispersion
}

// A Key is a term with its frequencies in both corpora and its measures, see [Measure].
type Key struct {
	Term string
	// Sign is 1 if the target uses the term more, -1 if the reference does, and 0 if their
	// relative frequencies are equal.
	Sign              int
	Target, Reference Use

	Value float64 // by the measure of the options

	LL, G2, Chi, Z, LogRatio, Diff, ELL, OddsRatio, BIC, PMI float64

	// Log10P is the logarithm of the p-value, Log10Corrected that of the corrected one: of
	// G2, Chi and Z if keys are ranked by these, else of LL. Log10Corrected is NaN for a
	// term that was not tested.
	Log10P, Log10Corrected float64
}

// Of returns the value of a measure, NaN for an unknown one.
func (k *Key) Of(m Measure) float64 {
	switch m {
	case LL:
		return k.LL
	case G2:
		return k.G2
	case Chi:
		return k.Chi
	case Z:
		return k.Z
	case LogRatio:
		return k.LogRatio
	case Diff:
		return k.Diff
	case ELL:
		return k.ELL
	case OddsRatio:
		return k.OddsRatio
	case BIC:
		return k.BIC
	case PMI:
		return k.PMI
	}
	return math.NaN()
}

// A Comparison has the keys of two corpora. Only one goroutine may use it at a time.
type Comparison struct {
	Target, Reference Side
	Options           Options // with their defaults
	Tested            int     // terms with the least frequency and range
	// Passed is the number of positive and of negative keys before Options.Top.
	PassedPositive, PassedNegative int
	// Positive and Negative are the keys, best first. Of equal ones the more frequent
	// comes first, then the one with the lesser bytes.
	Positive, Negative []Key
	// Warnings are remarks for people.
	Warnings []string

	target, reference *side
	pairs             []pair
	values, lnP       []float64 // by pair
	corrected         []float64 // NaN where not tested
	scorer            *scorer
}

// Compare finds the key words of a target against a reference. Their classes play no part.
//
// Both must have been analysed in the same way, else the error is an
// [ingest.DifferenceError]; terms must not be bounded by document frequency, else it wraps
// store.ErrPruned. If no term passes the bounds of the options, it is [ErrNoKeys].
func Compare(ctx context.Context, target, reference *corpus.Corpus, o Options) (*Comparison, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := corpus.Comparable(target, reference); err != nil {
		return nil, err
	}
	c := &Comparison{Options: o}
	if c.target, err = newSide(ctx, target, "target", o.Threads); err != nil {
		return nil, err
	}
	if c.reference, err = newSide(ctx, reference, "reference", o.Threads); err != nil {
		return nil, err
	}
	c.Target, c.Reference = c.target.Side, c.reference.Side
	c.scorer = c.newScorer()
	err = pool.Stage(ctx, "score", func(ctx context.Context) error { return c.find(ctx) })
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Comparison) newScorer() *scorer {
	return newScorer(float64(c.Target.Tokens), float64(c.Reference.Tokens), !c.Options.NoYates)
}

// find tests all terms and takes the keys.
func (c *Comparison) find(ctx context.Context) error {
	c.pairs = join(c.target.counts.Terms, c.reference.counts.Terms)
	if err := c.score(ctx); err != nil {
		return err
	}
	tested := c.tested()
	c.correct(tested)
	if err := c.take(ctx, tested); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		side *side
	}{{"target", c.target}, {"reference", c.reference}} {
		if s.side.parts != nil && s.side.parts.parts == 1 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the %s is one document: the dispersion in it is undefined", s.name))
		}
	}
	return nil
}

// table returns the frequencies of a pair.
func (c *Comparison) table(p pair) table {
	return table{c.target.frequency(p.target), c.reference.frequency(p.reference)}
}

// chunkTerms is the number of terms that a worker scores at a time.
const chunkTerms = 1 << 12

// A memo keeps the values of tables with small frequencies, which most terms have.
type memo struct {
	scorer *scorer
	known  [smallTable * smallTable]bool
	value  [smallTable * smallTable]float64
	lnP    [smallTable * smallTable]float64
}

// of returns the value and ln p of a table.
func (m *memo) of(o *Options, t table) (value, lnP float64) {
	if !t.isSmall() {
		return m.scorer.value(o.Measure, t), m.scorer.lnP(o.Measure, t, o.Exact)
	}
	i := t.number()
	if !m.known[i] {
		m.known[i], m.value[i], m.lnP[i] = true, m.scorer.value(o.Measure, t), m.scorer.lnP(o.Measure, t, o.Exact)
	}
	return m.value[i], m.lnP[i]
}

// score computes the values and the p-values of all terms.
func (c *Comparison) score(ctx context.Context) error {
	c.values, c.lnP = make([]float64, len(c.pairs)), make([]float64, len(c.pairs))
	memos := make([]*memo, pool.Threads(c.Options.Threads))
	return pool.Run(ctx, c.Options.Threads, (len(c.pairs)+chunkTerms-1)/chunkTerms, func(worker, chunk int) error {
		m := memos[worker]
		if m == nil {
			m = &memo{scorer: c.newScorer()}
			memos[worker] = m
		}
		for i := chunk * chunkTerms; i < min(len(c.pairs), (chunk+1)*chunkTerms); i++ {
			c.values[i], c.lnP[i] = m.of(&c.Options, c.table(c.pairs[i]))
		}
		return nil
	})
}

// sign returns the sign of a key.
func (c *Comparison) sign(t table) int { return cmp.Compare(c.scorer.gap(t), 0) }

// tested returns the places of the pairs that have the least frequency and range in the
// corpus that uses them more, or in either if both do alike.
func (c *Comparison) tested() []int {
	var places []int
	for i, p := range c.pairs {
		t := c.table(p)
		sign := c.sign(t)
		enough := sign >= 0 && int(t.a) >= c.Options.MinFreq && c.target.documents(p.target) >= c.Options.MinRange ||
			sign <= 0 && int(t.b) >= c.Options.MinFreq && c.reference.documents(p.reference) >= c.Options.MinRange
		if enough {
			places = append(places, i)
		}
	}
	c.Tested = len(places)
	return places
}

// correct sets the corrected p-values of the tested pairs. Those with the same small
// frequencies are one test with ties: they are most, and need not be put in order.
func (c *Comparison) correct(tested []int) {
	var lnP []float64
	var ties []int
	group := make([]int, len(tested)) // the test of each pair
	var small [smallTable * smallTable]int
	for i, place := range tested {
		at := &group[i]
		if t := c.table(c.pairs[place]); t.isSmall() {
			at = &small[t.number()]
		}
		if *at == 0 {
			lnP, ties = append(lnP, c.lnP[place]), append(ties, 0)
			*at = len(lnP)
		}
		group[i] = *at
		ties[*at-1]++
	}
	switch c.Options.Correction {
	case Holm:
		pvalue.AdjustHolmTies(lnP, lnP, ties)
	case BH:
		pvalue.AdjustFDRTies(lnP, lnP, ties)
	}
	c.corrected = make([]float64, len(c.pairs))
	for i := range c.corrected {
		c.corrected[i] = math.NaN()
	}
	for i, place := range tested {
		c.corrected[place] = lnP[group[i]-1]
	}
}

// take fills the lists of keys from the tested pairs.
func (c *Comparison) take(ctx context.Context, tested []int) error {
	bound := math.Inf(1)
	if c.Options.MaxP > 0 {
		bound = kernels.Log(c.Options.MaxP)
	}
	positive, negative := newBest(c, true), newBest(c, false)
	for _, place := range tested {
		if !(c.corrected[place] <= bound) {
			continue
		}
		switch c.sign(c.table(c.pairs[place])) {
		case 1:
			positive.add(place)
		case -1:
			negative.add(place)
		}
	}
	c.PassedPositive, c.PassedNegative = positive.offered, negative.offered
	if c.PassedPositive+c.PassedNegative == 0 {
		return c.noKeys()
	}
	for _, b := range []struct {
		list *best
		keys *[]Key
	}{{positive, &c.Positive}, {negative, &c.Negative}} {
		for _, place := range b.list.sorted() {
			key, err := c.key(ctx, place)
			if err != nil {
				return err
			}
			*b.keys = append(*b.keys, key)
		}
	}
	return nil
}

// noKeys returns the error for two lists without keys.
func (c *Comparison) noKeys() error {
	o, all := c.Options, len(c.pairs)
	switch {
	case c.Tested == 0:
		return fmt.Errorf("%w: none of the %d terms has %d occurrences in %d documents of the corpus that uses it more", ErrNoKeys, all, o.MinFreq, o.MinRange)
	case o.MaxP > 0:
		return fmt.Errorf("%w: none of the %d terms tested has a p-value of %v or less, by correction %s", ErrNoKeys, c.Tested, o.MaxP, o.Correction)
	}
	return fmt.Errorf("%w: both corpora use each of the %d terms tested alike", ErrNoKeys, c.Tested)
}

// key returns the key of a pair.
func (c *Comparison) key(ctx context.Context, place int) (Key, error) {
	p, s := c.pairs[place], c.scorer
	t := c.table(p)
	k := Key{
		Term: c.term(p), Sign: c.sign(t), Value: c.values[place],
		LL: s.value(LL, t), G2: s.value(G2, t), Chi: s.value(Chi, t), Z: s.value(Z, t), LogRatio: s.value(LogRatio, t),
		Diff: s.value(Diff, t), ELL: s.value(ELL, t), OddsRatio: s.value(OddsRatio, t), BIC: s.value(BIC, t), PMI: s.value(PMI, t),
		Log10P: rank.Log10(c.lnP[place]), Log10Corrected: rank.Log10(c.corrected[place]),
	}
	for _, u := range []struct {
		use  *Use
		side *side
		term int32
		tf   float64
	}{{&k.Target, c.target, p.target, t.a}, {&k.Reference, c.reference, p.reference, t.b}} {
		d, err := u.side.disperse(ctx, u.term)
		if err != nil {
			return k, err
		}
		*u.use = Use{TF: int(u.tf), PerMillion: 1e6 * u.tf / float64(u.side.Tokens), DF: u.side.documents(u.term), Dispersion: d}
	}
	return k, nil
}

// term returns the bytes of a pair's term.
func (c *Comparison) term(p pair) string {
	if p.target >= 0 {
		return c.target.counts.Terms.Term(int(p.target))
	}
	return c.reference.counts.Terms.Term(int(p.reference))
}

// Of returns a term as a key, whether or not it passes the bounds of the options. If
// neither corpus has the term, the error is a [usage.UnknownError] that names similar ones.
func (c *Comparison) Of(ctx context.Context, term string) (Key, error) {
	if place, ok := slices.BinarySearchFunc(c.pairs, term, func(p pair, want string) int { return strings.Compare(c.term(p), want) }); ok {
		return c.key(ctx, place)
	}
	all := func(yield func(string) bool) {
		for _, p := range c.pairs {
			if !yield(c.term(p)) {
				return
			}
		}
	}
	return Key{}, &usage.UnknownError{
		Kind: "term", Name: term, Near: usage.Nearest(term, all), Remedy: fmt.Sprintf("neither corpus has it; together they have %d terms", len(c.pairs)),
	}
}

// A Count is a term with its occurrences in the two corpora.
type Count struct {
	Term              string
	Target, Reference int
}

// Counts yields all terms of the two corpora, tested or not, in the order of their bytes.
func (c *Comparison) Counts() iter.Seq[Count] {
	return func(yield func(Count) bool) {
		for _, p := range c.pairs {
			t := c.table(p)
			if !yield(Count{c.term(p), int(t.a), int(t.b)}) {
				return
			}
		}
	}
}

// best keeps the best places of keys of one sign.
type best struct {
	c        *Comparison
	positive bool
	offered  int
	places   []int // sorted if Options.Top bounds them
}

func newBest(c *Comparison, positive bool) *best { return &best{c: c, positive: positive} }

// order compares two places, the better one first.
func (b *best) order(i, j int) int {
	m, c := b.c.Options.Measure, b.c
	if d := cmp.Compare(strength(m, c.values[j], b.positive), strength(m, c.values[i], b.positive)); d != 0 {
		return d
	}
	s, t := c.table(c.pairs[i]), c.table(c.pairs[j])
	if d := cmp.Compare(t.a+t.b, s.a+s.b); d != 0 {
		return d
	}
	return cmp.Compare(i, j) // pairs are in the order of their bytes
}

func (b *best) add(place int) {
	b.offered++
	top := b.c.Options.Top
	if top == 0 {
		b.places = append(b.places, place)
		return
	}
	if n := len(b.places); n == top {
		if b.order(place, b.places[n-1]) > 0 {
			return
		}
		b.places = b.places[:n-1]
	}
	at, _ := slices.BinarySearchFunc(b.places, place, b.order)
	b.places = slices.Insert(b.places, at, place)
}

// sorted returns the places, best first.
func (b *best) sorted() []int {
	if b.c.Options.Top == 0 {
		slices.SortFunc(b.places, b.order)
	}
	return b.places
}
