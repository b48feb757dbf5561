package rank

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// Reliability collects reasons why the p-values of chosen terms may be unreliable. The
// zero value has looked at no terms.
type Reliability struct {
	test        *test
	looked      int     // terms that were looked at
	fewExpected int     // those of them with a cell of few documents expected
	worst       float64 // the largest difference of ln p from that of the exact test
	term        string  // the term with that difference
	lnp, fit    float64 // its ln p by the exact test, and by the distribution
}

// Add looks at terms of a ranking, by their numbers. Errors are those of a cancelled
// context.
func (d *Reliability) Add(ctx context.Context, r *Ranking, terms []int, threads int) error {
	d.test = r.test
	if d.test == nil || d.test.exact {
		return nil
	}
	d.looked += len(terms)
	switch d.test.counted {
	case countsClasses:
		d.countFew(r, terms)
	case countsDocuments:
		return d.compare(ctx, r, terms, threads)
	}
	return nil
}

// countFew counts the terms for which the table of all classes has a cell with few
// documents expected.
func (d *Reliability) countFew(r *Ranking, terms []int) {
	p := d.test.population
	for _, t := range terms {
		df := float64(r.stats.Cells.DF[t])
		if float64(min(df, p.documents-df)*p.smallest) < pvalue.FewExpected*p.documents {
			d.fewExpected++
		}
	}
}

// compare compares the p-values of 2x2 tables in which few documents are expected with
// those of the exact test.
func (d *Reliability) compare(ctx context.Context, r *Ranking, terms []int, threads int) error {
	exact := make([]float64, len(terms))
	err := EachTest(ctx, len(terms), threads, func(i int) {
		exact[i] = math.NaN()
		if table := r.table(terms[i]); table.LeastExpected() < pvalue.FewExpected {
			exact[i] = table.TwoSided()
		}
	})
	if err != nil {
		return err
	}
	for i, t := range terms {
		if math.IsNaN(exact[i]) {
			continue
		}
		d.fewExpected++
		ours := d.test.tail(r.values[t], d.test.population)
		if off := math.Abs(ours - exact[i]); off > d.worst {
			d.worst, d.term, d.lnp, d.fit = off, r.stats.Names.Term(t), exact[i], ours
		}
	}
	return nil
}

// Warnings returns the reasons as sentences.
func (d *Reliability) Warnings() (all []string) {
	if d.test == nil {
		return nil
	}
	if d.test.counted == countsTokens {
		all = append(all, fmt.Sprintf("the p-values of %s take the words of a text for independent draws, which they are not: they are too small", d.test.measure))
	}
	if d.fewExpected == 0 {
		return all
	}
	text := fmt.Sprintf("%d of %d terms have a cell with less than %d documents expected, where the p-values of %s are not to be relied on", d.fewExpected, d.looked, pvalue.FewExpected, d.test.measure)
	if d.term != "" {
		text += fmt.Sprintf("; log10 p is off by up to %.1f: %q has %.1f, by Fisher's exact test %.1f", d.worst/math.Ln10, d.term, Log10(d.fit), Log10(d.lnp))
	}
	return append(all, text)
}

// Reliability returns warnings about the p-values of the k best terms: that tokens are
// taken for independent draws, how many terms have a cell with few documents expected, and
// how far their p-values are from those of Fisher's exact test. It returns none if the
// ranking has no p-values.
func (r *Ranking) Reliability(ctx context.Context, k int) ([]string, error) {
	var d Reliability
	if err := d.Add(ctx, r, TopK(r.values, min(max(k, 0), r.Len())), r.plan.threads); err != nil {
		return nil, err
	}
	return d.Warnings(), nil
}
