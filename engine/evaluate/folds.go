package evaluate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Split divides documents into two lists of document numbers, which are ascending and
// disjoint.
type Split struct{ Train, Test []int }

// Dividing says how documents are divided.
type Dividing struct {
	// Seed selects the random order; the same seed gives the same parts on every machine.
	Seed uint64
	// Strata are the classes of the documents, -1 for none. Every part then has its share
	// of each class, give or take one document. nil divides without regard to classes.
	Strata []int
}

// Folds divides n documents into k parts whose sizes differ by at most one. Each split
// tests on one part and trains on the others.
func Folds(n, k int, o Dividing) ([]Split, error) {
	if k < 2 || k > n {
		return nil, fmt.Errorf("%w: %d folds of %d documents; take from 2 to as many as there are documents", ErrFolds, k, n)
	}
	if err := listable(n, k); err != nil {
		return nil, err
	}
	order, turn, err := o.order(n, o.Seed)
	if err != nil {
		return nil, err
	}
	// Dealing in the order of the strata gives every fold its share of each.
	fold := make([]int, n)
	for i, d := range order {
		fold[d] = (i + turn%k) % k
	}
	splits := make([]Split, k)
	for f := range splits {
		splits[f] = divide(n, func(d int) bool { return fold[d] == f })
	}
	return splits, nil
}

// Repeated divides n documents at random, several times. Each time a share, above 0 and
// below 1, of them is to test on: that many documents, rounded, but at least one and not
// all.
func Repeated(n, times int, test float64, o Dividing) ([]Split, error) {
	if times < 1 || n < 2 || !(test > 0 && test < 1) {
		return nil, fmt.Errorf("%w: %d times, a share of %v of %d documents to test on; take 1 or more times, a share between 0 and 1, and 2 or more documents",
			ErrFolds, times, test, n)
	}
	if err := listable(n, times); err != nil {
		return nil, err
	}
	size := min(max(int(float64(test*float64(n))+.5), 1), n-1)
	splits := make([]Split, times)
	for i := range splits {
		order, turn, err := o.order(n, o.Seed+uint64(i)*0x9e3779b97f4a7c15)
		if err != nil {
			return nil, err
		}
		// Take size of n documents at even distances in the order of the strata, from a
		// random place on, so that a class of one document is not always in the same part.
		testing := make([]bool, n)
		for j, d := range order {
			at := uint64((j + turn) % n)
			testing[d] = (at+1)*uint64(size)/uint64(n) > at*uint64(size)/uint64(n)
		}
		splits[i] = divide(n, func(d int) bool { return testing[d] })
	}
	return splits, nil
}

// mostListed bounds the sum of the documents of all splits, which take 8 bytes each.
// alwaysListed splits are allowed in any case.
const (
	mostListed   = 1 << 27
	alwaysListed = 100
)

// listable returns an error for more splits of n documents than fit into memory.
func listable(n, times int) error {
	if most := max(mostListed/n, alwaysListed); times > most {
		return fmt.Errorf("%w: %d divisions of %d documents; take %d at most", ErrFolds, times, n, most)
	}
	return nil
}

// order returns a random order of the documents, sorted by stratum if there are strata,
// and a random place in it.
func (o Dividing) order(n int, seed uint64) (order []int, turn int, err error) {
	if o.Strata != nil && len(o.Strata) != n {
		return nil, 0, fmt.Errorf("%w: %d documents have strata for %d", ErrFolds, n, len(o.Strata))
	}
	r := rand.New(rand.NewPCG(seed, 0x7465726d73696674))
	order, turn = r.Perm(n), r.IntN(n)
	if o.Strata != nil {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.Strata[a], o.Strata[b]) })
	}
	return order, turn, nil
}

// divide returns the split whose test part is the documents for which test returns true.
func divide(n int, test func(d int) bool) (s Split) {
	for d := range n {
		if test(d) {
			s.Test = append(s.Test, d)
		} else {
			s.Train = append(s.Train, d)
		}
	}
	return s
}
