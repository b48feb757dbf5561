package selection

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/rank"
)

// byClass unites the terms that are chosen for each class: all that the criterion keeps
// for it or, with RoundRobin, one term of each class in turn.
func (m *selector) byClass(ctx context.Context) ([]rank.Entry, error) {
	lists := make([][]rank.Entry, 0, len(m.out.Classes))
	for _, class := range m.out.Classes {
		r, err := m.by.Class(ctx, m.stats, class)
		if err != nil {
			return nil, err
		}
		list, err := m.choose(ctx, newCandidates(r, m.field, m.By.Threads))
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	if m.PerClass {
		return Unite(slices.Concat(lists...), math.MaxInt), nil
	}
	return Unite(Interleave(lists), m.Keep.most), nil
}

// Interleave returns the first entry of each list, then the second of each, and so on.
func Interleave(lists [][]rank.Entry) []rank.Entry {
	var out []rank.Entry
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lists {
			if i < len(l) {
				out = append(out, l[i])
				more = true
			}
		}
	}
	return out
}

// Unite returns the first entry of each term, at most k of them.
func Unite(entries []rank.Entry, k int) []rank.Entry {
	seen := map[string]bool{}
	var out []rank.Entry
	for _, e := range entries {
		if len(out) == k {
			break
		}
		if !seen[e.Term] {
			seen[e.Term] = true
			out = append(out, e)
		}
	}
	return out
}
