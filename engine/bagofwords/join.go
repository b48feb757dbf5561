package bagofwords

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// A joined list is the distinct names of all parts.
type joined struct {
	order   []entry    // the distinct names in order, each from a part that has it
	numbers [][]uint32 // for each part, the place in order of each of its names
}

// join sorts the names of all parts and finds those that several have.
func join(ctx context.Context, names []speller, threads int) (*joined, error) {
	lists := make([][]entry, len(names))
	err := pool.Run(ctx, threads, len(lists), func(_, i int) error {
		lists[i] = sortNames(names[i], i)
		return nil
	})
	if err != nil {
		return nil, err
	}
	merged, err := mergeAll(ctx, lists, names, threads)
	if err != nil {
		return nil, err
	}
	return distinct(merged, names), nil
}

// mergeAll merges sorted lists by pairs.
func mergeAll(ctx context.Context, lists [][]entry, names []speller, threads int) ([]entry, error) {
	for len(lists) > 1 {
		half := make([][]entry, (len(lists)+1)/2)
		err := pool.Run(ctx, threads, len(half), func(_, i int) error {
			if half[i] = lists[2*i]; 2*i+1 < len(lists) {
				half[i] = merge(lists[2*i], lists[2*i+1], names)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		lists = half
	}
	return lists[0], nil
}

// distinct finds the distinct names of a sorted list. It uses the list's memory.
func distinct(merged []entry, names []speller) *joined {
	j := &joined{order: merged[:0], numbers: make([][]uint32, len(names))}
	for i, s := range names {
		j.numbers[i] = make([]uint32, s.names())
	}
	for i := range merged {
		e := merged[i]
		if n := len(j.order); len(names) == 1 || n == 0 || !sameName(&j.order[n-1], &e, names) {
			j.order = append(j.order, e)
		}
		j.numbers[e.part][e.name] = uint32(len(j.order) - 1)
	}
	return j
}
