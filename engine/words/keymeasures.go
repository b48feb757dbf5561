package words

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// Key words are ranked by [LL], [Z], [PMI] and the measures below.
//
// In the formulas a and b are the occurrences of a term in the target and the reference, T1
// and T2 the tokens of these, N = T1+T2, E1 = (a+b)·T1/N and E2 = (a+b)·T2/N; d1 and d2 are
// the documents with the term, n1 and n2 all documents, empty ones too.
//
// LL is log-likelihood of the cells of the term, 2·(a·ln(a/E1) + b·ln(b/E2)): Rayson and Garside 2000. Z is the z score
// of the log odds with a Dirichlet prior, that of measure logoddsz of package score: Monroe, Colaresi and Quinn 2008.
// PMI is ln(a/E1), and -inf for a = 0. These, G2, Chi, LogRatio and Diff are negative for negative keys.
const (
	// G2 is the log-likelihood ratio over all four cells: Dunning 1993.
	G2 Measure = "g2"
	// Chi is chi-square with Yates's correction, unless KeynessOptions say otherwise.
	Chi Measure = "chi"
	// LogRatio is log2((a/T1)/(b/T2)) with 1/2 for a frequency of 0: Hardie 2014.
	LogRatio Measure = "logratio"
	// Diff is %DIFF, 100·(a/T1 - b/T2)/(b/T2): Gabrielatos and Marchi 2012. It is infinite
	// for b = 0.
	Diff Measure = "diff"
	// ELL is the effect size of LL, LL/(N·ln(min(E1, E2))): Johnston, Berry and Mielke
	// 2006. It is NaN, undefined, where that expectation is at most 1.
	ELL Measure = "ell"
	// OddsRatio is a(T2-b)/(b(T1-a)). It is infinite for b = 0.
	OddsRatio Measure = "or"
	// BIC is |LL| - ln N: Wilson 2013. Above 2 there is evidence that frequencies differ,
	// above 10 very strong evidence; below 0 there is evidence that they do not.
	BIC Measure = "bic"
	// TDK, text dispersion keyness, is LL of documents, d1 and d2 of n1 and n2: Egbert and
	// Biber 2019. It finds what is in more texts, however often it is there.
	TDK Measure = "tdk"
	// LRC is the conservative log ratio: the bound on the side of 0 of the interval that Clopper and
	// Pearson (1934) give for the log ratio at the confidence of the options, and 0 for an interval
	// with 0 in it, which is that of a ratio that is not significant. Equal values, 0 above all, are
	// in the order of |LL|: Evert 2022.
	LRC Measure = "lrc"
	// LRCPos is the bound of the one-sided interval, which may lie below 0. That of a negative key is
	// the bound for the reference against the target, negated.
	LRCPos Measure = "lrcpos"
	// SimpleMaths is (10⁶·a/T1 + k)/(10⁶·b/T2 + k) with k of the options, above 0; 1 is equal use:
	// Kilgarriff 2009.
	SimpleMaths Measure = "simplemaths"
	// Zeta is p1 - p2, p1 and p2 being the shares d1/n1 and d2/n2, in [-1, 1]: Burrows 2007.
	Zeta Measure = "zeta"
	// ZetaCraig is p1 + (1 - p2), in [0, 2]: Craig and Kinney 2009.
	ZetaCraig Measure = "zetacraig"
	// ZetaEder is (p1 - p2)/(p1 + p2), in [-1, 1]: Eder, Rybicki and Kestemont 2016. It is 1 or -1
	// for what one corpus lacks.
	ZetaEder Measure = "zetaeder"
	// ZetaLog is log2(p1 + c) - log2(p2 + c) with c of the options: Schöch et al. 2018.
	ZetaLog Measure = "zetalog"
	// JLH is (g-h)·g/h, at least 0, with g = d1/n1 and h = (d1+d2)/(n1+n2): the score of Elasticsearch's
	// significant terms. That of a negative key is the score of the reference against the target, negated.
	JLH Measure = "jlh"
	// GND is exp(-d), in [0, 1], of the normalised Google distance d between the documents with the
	// term and those of the target: Cilibrasi and Vitányi 2007. What is frequent in both corpora has
	// a high value, too; the sign of a key is that of p1 - p2, and a negative key has the value of
	// the reference, negated.
	GND Measure = "gnd"

	// The measures below look at every document, see KeynessOptions.Permutations for p-values without
	// assumptions. x is the share of a term in a document, its occurrences there by the tokens; in
	// an empty document it is 0. They need the documents of both corpora.

	// Wilcoxon is z of the rank sum of x over all documents, with correction for ties and for
	// continuity: Wilcoxon 1945, Mann and Whitney 1947. A term that few documents repeat is no key by it.
	Wilcoxon Measure = "wilcoxon"
	// PSup is the probability that x is greater in a document of the target than in one of the
	// reference, in [0, 1]; equal ones count 1/2. It has the p-value of Wilcoxon.
	PSup Measure = "psup"
	// RankBiserial is 2·PSup - 1.
	RankBiserial Measure = "rank_biserial"
	// Welch is t of the mean of x, without equal variances: Welch 1947. It is NaN, undefined, if a
	// corpus is one document, and infinite if x differs, but within neither corpus.
	Welch Measure = "welch"
	// Eta is the deviation of proportions over all documents of the reference less that of the
	// target, in [-1, 1]: Du, Dudar, Rok and Schöch 2021. In a corpus without the term it is 1. The sign
	// of a key is that of p1 - p2, whatever its value.
	Eta Measure = "eta"
	// RRF is the ratio of the means of x. It is infinite for b = 0, and has the p-value of Welch.
	RRF Measure = "rrf"
)

