package bitmap

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
)

// shapes are sets that make every kind and size of container.
func shapes() map[string][]uint32 {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(n int, limit uint32) []uint32 {
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = r.Uint32N(limit)
		}
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	dense := func(from, to uint32) []uint32 {
		var ids []uint32
		for id := from; id < to; id++ {
			ids = append(ids, id)
		}
		return ids
	}
	return map[string][]uint32{
		"empty":          nil,
		"one":            {7},
		"largest":        {0, 1<<32 - 1},
		"array full":     dense(100, 100+arrayMax),
		"bitmap least":   dense(100, 101+arrayMax),
		"whole chunk":    dense(1<<16, 2<<16),
		"across chunks":  dense(65000, 200000),
		"sparse":         pick(5000, 1<<31),
		"medium":         pick(50000, 1<<20),
		"dense and rare": append(dense(0, 60000), pick(100, 1<<16)[50]+3<<16),
	}
}

func TestAppendIsReadableByRoaringAndByView(t *testing.T) {
	for name, ids := range shapes() {
		t.Run(name, func(t *testing.T) {
			data := Append([]byte{}, ids)
			var b roaring.Bitmap
			testkit.Must(b.ReadFrom(bytes.NewReader(data)))
			if !slices.Equal(b.ToArray(), ids) && len(ids) > 0 {
				t.Fatal("roaring reads other ids")
			}
			checkView(t, data, ids)
		})
	}
}

// Bytes and AppendCounted agree with Append, behind what is there already.
func TestAppendCounted(t *testing.T) {
	for name, ids := range shapes() {
		cardinalities := make([]uint32, 1<<16)
		for _, id := range ids {
			cardinalities[id>>16]++
		}
		want := Append([]byte{}, ids)
		if got := Bytes(cardinalities); got != len(want) {
			t.Errorf("%s: %d bytes, not %d", name, got, len(want))
		}
		if got := AppendCounted([]byte("x"), ids, cardinalities); string(got) != "x"+string(want) {
			t.Errorf("%s: another bitmap", name)
		}
	}
}

func TestViewReadsRunContainers(t *testing.T) {
	for name, ids := range shapes() {
		t.Run(name, func(t *testing.T) {
			b := FromIDs(ids)
			b.RunOptimize()
			data := testkit.Must(b.ToBytes())
			checkView(t, data, ids)
		})
	}
}

func checkView(t *testing.T, data []byte, ids []uint32) {
	t.Helper()
	v := testkit.Must(Parse(data))
	if v.Cardinality() != len(ids) {
		t.Fatalf("cardinality %d, want %d", v.Cardinality(), len(ids))
	}
	if got := v.AppendTo(nil); !slices.Equal(got, ids) {
		t.Fatalf("%d ids differ from the %d written", len(got), len(ids))
	}
	if !slices.Equal(v.Bitmap().ToArray(), b2(ids)) {
		t.Fatal("the heap copy differs")
	}
}

func b2(ids []uint32) []uint32 { return FromIDs(ids).ToArray() }

func TestParseRejectsEveryTruncation(t *testing.T) {
	for name, ids := range shapes() {
		data := Append(nil, ids)
		for n := range min(len(data), 3000) {
			if _, err := Parse(data[:n]); !errors.Is(err, ErrFormat) {
				t.Fatalf("%s cut at %d of %d: %v", name, n, len(data), err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, ids := range shapes() {
		if data := Append(nil, ids); len(data) < 10000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		v.AppendTo(nil)
	})
}

// Counts against a loop over the ids, for every shape, with and without runs.
func TestPartitionCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, ids := range shapes() {
		for range 20 {
			bounds := make([]uint32, 1+r.IntN(40))
			limit := uint32(1) << (8 + r.IntN(24))
			for i := range bounds {
				bounds[i] = r.Uint32N(limit)
				if r.IntN(4) == 0 {
					bounds[i] &^= 1<<16 - 1
				}
			}
			slices.Sort(bounds)
			p := testkit.Must(NewPartition(bounds))
			want := make([]uint32, p.Ranges())
			for _, id := range ids {
				for i := range want {
					if bounds[i] <= id && id < bounds[i+1] {
						want[i]++
					}
				}
			}
			runs := FromIDs(ids)
			runs.RunOptimize()
			optimized := testkit.Must(runs.ToBytes())
			for _, data := range [][]byte{Append(nil, ids), optimized} {
				got := make([]uint32, p.Ranges())
				testkit.OK(p.Count(got, data))
				if !slices.Equal(got, want) {
					t.Fatalf("%s within %v: %v, want %v", name, bounds, got, want)
				}
			}
		}
	}
}

func TestPartitionRefusesBoundsThatDoNotAscend(t *testing.T) {
	if _, err := NewPartition([]uint32{0, 9, 3, 12}); err == nil {
		t.Fatal("taken")
	}
}
