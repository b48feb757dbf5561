package report

import "math/bits"

// This file codes numbers in as few bits as what is known before makes likely: an arithmetic coder of bits
// (Rissanen and Langdon 1979; Martin 1979) with a model for each context. explore_bits.js decodes.

// A bitCoder writes bits. newBitCoder makes one.
type bitCoder struct {
	low    uint64 // of the interval of the numbers that begin with what was written, and a carry above 32 bits
	width  uint32 // of the interval
	held   byte   // the last byte but the full ones, which a carry changes
	full   int    // bytes 0xff behind it, which a carry would pass through
	out    []byte
	models map[context]*numberModel
}

func newBitCoder() *bitCoder {
	return &bitCoder{width: 1<<32 - 1, models: map[context]*numberModel{}}
}

// A bitModel is the probability that a bit is 0, of 65,536, and how often it was coded: the more often, the
// less one bit changes it.
type bitModel struct{ zero, seen uint16 }

const (
	mostSeen  = 120
	leastZero = 32 // of 65,536: no bit is impossible
)

// bit writes a bit.
func (c *bitCoder) bit(m *bitModel, one bool) {
	split := c.width >> 16 * uint32(m.zero)
	if one {
		c.low += uint64(split)
		c.width -= split
		m.zero -= (m.zero - leastZero) / (m.seen + 2)
	} else {
		c.width = split
		m.zero += (1<<16 - 1 - leastZero - m.zero) / (m.seen + 2)
	}
	m.seen = min(m.seen+1, mostSeen)
	for c.width < 1<<24 {
		c.width <<= 8
		c.shift()
	}
}

// shift takes the highest byte off low, and writes it when no carry can change it.
func (c *bitCoder) shift() {
	if c.low < 0xff<<24 || c.low >= 1<<32 {
		carry := byte(c.low >> 32)
		c.out = append(c.out, c.held+carry)
		for ; c.full > 0; c.full-- {
			c.out = append(c.out, 0xff+carry)
		}
		c.held = byte(c.low >> 24)
	} else {
		c.full++
	}
	c.low = c.low & (1<<24 - 1) << 8
}

// finish returns the bytes. The first, held in the beginning, says nothing.
func (c *bitCoder) finish() []byte {
	for range 5 {
		c.shift()
	}
	return c.out[1:]
}

// A context is what is known of a number before it is coded: what it says, and two numbers below 64.
type context struct{ of, a, b uint64 }

// A numberModel has the models of the bits of numbers.
type numberModel struct {
	longer [64]bitModel    // is the number longer than so many bits?
	next   [64][8]bitModel // the three bits behind the first, by the length of the number and the bits before
	rest   [64]bitModel    // the others, by their place
}

func (c *bitCoder) model(of context) *numberModel {
	m := c.models[of]
	if m == nil {
		m = &numberModel{}
		even := bitModel{zero: 1 << 15}
		for i := range m.longer {
			m.longer[i], m.rest[i] = even, even
			for j := range m.next[i] {
				m.next[i][j] = even
			}
		}
		c.models[of] = m
	}
	return m
}

// number writes a number below 2^53: how many bits one more has, and those behind the first.
func (c *bitCoder) number(of context, v uint64) {
	m := c.model(of)
	v++
	n := bits.Len64(v)
	for i := 1; i < n; i++ {
		c.bit(&m.longer[i], true)
	}
	c.bit(&m.longer[n], false)
	node := uint64(1)
	for i := n - 2; i >= 0; i-- {
		one := v >> i & 1
		if node < 8 {
			c.bit(&m.next[n][node], one == 1)
			node = 2*node + one
		} else {
			c.bit(&m.rest[i], one == 1)
		}
	}
}

// signed writes a number whose size is below 2^53: the size, and the sign unless it is 0.
func (c *bitCoder) signed(of context, v int64) {
	if v >= 0 {
		c.number(of, uint64(v))
	} else {
		c.number(of, uint64(-v))
	}
	if v != 0 {
		c.bit(&c.model(of).rest[63], v < 0)
	}
}

// magnitude returns a number below 64 that tells small numbers apart, and the lengths of larger ones.
func magnitude(v uint64) uint64 {
	if v < 8 {
		return v
	}
	return 4 + uint64(bits.Len64(v))
}
