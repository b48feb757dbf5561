package kernels

import "fmt"

// containerBits is the number of values that a container can hold.
const containerBits = 8 * BitmapBytes

// Bounds cut the 65,536 values of a container into ranges: range i is [at[i],
// at[i+1]). They are checked once, when made, since the same ones serve the
// containers of every term.
type Bounds struct{ at []uint32 }

// NewBounds makes bounds of ascending values of at most 65,536. It keeps the
// slice, which must not be modified afterwards. Two neighbours may be equal.
func NewBounds(at []uint32) (Bounds, error) {
	last := uint32(0)
	for i, b := range at {
		if b < last || b > containerBits {
			return Bounds{}, fmt.Errorf("kernels: bound %d of a container is %d, after %d", i, b, last)
		}
		last = b
	}
	return Bounds{at}, nil
}

// Ranges is the number of ranges that the bounds make.
func (b Bounds) Ranges() int { return max(len(b.at)-1, 0) }

// At gives the values that the bounds were made of; they must not be modified.
func (b Bounds) At() []uint32 { return b.at }
