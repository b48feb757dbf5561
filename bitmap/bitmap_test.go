package bitmap

import (
	"bytes"
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

// Bytes is the length of what Append appends, behind what is there already.
func TestSize(t *testing.T) {
	for name, ids := range shapes() {
		cardinalities := make([]uint32, 1<<16)
		for _, id := range ids {
			cardinalities[id>>16]++
		}
		if got, want := Append([]byte("x"), ids), Append([]byte{}, ids); string(got) != "x"+string(want) || len(want) != size(cardinalities) {
			t.Errorf("%s: another bitmap, or not of %d bytes", name, size(cardinalities))
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
	testkit.Equal(testkit.Stop(t), v.Cardinality(), len(ids), "cardinality")
	testkit.EqualSlices(testkit.Stop(t), v.AppendTo(nil), ids, "ids differ from the", len(ids), "written")
	testkit.EqualSlices(testkit.Stop(t), FromIDs(ids).ToArray(), append([]uint32{}, ids...), "the heap copy differs")
}

func TestParseRejectsEveryTruncation(t *testing.T) {
	for name, ids := range shapes() {
		data := Append(nil, ids)
		for n := range min(len(data), 3000) {
			testkit.Is(testkit.Stop(t), testkit.Err(Parse(data[:n])), ErrFormat, name, "cut at", n, "of", len(data))
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
			testkit.Is(testkit.Stop(t), err, ErrFormat)
			return
		}
		v.AppendTo(nil)
	})
}

// Counts in every range of small sets, and in random ones of larger, against the ids
// themselves.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 19))
	for _, size := range []int{0, 1, 63, 64, 65, 200, 5000} {
		for range 5 {
			in := [2]map[uint32]bool{{}, {}}
			var sets [2]Bits
			var ids [2][]uint32
			for i := range sets {
				for id := range uint32(size) {
					if r.IntN(3) == 0 {
						ids[i] = append(ids[i], id)
						in[i][id] = true
					}
				}
				sets[i] = NewBits(ids[i], size)
			}
			common := make([]int, size+1) // below each bound
			for id := range size {
				common[id+1] = common[id]
				if in[0][uint32(id)] && in[1][uint32(id)] {
					common[id+1]++
				}
			}
			testkit.Equal(t, sets[0].CountOf(ids[1]), common[size], "size", size, "in common")
			step := 1 + size/100
			for from := 0; from <= size; from += step {
				for to := from; to <= size; to += step {
					testkit.Equal(testkit.Stop(t), sets[0].CountAnd(sets[1], uint32(from), uint32(to)),
						common[to]-common[from], "size", size, "in [", from, to)
				}
			}
		}
	}
}

func TestValidateAcceptsWhatAppendWrites(t *testing.T) {
	for name, ids := range shapes() {
		v := testkit.Must(Parse(Append(nil, ids)))
		testkit.Is(t, v.Validate(1<<32), nil, name)
		if len(ids) > 0 {
			testkit.Fails(t, v.Validate(uint64(ids[len(ids)-1])), name, "the last id is not below itself")
		}
	}
}

// What passes has ascending ids, as many as it says, and what does not pass is said
// so without expanding it: runs of 65,536 ids in four bytes each are refused.
func TestValidateKnowsWhatAppendToGives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	passed := 0
	for name, ids := range shapes() {
		if len(ids) == 0 {
			continue
		}
		runs := FromIDs(ids)
		runs.RunOptimize()
		withRuns := testkit.Must(runs.ToBytes())
		for _, data := range [][]byte{Append(nil, ids), withRuns} {
			for range 300 {
				edited := slices.Clone(data)
				for range 1 + r.IntN(2) {
					edited[r.IntN(len(edited))] = byte(r.Uint32())
				}
				v, err := Parse(edited)
				if err != nil || v.Validate(1<<31) != nil {
					continue
				}
				passed++
				got := v.AppendTo(nil)
				if len(got) != v.Cardinality() || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
					t.Fatalf("%s: %d ids of %d pass and are not in order", name, len(got), v.Cardinality())
				}
			}
		}
	}
	t.Logf("%d edited bitmaps are sound", passed)
}

func TestValidateRefusesRunsThatExplode(t *testing.T) {
	data := []byte{0x3B, 0x30, 0, 0, 1, 0, 0, 0xFF, 0xFF} // one container, a run, all ids
	data = append(data, 0xFF, 0xFF)                       // 65,535 runs
	for range 65535 {
		data = append(data, 0, 0, 0xFF, 0xFF)
	}
	v := testkit.Must(Parse(data))
	if v.Validate(1<<32) == nil {
		t.Fatal("four billion ids in a container pass")
	}
}