// A keyMeasure says what a measure is and how keys by it are ordered and tested.
type keyMeasure struct {
	Measure
	// reads is what the measure counts; "" are tokens, or the unit of the options.
	reads string
	// formula is one of package score, of the target and of tokens, or the name of a measure there. It is that of the
	// target against the reference, as is bound, in place of it a function of the counts in all tokens of both.
	formula string
	bound   func(s *scorer, t, all pair) float64
	// signed gives the value the sign of the key.
	signed bool
	// oneSided says that the formula tells more use from less or equal use alone. The value of a negative
	// key is that of the reference against the target, negated.
	oneSided bool
	// rising says that of two negative keys, too, the better one has the larger value.
	rising bool
	// lnP returns ln p of the value. A measure that is no test, where it is nil, has the p-value of
	// the log-likelihood: of the two cells of a term's tokens, of the four cells of documents.
	lnP func(value float64) float64
	// tied puts keys of equal value in the order of their log-likelihood, not of their frequency.
	tied bool
	// listed judges a term by its documents in both corpora; nil of a measure of counts.
	listed func(p *listedPair) verdict
	// uncentred says that the value is not 0 where corpora do not differ.
	uncentred bool
	// optional says that keys have the value only if it is asked for, or if they are ranked by the
	// measure that it stands beside.
	optional bool
	beside   Measure
}

// Formulas of the target. gap is a·T2 - b·T1, without cancellation, as the logarithms of ratios need it.
const (
	gap       = "det(S,T-T_c,cf-S,T_c)"
	chi       = "abs(" + gap + ")/T_c*(abs(" + gap + ")/(T-T_c))/cf/(T-cf)*T"
	yates     = "max(0,abs(" + gap + ")-T/2)/T_c*(max(0,abs(" + gap + ")-T/2)/(T-T_c))/cf/(T-cf)*T"
	logRatio  = "lnratio(max(S,.5)*(T-T_c),max(cf-S,.5)*T_c,det(max(S,.5),T-T_c,max(cf-S,.5),T_c))/ln(2)"
	odds      = "S*(T-T_c-(cf-S))/((cf-S)*(T_c-S))"
	likely    = "2*(cf*T_c*excess(max(-1,det(T,S,cf,T_c)/(cf*T_c)))+cf*(T-T_c)*excess(max(-1,-det(T,S,cf,T_c)/(cf*(T-T_c)))))/T"
	expected  = "(cf*min(T_c,T-T_c)/T)"
	effect    = likely + "/(T*ln" + expected + ")+sqrt((" + expected + ">1)-1)" // undefined where the root is, for an expectation of 1 or less
	oddsRatio = "(" + odds + ")^(S*(T-T_c-(cf-S))!=(cf-S)*(T_c-S))"             // 1 where both odds are 0, too
)

