package keyness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// HalfOptions say what [Comparison.SplitHalf] draws.
type HalfOptions struct {
	// B is the number of times that a corpus is halved, from 1 to [MostDraws].
	B int
	// Target halves the target; else the reference is.
	Target bool
	// Seed chooses the halves.
	Seed uint64
	// At are the distances from 0, not negative, at which keys are counted; nil is those of the
	// 10th, 20th, 50th, 100th, ... of the tested terms.
	At []float64
}

// check returns an error for options that are wrong whatever the corpora.
func (o *HalfOptions) check() error {
	if o.B < 1 || o.B > MostDraws {
		return usage.Errorf("the number of halves must be 1 to %d, not %d", MostDraws, o.B)
	}
	for _, v := range o.At {
		if !(v >= 0) {
			return usage.Errorf("keys are counted at a distance from 0, which is not %v", v)
		}
	}
	return nil
}

// A SplitHalf tells what a comparison finds where nothing differs: between two halves of one corpus.
type SplitHalf struct {
	Of        string // the corpus that is halved: target or reference
	Documents [2]int // in the halves
	B         int    // the number of times
	Every     bool   // each way to halve the corpus was taken once
	Points    []HalfPoint
	// Largest is the largest distance from 0 of all tested terms each time.
	Largest  []float64
	Warnings []string // remarks for people
}

// A HalfPoint compares the keys found in earnest with those of halves.
type HalfPoint struct {
	At    float64 // the distance of the value from 0
	Keys  int     // tested terms of the comparison whose value is as far from 0, or farther
	False float64 // the mean number of such terms between halves
}

// Share returns False/Keys, at most 1: an estimate of the share of the keys that differences of
// nothing would give. It is NaN without keys.
func (p HalfPoint) Share() float64 {
	if p.Keys == 0 {
		return math.NaN()
	}
	return min(1, p.False/float64(p.Keys))
}

// grows reports whether values grow with the corpora, so that those of halves are too small.
func (m Measure) grows() bool { return slices.Contains([]Measure{LL, G2, Chi, BIC, TDK}, m) }

// SplitHalf halves one of the corpora by documents, ⌊n/2⌋ and the rest, and compares the halves as the
// corpora were compared, with the same bounds of frequency and range. It counts the terms whose value
// is far from 0. The idea is Kilgarriff's (2001): a corpus differs from itself by its documents alone.
func (c *Comparison) SplitHalf(ctx context.Context, o HalfOptions) (*SplitHalf, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := c.needDocuments(ctx, "a half"); err != nil {
		return nil, err
	}
	halved, name := c.reference, sideNames[1]
	if o.Target {
		halved, name = c.target, sideNames[0]
	}
	n := halved.Documents
	if n < 2 {
		return nil, fmt.Errorf("the %s: %w: one document cannot be halved", name, usage.ErrData)
	}
	d := c.newDrawing(n/2, o.B, o.Seed, halved)
	s := &SplitHalf{Of: name, Documents: [2]int{n / 2, n - n/2}, B: d.draws, Every: d.every}
	for _, at := range c.distances(o.At) {
		s.Points = append(s.Points, HalfPoint{At: at, Keys: c.reaching(at)})
	}
	err := pool.Stage(ctx, "halve", func(ctx context.Context) error { return s.run(ctx, c, d) })
	if err != nil {
		return nil, err
	}
	s.warn(c.by.Measure)
	return s, nil
}

// run counts what the halves show.
func (s *SplitHalf) run(ctx context.Context, c *Comparison, d *drawing) error {
	type counted struct {
		reached []int // by point
		largest []float64
	}
	workers := make([]counted, pool.Threads(c.Options.Threads))
	err := d.run(ctx, func(worker, _, number int, v drawn) {
		if !c.enough(v.tokens, v.documents, v.sign) {
			return
		}
		w := &workers[worker]
		if w.largest == nil {
			*w = counted{make([]int, len(s.Points)), make([]float64, d.draws)}
		}
		w.largest[number] = max(w.largest[number], math.Abs(v.value))
		for i := range s.Points {
			if reaches(v.value, s.Points[i].At) {
				w.reached[i]++
			}
		}
	})
	s.Largest = make([]float64, d.draws)
	for _, w := range workers {
		for i, n := range w.reached {
			s.Points[i].False += float64(n)
		}
		for i, v := range w.largest {
			s.Largest[i] = max(s.Largest[i], v)
		}
	}
	for i := range s.Points {
		s.Points[i].False /= float64(d.draws)
	}
	return err
}

// warn says what the numbers do not tell.
func (s *SplitHalf) warn(m Measure) {
	if m.grows() {
		s.Warnings = append(s.Warnings, fmt.Sprintf(
			"values of %s grow with the size of the corpora, and halves are smaller: the keys that nothing would give are more than these; take an effect size or %s", m, Wilcoxon))
	}
	if s.Every {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the %d documents of the %s can be halved in %d ways only: each was taken once", s.Documents[0]+s.Documents[1], s.Of, s.B))
	}
}

// distances returns where keys are counted: where the options say, or at some of the tested terms'.
func (c *Comparison) distances(at []float64) []float64 {
	if at != nil {
		return at
	}
	var all []float64
	for _, place := range c.tested {
		if v := math.Abs(c.values[place]); v > 0 {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
	for ten := 10; ten <= len(all); ten *= 10 {
		for _, n := range []int{ten, 2 * ten, 5 * ten} {
			if n <= len(all) {
				at = append(at, all[n-1])
			}
		}
	}
	if at == nil && len(all) > 0 {
		at = all[len(all)-1:]
	}
	return slices.Compact(at)
}

// reaching returns how many tested terms are as far from 0.
func (c *Comparison) reaching(at float64) (n int) {
	for _, place := range c.tested {
		if reaches(c.values[place], at) {
			n++
		}
	}
	return n
}
