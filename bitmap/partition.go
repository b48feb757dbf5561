package bitmap

import "fmt"

// A Partition cuts the ids into ranges, such as the documents of each class, and
// counts the ids of a serialised set in each of them without decoding it. It is
// immutable and safe for concurrent use.
type Partition struct {
	chunks []chunk // of 65,536 ids each, up to the last bound
	ranges int
}

// A chunk is what the ranges leave of one container's ids.
type chunk struct {
	first  int // range that bounds begin with
	bounds []uint32
	whole  bool // one range has all ids of the container
}

// NewPartition makes ranges of ascending bounds: range i is [bounds[i],
// bounds[i+1]). Ids before the first and from the last bound on are in none.
func NewPartition(bounds []uint32) (*Partition, error) {
	p := &Partition{ranges: max(len(bounds)-1, 0)}
	if p.ranges == 0 {
		return p, nil
	}
	last := bounds[p.ranges]
	first := 0
	for base := uint64(0); base < uint64(last); base += 1 << containerShift {
		c, err := cut(bounds, first, base)
		if err != nil {
			return nil, err
		}
		p.chunks = append(p.chunks, c)
		first = c.first + len(c.bounds) - 2
	}
	return p, nil
}

// cut finds the ranges that meet the container at base, from range `first` on.
func cut(bounds []uint32, first int, base uint64) (chunk, error) {
	end := base + 1<<containerShift
	for first+1 < len(bounds)-1 && uint64(bounds[first+1]) <= base {
		first++
	}
	inside := func(bound uint32) uint32 { return uint32(min(max(uint64(bound), base), end) - base) }
	at := []uint32{inside(bounds[first])}
	for i := first + 1; i < len(bounds); i++ {
		at = append(at, inside(bounds[i]))
		if uint64(bounds[i]) >= end {
			break
		}
	}
	for i := 1; i < len(at); i++ {
		if at[i] < at[i-1] {
			return chunk{}, fmt.Errorf("bitmap: the bounds of a partition do not ascend: %d follows %d", bounds[first+i], bounds[first+i-1])
		}
	}
	return chunk{first, at, len(at) == 2 && at[0] == 0 && at[1] == 1<<containerShift}, nil
}

// Ranges is the number of ranges.
func (p *Partition) Ranges() int { return p.ranges }

// Count adds to counts[i] the ids in range i of a set in Roaring's portable
// form, container by container: a range popcount or a search of the boundaries,
// never a loop over the ids. counts must have one element a range.
func (p *Partition) Count(counts []uint32, data []byte) error {
	v, err := header(data)
	if err != nil {
		return err
	}
	return v.each(func(key uint32, card int, k kind, payload []byte) error {
		if int(key) >= len(p.chunks) {
			return nil // behind the last range
		}
		c := &p.chunks[key]
		if c.whole {
			counts[c.first] += uint32(card)
			return nil
		}
		own := counts[c.first : c.first+len(c.bounds)-1]
		switch k {
		case arrayKind:
			countValues(own, payload, c.bounds)
		case bitmapKind:
			countBits(own, payload, c.bounds)
		case runKind:
			countRuns(own, payload[2:], c.bounds)
		}
		return nil
	})
}
