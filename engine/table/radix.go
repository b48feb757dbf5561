package table

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
)

// This file sorts long lists by whole numbers, from the last digit to the first.

// An Item has a key to be sorted by, and the numbers of what has it.
type Item struct {
	Key    uint64
	ID, Of uint32
}

// SortDescending sorts items by their keys, the largest first. Items of one key keep their order. spare is as long as
// items at least.
func SortDescending(items, spare []Item) { sortItems(items, spare, ^uint64(0)) }

// SortOn sorts items by their keys, the least first, on several goroutines. It calls ties, unless it is nil, with the
// items of each key that several have. It splits the items into groups by the highest bits in which keys differ, and
// sorts each group.
func SortOn(ctx context.Context, threads int, items []Item, ties func(alike []Item)) error {
	spare, chunks := make([]Item, len(items)), min(pool.Threads(threads), len(items)/fewItems+1)
	next, size := make([][256]int, chunks), (len(items)+chunks-1)/chunks
	each := func(f func(next *[256]int, own []Item)) error {
		return pool.Run(ctx, threads, chunks, func(_, i int) error {
			f(&next[i], items[min(i*size, len(items)):min((i+1)*size, len(items))])
			return nil
		})
	}
	var differ atomic.Uint64
	err := each(func(_ *[256]int, own []Item) {
		differs := uint64(0)
		for _, x := range own {
			differs |= x.Key ^ items[0].Key
		}
		differ.Or(differs)
	})
	if err != nil {
		return err
	}
	shift := max(bits.Len64(differ.Load())-8, 0)
	err = each(func(next *[256]int, own []Item) {
		for _, x := range own {
			next[x.Key>>shift&255]++
		}
	})
	if err != nil {
		return err
	}
	var ends [256]int
	end := 0
	for group := range ends {
		for i := range next {
			next[i][group], end = end, end+next[i][group]
		}
		ends[group] = end
	}
	err = each(func(next *[256]int, own []Item) {
		for _, x := range own {
			at := &next[x.Key>>shift&255]
			spare[*at] = x
			*at++
		}
	})
	if err != nil {
		return err
	}
	return pool.Run(ctx, threads, len(ends), func(_, group int) error {
		from, to := 0, ends[group]
		if group > 0 {
			from = ends[group-1]
		}
		copy(items[from:to], spare[from:to])
		sortItems(items[from:to], spare[from:to], 0)
		if ties != nil {
			eachTie(items[from:to], ties)
		}
		return nil
	})
}

// eachTie calls f with the items of each key that several have.
func eachTie(items []Item, f func(alike []Item)) {
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].Key == items[from].Key {
			to++
		}
		if to > from+1 {
			f(items[from:to])
		}
		from = to
	}
}

const (
	// fewItems is the number of items below which counters take longer than comparisons.
	fewItems   = 256
	itemDigit  = 11
	itemDigits = 1 << itemDigit
)

// sortItems sorts by the keys whose bits flip inverts, from the last digit to the first, without those
// that are the same everywhere.
func sortItems(items, spare []Item, flip uint64) {
	if len(items) < fewItems {
		slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Key^flip, b.Key^flip) })
		return
	}
	differ := uint64(0)
	for _, x := range items {
		differ |= x.Key ^ items[0].Key
	}
	from, to := items, spare[:len(items)]
	for shift := 0; shift < 64; shift += itemDigit {
		if differ>>shift%itemDigits == 0 {
			continue
		}
		var places [itemDigits]uint32
		for i := range from {
			places[(from[i].Key^flip)>>shift%itemDigits]++
		}
		sum := uint32(0)
		for d, n := range places {
			places[d] = sum
			sum += n
		}
		for _, x := range from {
			at := &places[(x.Key^flip)>>shift%itemDigits]
			to[*at] = x
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}