// The log-likelihoods, from which other measures and p-values come.
var (
	twoCells  = keyMeasure{Measure: LL, formula: "g2tf", signed: true, lnP: chiSquareP}
	fourCells = keyMeasure{Measure: G2, formula: "g2tf", signed: true, lnP: chiSquareP}
)

// keyMeasures has all of them.
var keyMeasures = []keyMeasure{
	twoCells,
	fourCells,
	{Measure: Chi, formula: yates, signed: true, lnP: chiSquareP},
	{Measure: Z, formula: "logoddsz", lnP: pvalue.Normal},
	{Measure: LogRatio, formula: logRatio},
	{Measure: Diff, formula: "100*" + gap + "/((cf-S)*T_c)"},
	{Measure: ELL, formula: effect, rising: true},
	{Measure: OddsRatio, formula: oddsRatio, uncentred: true},
	{Measure: BIC, formula: likely + "-ln(T)", rising: true, uncentred: true},
	{Measure: PMI, formula: "lnratio(S*T,cf*T_c," + gap + ")"},
	{Measure: TDK, reads: ofDocuments, formula: "g2tf", signed: true, optional: true},
	{Measure: LRC, bound: func(s *scorer, t, all pair) float64 { return max(0, lowerLogRatio(t, all, s.risk()/2)) }, oneSided: true, tied: true, optional: true},
	{Measure: LRCPos, bound: func(s *scorer, t, all pair) float64 { return lowerLogRatio(t, all, s.risk()) }, oneSided: true, optional: true, uncentred: true},
	{Measure: SimpleMaths, formula: "simplemaths", optional: true, uncentred: true},
	{Measure: Zeta, reads: ofDocuments, formula: "zeta", optional: true},
	{Measure: ZetaCraig, reads: ofDocuments, formula: "zetacraig", optional: true, uncentred: true},
	{Measure: ZetaEder, reads: ofDocuments, formula: "zetaeder", optional: true},
	{Measure: ZetaLog, reads: ofDocuments, formula: "zetalog", optional: true},
	{Measure: JLH, reads: ofDocuments, formula: "jlh", oneSided: true, optional: true},
	{Measure: GND, reads: ofDocuments, formula: "gnd", oneSided: true, optional: true, uncentred: true},
	{Measure: Wilcoxon, reads: ofDocuments, listed: ofRanks((*pvalue.RankSum).Z), optional: true},
	{Measure: PSup, reads: ofDocuments, listed: ofRanks((*pvalue.RankSum).Superiority), optional: true, beside: Wilcoxon, uncentred: true},
	{Measure: RankBiserial, reads: ofDocuments, listed: ofRanks((*pvalue.RankSum).RankBiserial), optional: true, beside: Wilcoxon},
	{Measure: Welch, reads: ofDocuments, listed: ofMeans(func(t, _, _ float64) float64 { return t }), optional: true},
	{Measure: Eta, reads: ofDocuments, listed: (*listedPair).evenness, optional: true},
	{Measure: RRF, reads: ofDocuments, listed: ofMeans(func(_, first, second float64) float64 { return first / second }), optional: true, uncentred: true},
}

