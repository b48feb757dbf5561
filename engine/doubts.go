package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// doubts collect what speaks against the p-values of chosen terms.
type doubts struct {
	test     *test
	of, few  int     // terms that were looked at; those with few documents expected
	worst    float64 // how far ln p of one of these is from the exact test's
	term     string
	lnp, fit float64 // of it: that of the exact test, and ours
}

// add looks at the terms at places of a list.
func (d *doubts) add(ctx context.Context, list *candidates, places []int) error {
	d.test = list.r.test
	if d.test == nil || d.test.exact {
		return nil
	}
	d.of += len(places)
	switch d.test.counted {
	case countsClasses:
		d.countFew(list, places)
	case countsDocuments:
		return d.compare(ctx, list, places)
	}
	return nil
}

// countFew looks at the smallest cell of the table of all classes.
func (d *doubts) countFew(list *candidates, places []int) {
	p := d.test.population
	for _, place := range places {
		df := float64(list.r.of.df(list.term(place)))
		if float64(min(df, p.documents-df)*p.smallest) < pvalue.FewExpected*p.documents {
			d.few++
		}
	}
}

// compare makes the exact tests of 2x2 tables where few documents are expected.
func (d *doubts) compare(ctx context.Context, list *candidates, places []int) error {
	exact := make([]float64, len(places))
	err := eachTest(ctx, len(places), list.threads, func(i int) {
		exact[i] = math.NaN()
		if table := list.r.table(list.term(places[i])); table.LeastExpected() < pvalue.FewExpected {
			exact[i] = table.TwoSided()
		}
	})
	if err != nil {
		return err
	}
	for i, place := range places {
		if math.IsNaN(exact[i]) {
			continue
		}
		d.few++
		t := list.term(place)
		ours := d.test.tail(list.r.values[t], d.test.population)
		if off := math.Abs(ours - exact[i]); off > d.worst {
			d.worst, d.term, d.lnp, d.fit = off, list.r.of.terms.Term(t), exact[i], ours
		}
	}
	return nil
}

func (d *doubts) warnings() (all []string) {
	if d.test == nil {
		return nil
	}
	if d.test.counted == countsTokens {
		all = append(all, fmt.Sprintf("the p-values of %s take the words of a text for independent draws, which they are not: they are too small", d.test.measure))
	}
	if d.few == 0 {
		return all
	}
	text := fmt.Sprintf("%d of %d terms have a cell with less than %d documents expected, where the p-values of %s are not to be relied on", d.few, d.of, pvalue.FewExpected, d.test.measure)
	if d.term != "" {
		text += fmt.Sprintf("; log10 p is off by up to %.1f: %q has %.1f, by Fisher's exact test %.1f", d.worst/math.Ln10, d.term, log10(d.fit), log10(d.lnp))
	}
	return append(all, text)
}

// Doubts says what speaks against the p-values of the k best terms: tokens that are
// taken for independent draws, cells where few documents are expected, and how far
// from Fisher's exact test the p-values of such terms are. Nothing where the ranking
// has none.
func (r *Ranking) Doubts(ctx context.Context, k int) ([]string, error) {
	list := &candidates{field: &field{all: true}, r: r, values: r.values}
	var d doubts
	if err := d.add(ctx, list, list.best(max(k, 0))); err != nil {
		return nil, err
	}
	return d.warnings(), nil
}
