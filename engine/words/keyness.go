package words

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// ErrNoKeys is returned if no term passes.
var ErrNoKeys = usage.NewError(usage.ErrNothing, "no key words")

// The corrections of p-values for the number of terms that are tested.
const (
	Holm = "holm" // any wrong key among those with p < α has probability α at most
	BH   = "bh"   // Benjamini and Hochberg: of the keys with p <= q a share of q is wrong on average
	None = "none"
)

// corrections has all of them.
var corrections = []string{Holm, BH, None}

// The units that measures count of a term.
const (
	ofTokens    = "tokens"    // occurrences, of all tokens
	ofDocuments = "documents" // documents with the term, of all documents
)

// units has both.
var units = []string{ofTokens, ofDocuments}

// KeynessOptions say which keys to find. The zero value finds all, ranked by [LL].
type KeynessOptions struct {
	Measure Measure
	// Also are further measures that keys have the values of.
	Also []Measure
	// CountBy is what measures of occurrences count, "tokens" or "documents" with the term; "" is tokens. With
	// documents LL, for example, is that of documents, and Use tells both counts as ever.
	CountBy string
	// MinFreq and MinRange are the least occurrences of a key, and the least documents
	// that have it, in the corpus that uses it more. Other terms are not tested, and do
	// not count for the correction.
	MinFreq, MinRange int
	// Correction corrects the p-values, see [Holm], which "" is.
	Correction string
	// MaxP is the largest corrected p-value of a key; 0 is no bound.
	MaxP float64
	// Permutations is the number of permutations that p-values come from, up to [rank.MostDraws]: the
	// documents that are the target are drawn anew from all, and p is (1 + hits)/(1 + Permutations),
	// a hit being a draw in which the value is at least as far from 0. If there are no more
	// divisions of the documents, each is taken once, and p is the share of hits, the observed
	// division included. 0 takes the p-values that the measures have.
	Permutations int
	// Seed chooses the permutations.
	Seed uint64
	// MaxT takes the corrected p-values from the largest value of all tested terms in each
	// permutation (Westfall and Young 1993), in place of Correction.
	MaxT bool
	// Exact takes the p-values from Fisher's exact test, two-sided.
	Exact bool
	// NoYates computes [Chi] without Yates's correction.
	NoYates bool
	// Conf is the confidence of the bounds of [LRC] and [LRCPos]; 0 is 0.95. Unless Correction is
	// [None], it is that of all tested terms together (Bonferroni).
	Conf float64
	// Smooth is k of [SimpleMaths], in occurrences a million; 0 is 1.
	Smooth float64
	// ZetaC is c of [ZetaLog]; 0 is 1.1.
	ZetaC float64
	// Top is the largest number of positive, and of negative, keys; 0 gives all.
	Top int
	// Drift parts the keys by how their use changed from the reference, the earlier corpus, to the target: into new,
	// gone, rising and falling ones.
	Drift bool
	// AllowNone permits a comparison without keys, which [Comparison.Of] asks for terms.
	AllowNone bool
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Settings declares the options that users set, beside those that the command and the library for C, Python and R have
// in forms of their own. Their values are the fields of o. There are bounds on keys by default: below five occurrences
// the distribution of the test statistic is rough.
func (o *KeynessOptions) Settings() []usage.Setting {
	measures := namesOf(KeynessMeasures())
	return []usage.Setting{
		{Name: "by", To: (*string)(&o.Measure), Default: string(LL), Choices: measures, Help: "measure that ranks the keys: " + strings.Join(measures, ", ")},
		{
			Name: "max-p", To: &o.MaxP, Default: .05, Positive: true, Most: 1,
			Help: "largest corrected p-value of a key; 1 for all (with --permutations 1, unless --maxt is there)",
		},
		{Name: "min-freq", To: &o.MinFreq, Default: 5, Positive: true, Most: math.MaxInt, Help: "least occurrences in the corpus that uses the term more"},
		{Name: "min-range", To: &o.MinRange, Default: 1, Positive: true, Most: math.MaxInt, Help: "least documents with the term in the corpus that uses it more"},
		{
			Name: "count-by", To: &o.CountBy, Default: ofTokens, Choices: units, More: true,
			Help: "what measures of occurrences count: " + strings.Join(units, ", ") + " with the term",
		},
		{Name: "smooth", To: &o.Smooth, Default: 1., More: true, Positive: true, Help: "constant k of simplemaths, occurrences in a million"},
		{Name: "conf", To: &o.Conf, Default: .95, More: true, Share: true, Help: "confidence of lrc and lrcpos, for all tested terms together; of each with --correct none"},
		{Name: "zeta-c", To: &o.ZetaC, Default: 1.1, More: true, Positive: true, Help: "constant c of zetalog"},
		{Name: "exact", To: &o.Exact, More: true, Help: "p-values by Fisher's exact test, two-sided"},
		{
			Name: "correct", To: &o.Correction, Default: Holm, Choices: corrections, More: true,
			Help: "correction of the p-values: " + strings.Join(corrections, ", ") + "; bh is Benjamini and Hochberg's",
		},
		{Name: "permutations", To: &o.Permutations, NotNegative: true, Most: rank.MostDraws, Help: "p-values by so many draws of the documents that are A, for any measure"},
		{Name: "maxt", To: &o.MaxT, Help: "corrected p-values by the largest value of all terms in each permutation (Westfall and Young)"},
		{Name: "seed", To: &o.Seed, More: true, Help: "which permutations"},
	}
}

// Bound takes the largest corrected p-value that users set, or that is the default unless it was given. 1 is no bound. Nor
// is there a default for permutations without MaxT: corrected p-values of fewer of them than terms are never that small.
func (o *KeynessOptions) Bound(given bool) {
	if o.MaxP == 1 || o.Permutations > 0 && !o.MaxT && !given {
		o.MaxP = 0
	}
}

// WithDefaults returns the options with their defaults, or a [usage.ErrUsage] for options that are wrong whatever the
// corpora.
func (o KeynessOptions) WithDefaults() (_ KeynessOptions, err error) {
	o.Measure, o.Correction = Measure(score.Canonical(string(cmp.Or(o.Measure, LL)))), cmp.Or(o.Correction, Holm)
	switch {
	case keyMeasureOf(o.Measure) == nil:
		return o, rank.UnknownMeasure("measure of keyness", string(o.Measure), namesOf(KeynessMeasures()))
	case !slices.Contains(units, cmp.Or(o.CountBy, ofTokens)):
		return o, usage.Unknown("unit that measures count", o.CountBy, units)
	case !(o.Conf >= 0 && o.Conf < 1):
		return o, usage.Errorf("the confidence of %s must be above 0 and below 1, not %v", LRC, o.Conf)
	case !isParameter(o.Smooth), !isParameter(o.ZetaC):
		return o, usage.Errorf("k of %s and c of %s must be positive numbers, not %v and %v", SimpleMaths, ZetaLog, o.Smooth, o.ZetaC)
	case !slices.Contains(corrections, o.Correction):
		return o, usage.Unknown("correction", o.Correction, corrections)
	case o.MinFreq < 0, o.MinRange < 0, o.Top < 0:
		return o, usage.Errorf("the least frequency, the least range and the number of keys must not be negative: %d, %d, %d", o.MinFreq, o.MinRange, o.Top)
	case !(o.MaxP >= 0 && o.MaxP <= 1):
		return o, usage.Errorf("the largest p-value must be from 0 to 1, not %v", o.MaxP)
	case o.Exact && keyMeasureOf(o.Measure).listed != nil:
		return o, usage.Errorf("Fisher's exact test is one of counts, and %s looks at the share of a term in each document: omit the exact test", o.Measure)
	case o.Permutations < 0 || o.Permutations > rank.MostDraws:
		return o, usage.Errorf("the number of permutations must be 1 to %d, not %d", rank.MostDraws, o.Permutations)
	case o.MaxT && o.Permutations == 0:
		return o, usage.Errorf("the largest value of all terms is that of permutations: say how many")
	case o.Exact && o.Permutations > 0:
		return o, usage.Errorf("p-values come from Fisher's exact test or from permutations: omit one")
	}
	for _, m := range o.Also {
		if keyMeasureOf(m) == nil {
			return o, rank.UnknownMeasure("measure of keyness", string(m), namesOf(KeynessMeasures()))
		}
	}
	return o, nil
}

// isParameter tells whether a number is a constant of a formula, or 0 for its default.
func isParameter(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }

// columns returns the measures that keys have the values of, in the order of [KeynessMeasures].
func (o *KeynessOptions) columns() (names []Measure) {
	for _, d := range keyMeasures {
		if !d.optional || d.Measure == o.Measure || d.beside == o.Measure || slices.Contains(o.Also, d.Measure) {
			names = append(names, d.Measure)
		}
	}
	return names
}

// A Use says how a corpus uses a term.
type Use struct {
	TF         int     // occurrences
	PerMillion float64 // occurrences in a million [Side.Words]
	DF         int     // documents with the term: its range; -1 if a frequency list does not tell
	Dispersion Dispersion
}

// A Key is a term with its frequencies in both corpora and its measures, see [Measure].
type Key struct {
	Term string
	// Sign is 1 if the target uses the term more, -1 if the reference does, and 0 if their
	// relative frequencies, of documents for a measure of these, are equal.
	Sign              int
	List              string // the name of its [KeyList]; of a term with sign 0 that has none "neither", of drift "steady"
	Target, Reference Use

	Value    float64 // by the measure of the options
	measures []Measure
	values   []float64 // by the measures

	// Log10P is the logarithm of the p-value, Log10Corrected that of the corrected one: of
	// G2, Chi and Z if keys are ranked by these, else of LL, or for a measure of documents of G2 of
	// documents. Log10Corrected is NaN for a term that was not tested.
	Log10P, Log10Corrected float64
}

// Of returns the value of one of [Comparison.Measures], NaN for another.
func (k *Key) Of(m Measure) float64 {
	if i := slices.Index(k.measures, m); i >= 0 {
		return k.values[i]
	}
	return math.NaN()
}

// A KeyList has the keys of one sign, "positive" or "negative". Those of drift are "new", which the reference lacks,
// "gone", which the target lacks, "rising" or "falling". Of equal keys the more frequent comes first, then the one with
// the lesser bytes.
type KeyList struct {
	Name   string
	Passed int   // their number before KeynessOptions.Top
	Keys   []Key // best first
}

// A Comparison has the keys of two corpora. Only one goroutine may use it at a time.
type Comparison struct {
	Target, Reference Side
	Options           KeynessOptions // with their defaults
	Tested            int            // terms with the least frequency and range
	// Measures are those that keys have the values of: those that are always there, that of the options, and those they
	// ask for.
	Measures []Measure
	Lists    []KeyList
	// Warnings are remarks for people.
	Warnings []string

	sides       [2]*side       // the target and the reference
	pairs       []table.United // the terms of both, by their bytes
	tested      []int          // places of the terms that are tested
	values, lnP []float64      // by pair; of a measure of counts, without permutations, of the tested ones alone
	ties        []float64      // likewise; nil unless equal values are in the order of these
	signs       []int8         // likewise
	corrected   []float64      // NaN where not tested
	reached     *rank.Reached  // by permutations; else nil
	by          *keyMeasure
	unit        string // that the measure counts
	totals      map[string]*totals
	scorers     map[string]*scorer
	lists       *listedPair // nil unless a measure needs it
}

// Keyness finds the key words of a target against a reference: the terms that it uses more, or less. They are corpora,
// statistics or a [FrequencyList]. Their classes play no part. In statistics the dispersion of a term is undefined; all
// else is as in the corpus that they were counted in.
//
// Both must have been analysed in the same way, else the error is a
// [table.DifferenceError]; terms must not be bounded by document frequency, else it wraps
// [table.ErrPruned]. If no term passes the bounds of the options, it is [ErrNoKeys], unless they allow that.
func Keyness(ctx context.Context, target, reference rank.Counted, o KeynessOptions) (*Comparison, error) {
	c, err := newComparison(ctx, [2]rank.Counted{target, reference}, o)
	if err != nil {
		return nil, err
	}
	if err := c.take(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// newComparison returns a comparison whose terms are tested, but without keys.
func newComparison(ctx context.Context, of [2]rank.Counted, o KeynessOptions) (c *Comparison, err error) {
	if o, err = o.WithDefaults(); err != nil {
		return nil, err
	}
	c = &Comparison{Options: o, by: keyMeasureOf(o.Measure), Measures: o.columns()}
	c.unit = c.by.unitBy(&o)
	if c.sides, err = newSides(ctx, of, o.Threads); err != nil {
		return nil, err
	}
	c.Target, c.Reference = c.sides[target].Side, c.sides[reference].Side
	if err := c.needRanges(); err != nil {
		return nil, err
	}
	c.totals = map[string]*totals{
		ofTokens:    newTotals(pair{float64(c.Target.Tokens), float64(c.Reference.Tokens)}),
		ofDocuments: newTotals(pair{float64(c.Target.Documents), float64(c.Reference.Documents)}),
	}
	if err := c.openLists(ctx); err != nil {
		return nil, err
	}
	return c, pool.Stage(ctx, "score", c.test)
}

// newScorer returns a scorer for one goroutine.
func (c *Comparison) newScorer(u string) *scorer {
	return c.Options.newScorer(u, c.totals[u], c.Tested)
}

// test tests all terms.
func (c *Comparison) test(ctx context.Context) error {
	c.pairs = table.Unite(c.sides[target].counts.Names, c.sides[reference].counts.Names)
	c.signs = make([]int8, len(c.pairs))
	c.values, c.lnP = make([]float64, len(c.pairs)), make([]float64, len(c.pairs))
	if c.by.tied {
		c.ties = make([]float64, len(c.pairs))
	}
	if c.by.listed != nil {
		if err := c.judge(ctx); err != nil { // which tells the signs, too
			return err
		}
	}
	c.findTested()
	c.scorers = map[string]*scorer{ofTokens: c.newScorer(ofTokens), ofDocuments: c.newScorer(ofDocuments)}
	if c.by.listed == nil {
		if err := c.score(ctx); err != nil {
			return err
		}
	}
	if c.Options.Permutations > 0 {
		if err := c.permute(ctx); err != nil {
			return err
		}
	}
	c.correct()
	return nil
}

// warn warns about dispersions that are undefined in all keys, and about lists.
func (c *Comparison) warn() {
	for i, s := range c.sides {
		if why := s.undispersed(); why != "" {
			c.Warnings = append(c.Warnings, why)
		}
		if s.fromList {
			c.warnOfList(i)
		}
	}
}

// counts returns the counts of a pair in a unit.
func (c *Comparison) counts(u string, place int) (t pair) {
	for i, s := range c.sides {
		t[i] = s.count(u, c.pairs[place][i])
	}
	return t
}

// chunkTerms is the number of terms that a worker scores at a time.
const chunkTerms = 1 << 10

// score computes the values and the p-values of the tested terms, and of all for permutations, which anyone may ask
// for.
func (c *Comparison) score(ctx context.Context) error {
	places := c.tested
	if c.Options.Permutations > 0 {
		places = make([]int, len(c.pairs))
		for i := range places {
			places[i] = i
		}
	}
	scorers := make([]*scorer, pool.Threads(c.Options.Threads))
	return pool.Run(ctx, c.Options.Threads, (len(places)+chunkTerms-1)/chunkTerms, func(worker, chunk int) error {
		if scorers[worker] == nil {
			scorers[worker] = c.newScorer(c.unit)
		}
		c.scorePlaces(scorers[worker], places[chunk*chunkTerms:min(len(places), (chunk+1)*chunkTerms)])
		return nil
	})
}

// scorePlaces computes the values and the p-values of some terms.
func (c *Comparison) scorePlaces(s *scorer, places []int) {
	counts, values, lnP := make([]pair, len(places)), make([]float64, len(places)), make([]float64, len(places))
	for i, place := range places {
		counts[i] = c.counts(c.unit, place)
	}
	s.judge(c.by, counts, values, lnP)
	for i, place := range places {
		c.values[place], c.lnP[place] = values[i], lnP[i]
	}
	if c.ties != nil {
		s.formula(&twoCells, target, counts, values)
		for i, place := range places {
			c.ties[place] = values[i]
		}
	}
}

// findTested finds the pairs that have the least frequency and range in the corpus that
// uses them more, or in either if both do alike. Of a measure of counts it tells the signs of those that one corpus has
// often enough.
func (c *Comparison) findTested() {
	freq, docs := float64(c.Options.MinFreq), float64(c.Options.MinRange)
	for i := range c.pairs {
		tokens := c.counts(ofTokens, i)
		if max(tokens[target], tokens[reference]) < freq {
			continue
		}
		documents := c.counts(ofDocuments, i)
		switch {
		case c.by.listed != nil: // the signs are known
		case c.unit == ofDocuments:
			c.signs[i] = c.totals[ofDocuments].sign(documents)
		default:
			c.signs[i] = c.totals[ofTokens].sign(tokens)
		}
		for side, n := range tokens {
			enough := n >= freq && max(documents[side], min(n, 1)) >= docs // a list may not tell the documents
			if enough && c.signs[i] != [...]int8{-1, 1}[side] {
				c.tested = append(c.tested, i)
				break
			}
		}
	}
	c.Tested = len(c.tested)
}

// correct sets the corrected p-values of the tested pairs.
func (c *Comparison) correct() {
	lnP := make([]float64, len(c.tested))
	for i, place := range c.tested {
		lnP[i] = c.lnP[place]
		if c.Options.MaxT { // any wrong key among those with p < α has probability α at most
			lnP[i] = kernels.Log(c.reached.PMax(place))
		}
	}
	switch {
	case c.Options.MaxT:
	case c.Options.Correction == Holm:
		pvalue.AdjustHolm(lnP, lnP)
	case c.Options.Correction == BH:
		pvalue.AdjustFDR(lnP, lnP)
	}
	c.corrected = slices.Repeat([]float64{math.NaN()}, len(c.pairs))
	for i, place := range c.tested {
		c.corrected[place] = lnP[i]
	}
}
