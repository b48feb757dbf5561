package engine

import (
	"context"
	"math"
	"slices"
)

// byClass unites the lists of the classes: what the criterion keeps of each, or one
// term of each in turn.
func (m *selector) byClass(ctx context.Context) ([]Entry, error) {
	stats, err := m.corpus.Statistics(ctx, StatisticsOptions{Threads: m.Threads})
	if err != nil {
		return nil, err
	}
	lists := make([][]Entry, 0, len(m.out.Classes))
	for _, class := range m.out.Classes {
		r, err := stats.RankClass(ctx, class, m.Scoring)
		if err != nil {
			return nil, err
		}
		list, err := m.choose(ctx, newCandidates(r, m.field, m.Threads))
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	if m.PerClass {
		return unite(slices.Concat(lists...), math.MaxInt), nil
	}
	return unite(interleave(lists), m.K), nil
}

func interleave(lists [][]Entry) []Entry {
	var out []Entry
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

// unite keeps the first entry of each term, up to k of them.
func unite(entries []Entry, k int) []Entry {
	seen := map[string]bool{}
	var out []Entry
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
