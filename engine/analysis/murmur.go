package analysis

import "math/bits"

// Hash returns the hash of a term: MurmurHash3 for x86 with 32 bits and seed 0, of its bytes, which is
// what scikit-learn's HashingVectorizer takes. The source is Austin Appleby's MurmurHash3.cpp.
func Hash(term []byte) uint32 { return murmur{}.then(term).sum() }

// columnOf returns the column of a hash in 2^bits: the remainder of its absolute value as a signed
// number, as scikit-learn has it. mask is the number of columns less one.
func columnOf(hash, mask uint32) uint32 {
	sign := uint32(int32(hash) >> 31)
	return (hash ^ sign - sign) & mask
}

// A murmur is the hash of some bytes that others may follow: of whole blocks of four bytes, and the up to
// three bytes behind them.
type murmur struct{ blocks, tail, size uint32 }

// then returns the hash with more bytes behind.
func (m murmur) then(b []byte) murmur {
	for len(b) > murmurKey {
		m = m.thenKey(keyOf(b[:murmurKey]), murmurKey)
		b = b[murmurKey:]
	}
	return m.thenKey(keyOf(b), uint32(len(b)))
}

// murmurKey is the number of bytes that then adds at a time.
const murmurKey = inlineBytes

// thenKey returns the hash with the n bytes of a key behind. It makes the hashes of all numbers of blocks,
// and takes one of them: nobody can predict the length of a word.
func (m murmur) thenKey(k key, n uint32) murmur {
	shift := m.size & 3 * 8
	low := uint64(m.tail) | k.low<<(shift&63)
	middle := k.low>>1>>((63-shift)&63) | k.high<<(shift&63)
	high := k.high >> 1 >> ((63 - shift) & 63)
	blocks := [8]uint32{uint32(low), uint32(low >> 32), uint32(middle), uint32(middle >> 32), uint32(high)}
	hashes := [8]uint32{m.blocks}
	for i := range 4 {
		hashes[i+1] = bits.RotateLeft32(hashes[i]^scramble(blocks[i]), 13)*5 + 0xe6546b64
	}
	full := (m.size&3 + n) / 4 & 7
	return murmur{hashes[full], blocks[full], m.size + n}
}

// sum returns the hash.
func (m murmur) sum() uint32 {
	h := m.blocks ^ scramble(m.tail) ^ m.size
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// scramble mixes four bytes.
func scramble(block uint32) uint32 { return bits.RotateLeft32(block*0xcc9e2d51, 15) * 0x1b873593 }
