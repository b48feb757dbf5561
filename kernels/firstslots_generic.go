package kernels

func firstSlotsGeneric(values []uint32, keys []Key, slots []Slot, low, high uint64) {
	values = values[:len(keys)]
	seed, last := Key{low, high}, uint64(len(slots)-1)
	for i, k := range keys {
		s := &slots[k.Hash(seed)&last]
		value := s.Value
		if (s.Key.Low^k.Low)|(s.Key.High^k.High) != 0 {
			value = Elsewhere
		}
		values[i] = value
	}
}