// keyMeasureOf returns the definition of a measure, nil for an unknown one.
func keyMeasureOf(m Measure) *keyMeasure {
	for i := range keyMeasures {
		if keyMeasures[i].Measure == m {
			return &keyMeasures[i]
		}
	}
	return nil
}

// ranks reports whether the measure ranks documents by their shares.
func (d *keyMeasure) ranks() bool { return d.Measure == Wilcoxon || d.beside == Wilcoxon }

// unitBy returns what the measure counts by options that count a unit.
func (d *keyMeasure) unitBy(o *KeynessOptions) string { return cmp.Or(d.reads, o.CountBy, ofTokens) }

// strength returns a number that is larger for a better key, among the keys of the same sign;
// NaN comes last.
func (d *keyMeasure) strength(value float64, sign int8) float64 {
	switch {
	case math.IsNaN(value):
		return math.Inf(-1)
	case sign < 0 && !d.rising:
		return -value
	}
	return value
}

// chiSquareP returns ln p of a signed chi-square of one degree of freedom.
func chiSquareP(value float64) float64 { return pvalue.ChiSquare(math.Abs(value), 1) }

// KeynessMeasures lists the measures of key words.
func KeynessMeasures() (names []Measure) {
	for _, m := range keyMeasures {
		names = append(names, m.Measure)
	}
	return names
}

// The places of the corpora in pairs, and the classes of a table of both.
const target, reference = 0, 1

// A pair has numbers of the target and of the reference: counts of a term, of tokens or of documents, or all of them.
type pair [2]float64

// totals are the tokens of both corpora, or their documents.
type totals struct {
	all     pair
	margins *score.Margins // of two classes, the target and the reference, whose tokens are counts of the unit
}

func newTotals(all pair) *totals {
	sum, of := all[target]+all[reference], all[:]
	return &totals{all, score.NewMargins(sum, sum, of, of)}
}

// gap returns a·T2 - b·T1: positive if the target uses the term more, 0 if both use it
// alike.
func (s *totals) gap(t pair) float64 {
	return kernels.DiffOfProducts(t[target], s.all[reference], t[reference], s.all[target])
}

// sign returns the sign of the gap.
func (s *totals) sign(t pair) int8 { return int8(cmp.Compare(s.gap(t), 0)) }

// A scorer computes the measures of the counts of one unit. It belongs to one goroutine.
//
// In its formulas a, b, t1 and t2 are those of the unit: of documents d1, d2, n1 and n2.
type scorer struct {
	*KeynessOptions
	*totals
	unit   string
	tests  int                      // terms that share the risk of a wrong bound
	panels map[Measure]*score.Panel // of formulas, once they are asked for
	tile   table.Tile               // of counts
	less   []float64                // see values
}

// newScorer returns the scorer of a unit in corpora of so many tokens or documents.
func (o *KeynessOptions) newScorer(u string, t *totals, tests int) *scorer {
	if o.Correction == None {
		tests = 1
	}
	return &scorer{KeynessOptions: o, totals: t, unit: u, tests: tests, panels: map[Measure]*score.Panel{}}
}

// value returns the value of counts by a measure.
func (s *scorer) value(d *keyMeasure, t pair) float64 {
	var of [1]float64
	s.values(d, []pair{t}, of[:])
	return of[0]
}

// values sets dst to the values of counts by a measure.
func (s *scorer) values(d *keyMeasure, counts []pair, dst []float64) {
	if d.bound != nil {
		for i, t := range counts {
			if s.gap(t) < 0 {
				dst[i] = 0 - d.bound(s, swapped(t), swapped(s.all)) // no -0
			} else {
				dst[i] = d.bound(s, t, s.all)
			}
		}
		return
	}
	s.formula(d, target, counts, dst)
	if d.oneSided {
		s.less = slices.Grow(s.less[:0], len(counts))[:len(counts)]
		s.formula(d, reference, counts, s.less)
	}
	for i, t := range counts {
		switch less := s.gap(t) < 0; {
		case d.oneSided && less:
			dst[i] = 0 - s.less[i]
		case d.signed && less:
			dst[i] = 0 - dst[i]
		}
	}
}

