package selection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// A Criterion says how many of the eligible terms are kept. It is made by [Best],
// [Percent], [AtLeast], [Energy], [FPR], [FDR], [FWE], [PerDocument] or [Listed]; the zero
// value is invalid.
type Criterion struct {
	name    string
	value   any
	valid   bool
	domain  string                                                     // describes valid values
	count   func(list *candidates) (int, error)                        // the number of the best that it keeps
	take    func(ctx context.Context, list *candidates) ([]int, error) // or the places of those that it keeps, best first
	most    int                                                        // the number of terms that it keeps of a ranking; 0 if that depends on the values
	pvalues bool                                                       // it needs p-values
	shares  bool                                                       // what it keeps depends on all eligible terms
}

// places returns those of the candidates that the criterion keeps, best first.
func (c Criterion) places(ctx context.Context, list *candidates) ([]int, error) {
	if c.take != nil {
		return c.take(ctx, list)
	}
	n, err := c.count(list)
	if err != nil {
		return nil, err
	}
	return list.best(n), nil
}

// String returns the name of the criterion in the command, and its value: "k 500".
func (c Criterion) String() string { return fmt.Sprint(c.name, " ", c.value) }

// Validate returns an error for a criterion that is invalid whatever the data.
func (c Criterion) Validate() error {
	switch {
	case c.name == "":
		return usage.Errorf("say how many terms to select: exactly one of k, percentile, min-score, energy, fpr, fdr, fwe and per-document")
	case !c.valid:
		return usage.Errorf("%s must be %s, not %v", c.name, c.domain, c.value)
	}
	return nil
}

// Named returns the criterion that has a name in the command: k, percentile, min-score, energy, fpr, fdr, fwe or
// per-document. The number of k and of per-document is a whole one.
func Named(name string, number float64) Criterion {
	switch name {
	case "k":
		return Best(int(number))
	case "percentile":
		return Percent(number)
	case "min-score":
		return AtLeast(number)
	case "energy":
		return Energy(number)
	case "fpr":
		return FPR(number)
	case "fdr":
		return FDR(number)
	case "fwe":
		return FWE(number)
	case "per-document":
		return PerDocument(int(number))
	}
	return Criterion{}
}

// Best keeps the k best terms; k of each class if terms are selected by class.
func Best(k int) Criterion {
	count := func(*candidates) (int, error) { return k, nil }
	return Criterion{name: "k", value: k, valid: k > 0, domain: "positive", count: count, most: k}
}

// Percent keeps a percentage of the eligible terms, in (0, 100].
func Percent(p float64) Criterion {
	return share("percentile", p, 100, func(list *candidates) (int, error) {
		return int(math.Ceil(float64(p*float64(len(list.values))) / 100)), nil
	})
}

// AtLeast keeps the terms whose value is at least v.
func AtLeast(v float64) Criterion {
	count := func(list *candidates) (n int, err error) {
		for _, value := range list.values {
			if value >= v {
				n++
			}
		}
		return n, nil
	}
	return Criterion{name: "min-score", value: v, valid: !math.IsNaN(v), domain: "a number", count: count}
}

// Energy keeps the smallest number of best terms that hold a share, in (0, 1], of the sum
// of all values, none of which may be negative: see [rank.Ranking.Energy].
func Energy(e float64) Criterion {
	return share("energy", e, 1, func(list *candidates) (int, error) {
		energy, worst := rank.NewEnergy(list.values)
		if worst >= 0 {
			return 0, usage.Errorf("energy needs values that are not negative; %s of %q is %s",
				list.r.Measure, list.names.Term(list.term(worst)), tsv.FormatValue(list.values[worst]))
		}
		return energy.Terms(e), nil
	})
}

// FPR keeps the terms whose p-value is below a level in (0, 1). FPR, [FDR] and [FWE] test
// all eligible terms. The tests are two-sided: terms that avoid a class pass, too. They
// turn on PValues, see [rank.Options].
func FPR(level float64) Criterion { return atLevel("fpr", level, pvalue.FPR) }

// FDR keeps the terms that the procedure of Benjamini and Hochberg keeps at a level in (0,
// 1): on average, at most the share q of them has no association.
func FDR(q float64) Criterion { return atLevel("fdr", q, pvalue.FDR) }

// FWE keeps the terms that the procedure of Holm keeps at a level in (0, 1): the
// probability that any of them has no association is at most q.
func FWE(q float64) Criterion { return atLevel("fwe", q, pvalue.Holm) }

// PerDocument keeps the f best terms of each document. With f = 1, every document that has
// an eligible term keeps one (ALOFT, Pinheiro et al. 2012; MFD, 2015, with a larger f).
func PerDocument(f int) Criterion {
	return Criterion{name: "per-document", value: f, valid: f > 0, domain: "positive", take: ofEachDocument(f)}
}

