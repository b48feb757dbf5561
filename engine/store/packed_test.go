package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func packingOf(df, documents int) packing { return packing{documents: documents}.of(df) }

// someList draws df documents, ascending, with the first and the last now and then.
func someList(r *rand.Rand, df, documents int) []uint32 {
	seen := map[uint32]bool{}
	if r.IntN(3) == 0 {
		seen[0] = true
	}
	if r.IntN(3) == 0 && (df > 1 || len(seen) == 0) {
		seen[uint32(documents-1)] = true
	}
	for len(seen) < df {
		seen[uint32(r.Int64N(int64(documents)))] = true
	}
	docs := []uint32{}
	for d := range seen {
		docs = append(docs, d)
	}
	slices.Sort(docs)
	return docs
}

func TestPackedLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		documents := 1 + int(r.Int64N(min(int64(1)<<(1+r.IntN(31)), math.MaxInt))) // 2^31 is no int of 32 bits
		docs := someList(r, min(1+r.IntN(70), documents), documents)
		before := make([]byte, r.IntN(9))
		packed := packingOf(len(docs), documents).append(slices.Clone(before), docs)
		testkit.Equal(testkit.Stop(t), len(packed)-len(before), packingOf(len(docs), documents).size, len(docs),
			documents, "bytes")
		data := packed[len(before):]
		if r.IntN(2) == 0 { // another list behind it
			data = append(slices.Clone(data), 255, 255, 255, 255, 255, 255, 255, 255)
		}
		got := make([]uint32, len(docs))
		if !packingOf(len(docs), documents).unpack(got, data) || !slices.Equal(got, docs) {
			t.Fatalf("%v of %d came back as %v", docs, documents, got)
		}
	}
}

// Every list has one form and every form is of one list: what unpack takes packs to the
// same bytes.
func TestPackedListsHaveOneForm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	taken := 0
	for range 30_000 {
		documents := 1 + r.IntN([]int{200, 70_000, 300_000, 1 << 20}[r.IntN(4)])
		df := 1 + r.IntN(min(documents, 4))
		data := make([]byte, packingOf(df, documents).size)
		if r.IntN(2) == 0 {
			data = packingOf(df, documents).append(nil, someList(r, df, documents))
			bit := r.IntN(8 * len(data))
			data[bit/8] ^= 1 << (bit % 8)
		} else {
			for i := range data {
				data[i] = byte(r.Uint32())
			}
		}
		docs := make([]uint32, df)
		if !packingOf(df, documents).unpack(docs, data) {
			continue
		}
		taken++
		testkit.EqualSlices(testkit.Stop(t), packingOf(df, documents).append(nil, docs), data, docs, "of", documents,
			"has two forms")
	}
	if taken < 1000 {
		t.Errorf("%d lists were taken", taken)
	}
}

// The bytes by hand: 3 of 10 documents have a low bit each, then the halves in unary.
func TestPackedByHand(t *testing.T) {
	p := packingOf(3, 10)
	// lows of 1, 4, 9: 1 0 1; halves 0, 2, 4: ones at 0, 2+1, 4+2 of seven bits
	testkit.EqualSlices(t, p.append(nil, []uint32{1, 4, 9}), []byte{0b01001_101, 0b10})
	for name, bad := range map[string][]byte{
		"a fourth document": {0b01001_101, 0b110},
		"two only":          {0b01001_101, 0b00},
		"1, 0":              {0b00011_001, 0b10},
		"twice":             {0b00011_101, 0b10},
		"behind the end":    {0b01001_101, 0b100},
		"more bits":         {0b01001_101, 0b1000010},
	} {
		testkit.Equal(t, p.unpack(make([]uint32, 3), bad), false, name, "is taken for")
	}
}
