package bitmap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestValidateAcceptsWhatAppendWrites(t *testing.T) {
	for name, ids := range shapes() {
		v := testkit.Must(Parse(Append(nil, ids)))
		if err := v.Validate(1 << 32); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(ids) > 0 {
			if err := v.Validate(uint64(ids[len(ids)-1])); err == nil {
				t.Errorf("%s: the last id is not below itself", name)
			}
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
