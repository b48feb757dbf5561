package kernels

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
