package ingest

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
)

// This file merges the dictionaries of several workers into one.

const (
	// findParts are the parts of a worker's table that goroutines take at a time.
	findParts = 16
	// lookupChunk is the number of terms that a goroutine looks up at a time.
	lookupChunk = 1 << 13
)

// mergeTerms merges the dictionaries of the workers. terms has the terms by their new
// numbers, and number[i] has the new numbers of worker i's terms. number[0] is nil: the
// terms of the first worker keep their numbers, so that its postings stay as they are,
// and frequent terms have low numbers.
//
// Most terms of a worker are in the first one's dictionary, where they are found by its own
// keys, table beside table. Only the others are merged by their hashes.
func mergeTerms(ctx context.Context, threads int, workers []*worker) (terms []string, number [][]uint32, err error) {
	lists := make([][]string, len(workers))
	number = make([][]uint32, len(workers))
	err = pool.Run(ctx, threads, len(workers), func(_, i int) error {
		lists[i] = workers[i].counter.Names()
		if i > 0 {
			number[i] = slices.Repeat([]uint32{analysis.NotFound}, len(lists[i]))
		}
		return nil
	})
	if err != nil || len(workers) == 1 {
		return lists[0], number, err
	}
	first := workers[0].counter
	err = pool.Run(ctx, threads, (len(workers)-1)*findParts, func(_, chunk int) error {
		i := 1 + chunk/findParts
		if other := workers[i].counter; first.FindsParts(other) {
			first.FindPart(other, chunk%findParts, findParts, number[i])
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for i, list := range lists[1:] {
		if !first.FindsParts(workers[i+1].counter) {
			if err := lookUpTerms(ctx, threads, first, list, number[i+1]); err != nil {
				return nil, nil, err
			}
		}
	}
	others := make([][]string, len(workers)-1) // terms that the first worker does not have
	err = pool.Run(ctx, threads, len(others), func(_, i int) error {
		others[i] = missing(lists[i+1], number[i+1])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	more, moreNumber, err := mergeNames(ctx, threads, others)
	if err != nil {
		return nil, nil, err
	}
	err = pool.Run(ctx, threads, len(others), func(_, i int) error {
		numberMissing(number[i+1], moreNumber[i], uint32(len(lists[0])))
		return nil
	})
	return append(lists[0], more...), number, err
}

// missing returns the terms that were not found.
func missing(terms []string, number []uint32) []string {
	left, n := make([]string, len(terms)), 0
	for i, term := range terms {
		left[n] = term
		n += int((uint64(number[i]) + 1) >> 32) // analysis.NotFound is the largest; no branch, which nobody could predict
	}
	return left[:n]
}

// lookUpTerms sets the numbers of terms that are not found yet and that a counter has.
func lookUpTerms(ctx context.Context, threads int, c *analysis.Counter, terms []string, number []uint32) error {
	return pool.Run(ctx, threads, (len(terms)+lookupChunk-1)/lookupChunk, func(_, chunk int) error {
		from := chunk * lookupChunk
		for i, term := range terms[from:min(from+lookupChunk, len(terms))] {
			if number[from+i] != analysis.NotFound {
				continue
			}
			if n, ok := c.Find(term); ok {
				number[from+i] = n
			}
		}
		return nil
	})
}

// numberMissing replaces analysis.NotFound in number: the i-th by first + theirs[i], by first + i
// if theirs is nil.
func numberMissing(number, theirs []uint32, first uint32) {
	at := uint32(0)
	for i, n := range number {
		if n != analysis.NotFound {
			continue
		}
		number[i] = first + at
		if theirs != nil {
			number[i] = first + theirs[at]
		}
		at++
	}
}
