package kernels

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

type classifier = func(src, lower []byte, masks []uint64, class Class) bool

func classifiers(p implementation) classifier { return p.classify }

// classifyOneByOne is the definition of Classify, byte by byte.
func classifyOneByOne(src []byte, class Class) (lower []byte, masks []uint64, high bool) {
	lower = bytes.Clone(src)
	masks = make([]uint64, (len(src)+63)/64)
	for i, c := range src {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		word := letter || '0' <= c && c <= '9' || c == '_'
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 32
		}
		if c >= 0x80 || letter || class == WordBytes && word {
			masks[i/64] |= 1 << (i % 64)
		}
		high = high || c >= 0x80
	}
	return lower, masks, high
}

func TestClassify(t *testing.T) {
	forEach(t, classifiers, func(t *testing.T, classify classifier) {
		r := rand.New(rand.NewPCG(9, 10))
		allSrc, allLower := newGround[byte](t, most, 0xC3), newGround[byte](t, most, 0xEE)
		allMasks := newGround[uint64](t, most/BlockBytes+1, 0xABCD)
		check := func(n int, at place, class Class, kind int) {
			src, lower := allSrc.take(n, at), allLower.take(n, somePlaces[r.IntN(len(somePlaces))])
			masks := allMasks.take((n+BlockBytes-1)/BlockBytes, somePlaces[r.IntN(len(somePlaces))])
			for i := range src {
				src[i] = byte(r.Uint32())
				if kind > 0 {
					src[i] &= 0x7F
				}
			}
			if kind == 2 {
				src[r.IntN(n)] |= 0x80 // the only one beyond ASCII must not be missed
			}
			wantLower, wantMasks, wantHigh := classifyOneByOne(src, class)
			high := classify(src, lower, masks, class)
			if high != wantHigh || !bytes.Equal(lower, wantLower) || !slices.Equal(masks, wantMasks) {
				t.Fatalf("%q, class %d: %q %x %v, want %q %x %v", src, class, lower, masks, high, wantLower, wantMasks, wantHigh)
			}
			allSrc.check(t)
			allLower.check(t)
			allMasks.check(t)
		}
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				for kind := range 3 {
					check(n, at, Letters, kind)
					check(n, at, WordBytes, kind)
				}
			}
		}
	})
}

// Every byte at every place of a block, of a whole one and of one cut short.
func TestClassifyEveryByte(t *testing.T) {
	forEach(t, classifiers, func(t *testing.T, classify classifier) {
		src := make([]byte, 4*BlockBytes-1)
		lower, masks := make([]byte, len(src)), make([]uint64, 4)
		for first := range 256 {
			for i := range src {
				src[i] = byte(first + i)
			}
			for _, class := range []Class{Letters, WordBytes} {
				wantLower, wantMasks, _ := classifyOneByOne(src, class)
				if !classify(src, lower, masks, class) || !bytes.Equal(lower, wantLower) || !slices.Equal(masks, wantMasks) {
					t.Fatalf("from byte %d, class %d: %q %x, want %q %x", first, class, lower, masks, wantLower, wantMasks)
				}
			}
		}
	})
}

func TestClassifyOfNone(t *testing.T) {
	testkit.Equal(testkit.Stop(t), Classify(nil, nil, nil, Letters), false, "there is nothing beyond ASCII")
}

// Any bytes are classified as by the definition.
func FuzzClassify(f *testing.F) {
	f.Add([]byte("Hello, Wörld_1"), true)
	f.Add(bytes.Repeat([]byte("AZ[@az`{09:/_^"), 10), false)
	f.Fuzz(func(t *testing.T, src []byte, words bool) {
		class := Letters
		if words {
			class = WordBytes
		}
		wantLower, wantMasks, wantHigh := classifyOneByOne(src, class)
		check := func(name string, classify classifier) {
			lower, masks := bytes.Repeat([]byte{0xEE}, len(src)+1), slices.Repeat([]uint64{7}, len(wantMasks)+1)
			high := classify(src, lower[:len(src)], masks[:len(wantMasks)], class)
			if high != wantHigh || !bytes.Equal(lower[:len(src)], wantLower) || !slices.Equal(masks[:len(wantMasks)], wantMasks) {
				t.Fatalf("%s: %q, class %d: %q %x %v, want %q %x %v", name, src, class, lower, masks, high, wantLower, wantMasks, wantHigh)
			}
			if lower[len(src)] != 0xEE || masks[len(wantMasks)] != 7 {
				t.Fatalf("%s: %d bytes: it wrote behind the end", name, len(src))
			}
		}
		for _, p := range implementations {
			if p.classify != nil {
				check(p.name, p.classify)
			}
		}
	})
}
