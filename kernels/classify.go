package kernels

import "encoding/binary"

// A Class says which ASCII bytes belong to tokens.
type Class uint8

const (
	// Letters are A-Z and a-z.
	Letters Class = iota
	// WordBytes are letters, digits and the underscore.
	WordBytes
)

// BlockBytes is the number of bytes that one mask describes.
const BlockBytes = 64

// Classify marks the token bytes of src and copies it in lower case.
//
//	lower[i] = src[i] + 32 for A-Z, else src[i]
//	bit i%64 of masks[i/64] = src[i] is of the class, or >= 0x80
//
// Bytes from 0x80 on belong to characters that this kernel does not know; it
// marks them so that they do not cut tokens, and reports whether there are any.
// Bits behind the end of src are 0. lower must have len(src) bytes and masks
// one element for each block begun; src and lower must not overlap.
func Classify(src, lower []byte, masks []uint64, class Class) (beyondASCII bool) {
	if len(lower) < len(src) || len(masks)*BlockBytes < len(src) {
		panic("kernels: Classify: a destination is too short")
	}
	return len(src) > 0 && classify(src, lower, masks, class)
}

// This file classifies eight bytes at once in a register: with the top bit of
// each byte cleared, adding 0x80-x carries into the top bit exactly where the
// byte is at least x.

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
	lows = 0x7F * ones
	// gather collects the top bits of eight bytes, shifted to the bottom, in the
	// uppermost byte of the product: byte i lands at bit 56+i.
	gather = 0x0102040810204080
)

func classifyGeneric(src, lower []byte, masks []uint64, class Class) bool {
	var high uint64
	block := 0
	for ; len(src) >= BlockBytes && len(lower) >= BlockBytes && block < len(masks); block++ {
		masks[block] = classifyBlock((*[BlockBytes]byte)(src), (*[BlockBytes]byte)(lower), class, &high)
		src, lower = src[BlockBytes:], lower[BlockBytes:]
	}
	if len(src) > 0 {
		var in, out [BlockBytes]byte
		copy(in[:], src)
		masks[block] = classifyBlock(&in, &out, class, &high)
		copy(lower, out[:len(src)])
	}
	return high&tops != 0
}

// classifyBlock handles 64 bytes. Digits and the underscore are the difference
// between the two classes.
func classifyBlock(src, lower *[BlockBytes]byte, class Class, high *uint64) uint64 {
	var mask, seen uint64
	if class == Letters {
		for i := 0; i < BlockBytes; i += 8 {
			w := binary.LittleEndian.Uint64(src[i : i+8])
			seen |= w
			letter, folded := fold(w)
			binary.LittleEndian.PutUint64(lower[i:i+8], folded)
			mask = mask>>8 | (letter|w)&tops>>7*gather&^(1<<56-1)
		}
		*high |= seen
		return mask
	}
	for i := 0; i < BlockBytes; i += 8 {
		w := binary.LittleEndian.Uint64(src[i : i+8])
		seen |= w
		letter, folded := fold(w)
		binary.LittleEndian.PutUint64(lower[i:i+8], folded)
		low := w & lows
		digit := (low + (0x80-'0')*ones) &^ (low + (0x7F-'9')*ones)
		other := low ^ '_'*ones + lows // the top bit stays clear for an underscore
		mask = mask>>8 | (letter|digit|^other|w)&tops>>7*gather&^(1<<56-1)
	}
	*high |= seen
	return mask
}

// fold sets the top bit of the bytes that are letters, once bit 7 is cleared
// (the other bits say nothing), and gives all bytes in lower case.
func fold(w uint64) (letter, folded uint64) {
	small := w&lows | 0x20*ones // @ and [ do not become letters
	letter = (small + (0x80-'a')*ones) &^ (small + (0x7F-'z')*ones)
	upper := letter &^ w &^ (w << 2) & tops // bit 5 is set in the small ones
	return letter, w | upper>>2
}
