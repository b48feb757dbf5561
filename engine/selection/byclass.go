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
	if err := m.out.Provenance.RequireClasses(len(m.out.Classes), "a selection for each class"); len(m.out.Classes) == 0 {
		return nil, err
	}
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
	if m.RoundRobin {
		return Unite(m.Keep.most, lists), nil
	}
	groups := slices.Collect(slices.Chunk(lists, 1))
	return Unite(math.MaxInt, groups...), nil
}

// Unite returns, of each group of lists, the first entries, then the second ones, and so on:
// each term once, where it comes first, and at most k terms.
func Unite(k int, groups ...[][]rank.Entry) (out []rank.Entry) {
	seen := map[string]bool{}
	for _, lists := range groups {
		longest := 0
		for _, l := range lists {
			longest = max(longest, len(l))
		}
		for i := range longest {
			for _, l := range lists {
				if i < len(l) && !seen[l[i].Term] && len(out) < k {
					seen[l[i].Term] = true
					out = append(out, l[i])
				}
			}
		}
	}
	return out
}