// swapped returns the numbers of the reference against the target.
func swapped(t pair) pair { return pair{t[reference], t[target]} }

// formula sets dst to what the formula of a measure gives one of the corpora against the other.
func (s *scorer) formula(d *keyMeasure, of int, counts []pair, dst []float64) {
	t := &s.tile
	*t = table.Tile{DF: t.DF[:0], CF: t.CF[:0], Start: append(t.Start[:0], 0), Class: t.Class[:0], A: t.A[:0]}
	for _, x := range counts {
		all := x[target] + x[reference]
		t.DF, t.CF = append(t.DF, uint32(min(all, math.MaxUint32))), append(t.CF, all) // formulas of tokens do not read DF
		for class, n := range x {
			if n > 0 {
				t.Class, t.A = append(t.Class, uint32(class)), append(t.A, n)
			}
		}
		t.Start = append(t.Start, len(t.Class))
	}
	t.S, t.Q = t.A, t.A
	s.panel(d).OfClass(t, of, dst)
}

// panel returns the panel of the formula of a measure.
func (s *scorer) panel(d *keyMeasure) *score.Panel {
	p := s.panels[d.Measure]
	if p != nil {
		return p
	}
	text := d.formula
	if d.Measure == Chi && s.NoYates {
		text = chi
	}
	var measure score.Measure
	var info score.Info
	if strings.Contains(text, "(") {
		f, err := score.NewFormula("of-the-target=" + text)
		if err != nil {
			panic("keyness: " + err.Error()) // of a measure of this package
		}
		measure, info = f, f.Info()
	} else {
		measure, info, _ = score.NewRegistry(score.Options{Smooth: s.Smooth, ZetaC: s.ZetaC, TwoCells: d.Measure != G2}).Lookup(text)
	}
	p = score.NewPanel([]score.Choice{{Measure: measure, Info: info, Combine: score.ByClass}}, s.margins)
	s.panels[d.Measure] = p
	return p
}

// judge sets values and lnP to the values of counts by a measure and to ln p.
func (s *scorer) judge(d *keyMeasure, counts []pair, values, lnP []float64) {
	s.values(d, counts, values)
	tested, of := values, d.lnP
	switch {
	case s.Exact:
		for i, t := range counts {
			lnP[i] = pvalue.Table{A: int64(t[0]), B: int64(t[1]), C: int64(s.all[0] - t[0]), D: int64(s.all[1] - t[1])}.TwoSided()
		}
		return
	case of == nil, d.Measure == LL && s.unit == ofDocuments:
		tested, of = make([]float64, len(counts)), chiSquareP
		likelihood := &twoCells
		if s.unit == ofDocuments {
			likelihood = &fourCells
		}
		s.formula(likelihood, target, counts, tested)
	}
	for i, v := range tested {
		lnP[i] = of(v)
	}
}

// The conservative log ratio is the least one that the counts of a term do not speak against: the bound of a two-sided
// interval on the side of 0, and 0 where the interval has 0 in it.

// defaultConf is the confidence of its bounds.
const defaultConf = .95

// lowerLogRatio returns a lower bound of log2((a/T1)/(b/T2)), which the true ratio is below with
// the probability alpha: that of Clopper and Pearson for the share of a in a+b.
func lowerLogRatio(t, all pair, alpha float64) float64 {
	if t[target] == 0 {
		return math.Inf(-1)
	}
	return (kernels.Log(all[reference]/all[target]) + pvalue.LogOddsOfBeta(alpha, t[target], t[reference]+1)) / math.Ln2
}

// risk returns the probability with which the bound of some term may be wrong, divided among the
// terms that are tested.
func (s *scorer) risk() float64 { return (1 - cmp.Or(s.Conf, defaultConf)) / float64(s.tests) }
