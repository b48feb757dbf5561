package table

import (
	"cmp"
	"slices"
)

// This file sorts long lists by whole numbers, from the last digit to the first.

// An Item has a key to be sorted by, and the numbers of what has it.
type Item struct {
	Key    uint64
	ID, Of uint32
}

// SortItems sorts items by their keys. Items of one key keep their order. spare is as long as items at least.
func SortItems(items, spare []Item) { sortItems(items, spare, 0) }

// SortDescending is [SortItems] with the largest key first.
func SortDescending(items, spare []Item) { sortItems(items, spare, ^uint64(0)) }

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
