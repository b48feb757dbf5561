package bagofwords

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// A joined vocabulary is the distinct terms of all parts, numbered in the order of their first occurrence:
// those of the first part, then what the second one adds, and so on, as the parts are ranges one behind
// the other.
type joined struct {
	names   []string
	uses    []use
	byName  []uint32   // the numbers in the order of the names
	numbers [][]uint32 // for each part, the number of each of its terms
}

// joinParts makes one vocabulary of those of the parts.
func joinParts(ctx context.Context, parts []*part, threads int) (*joined, error) {
	names, sorted := make([][]string, len(parts)), make([][]keyed, len(parts))
	err := pool.Run(ctx, threads, len(parts), func(_, i int) error {
		names[i] = parts[i].counter.Names()
		sorted[i] = sortNames(names[i], i)
		return nil
	})
	if err != nil {
		return nil, err
	}
	merged, err := mergeAll(ctx, sorted, names, threads)
	if err != nil {
		return nil, err
	}
	j := &joined{numbers: make([][]uint32, len(parts))}
	j.number(merged, names)
	j.add(parts)
	return j, nil
}

// mergeAll merges sorted lists, neighbours first, so that equal names stand in the order of their parts.
func mergeAll(ctx context.Context, lists [][]keyed, names [][]string, threads int) ([]keyed, error) {
	for len(lists) > 1 {
		half := make([][]keyed, (len(lists)+1)/2)
		err := pool.Run(ctx, threads, len(half), func(_, i int) error {
			if half[i] = lists[2*i]; 2*i+1 < len(lists) {
				half[i] = mergeNames(lists[2*i], lists[2*i+1], names)
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

// unnumbered marks the first of several equal names before it has a number.
const unnumbered = 1<<32 - 1

// number gives the distinct names their numbers. The first of equal names has one of its own.
func (j *joined) number(merged []keyed, names [][]string) {
	first := make([]keyed, 0, len(merged)) // of each distinct name
	for i := range names {
		j.numbers[i] = make([]uint32, len(names[i]))
	}
	for i, e := range merged {
		if i == 0 || e.key != merged[i-1].key || names[e.part][e.id] != names[merged[i-1].part][merged[i-1].id] {
			first = append(first, e)
			j.numbers[e.part][e.id] = unnumbered
		}
	}
	j.names = make([]string, 0, len(first))
	for part, numbers := range j.numbers {
		for id, n := range numbers {
			if n == unnumbered {
				numbers[id] = uint32(len(j.names))
				j.names = append(j.names, names[part][id])
			}
		}
	}
	j.byName = make([]uint32, 0, len(first))
	var last keyed
	for _, e := range merged {
		if len(j.byName) < len(first) && e == first[len(j.byName)] {
			j.byName = append(j.byName, j.numbers[e.part][e.id])
			last = e
			continue
		}
		j.numbers[e.part][e.id] = j.numbers[last.part][last.id]
	}
}

// add sums the uses of the parts.
func (j *joined) add(parts []*part) {
	j.uses = make([]use, len(j.names))
	for i, p := range parts {
		for id, u := range p.uses {
			sum := &j.uses[j.numbers[i][id]]
			sum.documents += u.documents
			sum.occurrences += u.occurrences
		}
	}
}
