package kernels

import "encoding/binary"

// Eight bytes are classified at once in a register: with the top bit of each
// byte cleared, adding 0x80-x carries into the top bit exactly where the byte is
// at least x.

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
	lows = 0x7F * ones
	// gather collects the top bits of eight bytes in the uppermost byte of the
	// product: byte i lands at bit 56+i.
	gather = 0x0002040810204081
)

func classifyGeneric(src, lower []byte, masks []uint64, class Class) bool {
	var high uint64
	block := 0
	for ; len(src) >= BlockBytes; block++ {
		masks[block] = classifyBlock(src[:BlockBytes], lower[:BlockBytes], class, &high)
		src, lower = src[BlockBytes:], lower[BlockBytes:]
	}
	if len(src) > 0 {
		var in, out [BlockBytes]byte
		copy(in[:], src)
		masks[block] = classifyBlock(in[:], out[:], class, &high)
		copy(lower, out[:len(src)])
	}
	return high&tops != 0
}

// classifyBlock handles 64 bytes. Digits and the underscore are the difference
// between the two classes.
func classifyBlock(src, lower []byte, class Class, high *uint64) uint64 {
	var mask uint64
	for i := 0; i < BlockBytes; i += 8 {
		w := binary.LittleEndian.Uint64(src[i:])
		*high |= w
		low := w & lows
		upper := inRange(low, 'A', 'Z') &^ w
		folded := w | upper>>2 // 0x80 >> 2 is the bit between the cases
		token := inRange(folded&lows, 'a', 'z')
		if class == WordBytes {
			token |= inRange(low, '0', '9') | inRange(low, '_', '_')
		}
		token = (token | w) & tops // a byte with the top bit set counts as well
		binary.LittleEndian.PutUint64(lower[i:], folded)
		mask |= token * gather >> 56 << i
	}
	return mask
}

// inRange sets the top bit of the bytes in [from, to]; w has none set.
func inRange(w uint64, from, to byte) uint64 {
	return (w + uint64(0x80-from)*ones) &^ (w + uint64(0x7F-to)*ones) & tops
}
