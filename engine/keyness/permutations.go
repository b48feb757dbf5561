package keyness

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file tests terms by permutations: which documents are the target is drawn anew, as many as
// there are, and the value of every term is computed again. The null hypothesis is that the documents
// of both corpora are of one kind. Nothing is assumed of tokens.

// checkPermutations returns an error for numbers of permutations that are wrong whatever the corpora.
func (o *Options) checkPermutations() error {
	switch {
	case o.Permutations < 0 || o.Permutations > MostDraws:
		return usage.Errorf("the number of permutations must be 1 to %d, not %d", MostDraws, o.Permutations)
	case o.MaxT && o.Permutations == 0:
		return usage.Errorf("the largest value of all terms is that of permutations: say how many")
	case o.Exact && o.Permutations > 0:
		return usage.Errorf("p-values come from Fisher's exact test or from permutations: leave one away")
	}
	return nil
}

// permute sets the p-values of all terms, and the corrected ones by the largest value if the options
// ask for these.
func (c *Comparison) permute(ctx context.Context) error {
	if err := c.needDocuments(ctx, "a permutation"); err != nil {
		return err
	}
	o := &c.Options
	d := c.newDrawing()
	if d.every {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d documents have only %d divisions into %d and %d: each was taken once, and p-values are exact",
			d.documents, d.draws, c.Target.Documents, c.Reference.Documents))
	}
	if c.by.uncentred {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s is not 0 where corpora do not differ, and permutations compare distances from 0: a negative key gets no small p-value", c.by.Measure))
	}
	tested := make([]bool, len(c.pairs))
	for _, place := range c.tested {
		tested[place] = true
	}
	hits, largest := make([]uint32, len(c.pairs)), make([][]float64, pool.Threads(o.Threads))
	err := d.run(ctx, func(worker, place, number int, value float64) {
		if reaches(value, c.values[place]) {
			hits[place]++
		}
		if !tested[place] {
			return
		}
		if largest[worker] == nil {
			largest[worker] = make([]float64, d.draws)
		}
		largest[worker][number] = max(largest[worker][number], math.Abs(value))
	})
	if err != nil {
		return err
	}
	for place, n := range hits {
		c.lnP[place] = d.lnP(int(n))
	}
	c.drawn, c.largest = d.divisions, largestOfAll(largest, d.draws)
	return nil
}

// correctByLargest sets the corrected p-values of the tested pairs: how often the largest value of all
// that are tested reaches theirs (Westfall and Young 1993, single step). Any wrong key among those with
// p < α has probability α at most.
func (c *Comparison) correctByLargest() {
	for _, place := range c.tested {
		below := sort.SearchFloat64s(c.largest, leastReaching(c.values[place]))
		c.corrected[place] = c.drawn.lnP(c.drawn.draws - below)
	}
}

// lnP returns ln p of so many draws that reach a value. The division that was observed is one of
// all, or comes to those that were drawn.
func (d *divisions) lnP(hits int) float64 {
	if d.every {
		return kernels.Log(float64(hits) / float64(d.draws))
	}
	return kernels.Log(float64(1+hits) / float64(1+d.draws))
}

// largestOfAll returns, ascending, the largest value of each draw that any worker has seen.
func largestOfAll(of [][]float64, draws int) []float64 {
	largest := make([]float64, draws)
	for _, own := range of {
		for i, v := range own {
			largest[i] = max(largest[i], v)
		}
	}
	slices.Sort(largest)
	return largest
}
