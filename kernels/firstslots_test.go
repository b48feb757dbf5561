package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type slotReader func(values []uint32, keys []Key, slots []Slot, low, high uint64)

// Tables from one slot on; keys that are in their first slots, and others of which one half is
// there, or neither.
func TestFirstSlots(t *testing.T) {
	forEach(t, func(p implementation) slotReader { return p.firstSlots }, func(t *testing.T, first slotReader) {
		r := rand.New(rand.NewPCG(30, 31))
		allValues, allKeys, allSlots := newGround[uint32](t, most, 0xA5A5A5A5), newGround(t, most, Key{1, 2}), newGround(t, 1024, Slot{Key{3, 4}, 5})
		found := 0
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				values, keys := allValues.take(n, at), allKeys.take(n, somePlaces[r.IntN(len(somePlaces))])
				slots := allSlots.take(1<<r.IntN(11), somePlaces[r.IntN(len(somePlaces))])
				seed := Key{r.Uint64(), r.Uint64() | 1}
				for i := range slots {
					slots[i] = Slot{Key{r.Uint64N(3), r.Uint64N(3)}, r.Uint32()}
				}
				want := make([]uint32, n)
				for i := range keys {
					keys[i] = Key{r.Uint64N(3), r.Uint64N(3)}
					s := slots[keys[i].Hash(seed)%uint64(len(slots))]
					want[i] = Elsewhere
					if s.Key == keys[i] {
						want[i] = s.Value
						found++
					}
				}
				first(values, keys, slots, seed.Low, seed.High)
				if !slices.Equal(values, want) {
					t.Fatalf("%d keys, %d slots: %d, want %d", n, len(slots), values, want)
				}
				allValues.check(t)
				allKeys.check(t)
				allSlots.check(t)
			}
		}
		if found < 1000 {
			t.Errorf("only %d keys were found", found)
		}
	})
	FirstSlots(nil, nil, make([]Slot, 1), Key{})
}