// Stable keeps the stable terms of samples, ordered by their values. It is invalid if no bound was asked for.
func Stable(s *rank.Stability) Criterion {
	if s.Bound == nil {
		return Criterion{}
	}
	stable := map[string]bool{}
	for _, t := range s.Selected[:s.Bound.Stable] {
		stable[t.Term] = true
	}
	how := fmt.Sprintf("%v of %d halves, k %d", s.Bound.Threshold, s.Samples, s.K)
	take := func(_ context.Context, list *candidates) (places []int, err error) {
		for _, p := range list.best(len(list.values)) {
			if stable[list.names.Term(list.term(p))] {
				places = append(places, p)
			}
		}
		return places, nil
	}
	return Criterion{name: "stability", value: how, valid: true, take: take}
}

func share(name string, v, most float64, count func(list *candidates) (int, error)) Criterion {
	return Criterion{name: name, value: v, valid: 0 < v && v <= most, domain: fmt.Sprintf("above 0 and at most %v", most), count: count, shares: true}
}

func atLevel(name string, v float64, passing func(lnp []float64, level float64) int) Criterion {
	return Criterion{
		name: name, value: v, valid: 0 < v && v < 1, domain: "above 0 and below 1",
		take: significant(v, passing), pvalues: true, shares: name != "fpr",
	}
}

// significant keeps the terms with the smallest p-values, as many as passing counts. It
// returns them in the order of their values, which differs from that of the p-values of
// exact tests.
func significant(level float64, passing func(lnp []float64, level float64) int) func(ctx context.Context, list *candidates) ([]int, error) {
	return func(ctx context.Context, list *candidates) ([]int, error) {
		lnp := make([]float64, len(list.values))
		err := rank.EachTest(ctx, len(lnp), list.threads, func(i int) { lnp[i] = list.r.LnP(list.term(i)) })
		if err != nil {
			return nil, err
		}
		n := passing(lnp, level)
		for i := range lnp {
			lnp[i] = -lnp[i]
		}
		places := rank.TopK(lnp, n)
		slices.SortFunc(places, func(a, b int) int {
			return rank.Order(rank.NewCandidate(a, list.values[a]), rank.NewCandidate(b, list.values[b]))
		})
		return places, nil
	}
}

// A nearMiss is the term that came nearest to passing the criterion.
type nearMiss struct {
	term  string
	value float64 // or -log10 of its p-value
	known bool
}

// update updates the near miss from a list of candidates none of which passed.
func (n *nearMiss) update(list *candidates, passed []int, pvalues bool) {
	if len(passed) > 0 || list.defined == 0 {
		return
	}
	nearest, value := 0, math.Inf(-1)
	for i := range list.values {
		v := list.values[i]
		if pvalues {
			v = -rank.Log10(list.r.LnP(list.term(i)))
		}
		if v > value {
			nearest, value = i, v
		}
	}
	if !n.known || value > n.value {
		*n = nearMiss{list.names.Term(list.term(nearest)), value, true}
	}
}

// nothingSelected returns the error for a selection without terms.
func (m *selector) nothingSelected() error {
	text := fmt.Sprintf("none of the %d terms passes %s", m.field.len(), m.Keep)
	switch {
	case m.undefined > 0 && m.undefined == m.field.len() && m.By.Positive:
		text += "; no class has more of any of them than all documents have: take values of both signs"
	case m.undefined > 0 && m.undefined == m.field.len():
		text += "; the value of each is undefined (inf - inf under a signed combination): take another combination, or values without their sign"
	case !m.near.known:
	case m.Keep.pvalues:
		p := fmt.Sprintf("1e%.1f", -m.near.value) // it may be too small for a float64
		if m.near.value < 4 {
			p = fmt.Sprintf("%.3g", math.Pow(10, -m.near.value))
		}
		text += fmt.Sprintf("; the least p-value is that of %q, %s", m.near.term, p)
	default:
		text += fmt.Sprintf("; the largest value is that of %q, %s", m.near.term, tsv.FormatValue(m.near.value))
	}
	return fmt.Errorf("%w: %s", ErrNothingSelected, text)
}

// ofEachDocument keeps the best terms of each document; most is their number per document.
// It goes through the terms, best first, and keeps a term if one of its documents has
// fewer than most better ones. This needs no lists of terms by document, and if no
// document is empty, it ends long before the last term.
func ofEachDocument(most int) func(ctx context.Context, list *candidates) ([]int, error) {
	return func(ctx context.Context, list *candidates) ([]int, error) {
		var kept []int
		var p postings.List
		c, ok := list.from.(*corpus.Corpus)
		if !ok {
			return nil, usage.Errorf("per-document takes the best terms of each document, and statistics know no documents: select from the corpus or its index")
		}
		index := c.Index()
		missing := make([]uint32, index.Documents())
		wanting := len(missing)
		for d := range missing {
			missing[d] = uint32(min(most, list.len()))
		}
		places := list.best(len(list.values))
		err := index.Guard(func() error {
			for i := 0; i < len(places) && wanting > 0; i++ {
				if i%256 == 0 && ctx.Err() != nil {
					return usage.Cause(ctx)
				}
				if err := index.ReadDocs(list.term(places[i]), &p); err != nil {
					return err
				}
				served := 0
				for _, d := range p.Docs {
					if missing[d] == 0 {
						continue
					}
					served++
					if missing[d]--; missing[d] == 0 {
						wanting--
					}
				}
				if served > 0 {
					kept = append(kept, places[i])
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return kept, nil
	}
}
