package workload

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
)

// small has several blocks, the last of them not full, and several labels.
var small = Params{Documents: 3*blockDocuments + 100, Tokens: 40, Terms: 3000, Classes: 30, Labels: 2.94, Seed: 7}

func generate(t testing.TB, p Params, threads int) postings.Source {
	t.Helper()
	s := testkit.Must(Generate(t.Context(), p, threads))
	return s
}

func named(t testing.TB, name string) Params {
	t.Helper()
	p, ok := Named(name)
	testkit.Equal(testkit.Stop(t), ok, true, "there is no set", name)
	return p
}

func TestThreadsDoNotMatter(t *testing.T) {
	want := generate(t, small, 1)
	for _, threads := range []int{2, 3} {
		testkit.Same(t, generate(t, small, threads), want, threads, "threads make another corpus than one")
	}
}

// The results of benchmarks are comparable as long as their sets are the same.
func TestTheSetsStay(t *testing.T) {
	s := generate(t, named(t, "S"), 0)
	h := xxh3.New()
	for _, list := range [][]uint32{s.Labels, s.LabelStart, s.Terms, s.Counts} {
		testkit.OK(binary.Write(h, binary.LittleEndian, list))
	}
	testkit.Equal(t, h.Sum64(), uint64(0x3c216269c7b23010), "the set S has the digest")
}

// TestShapesOfTheSets looks at the first documents of each set, enough to tell
// the postings of them all.
func TestShapesOfTheSets(t *testing.T) {
	for name, postings := range map[string]float64{"M": 11.6e6, "L": 104e6, "X": 20.7e6, "Classes": 20e6} {
		p := named(t, name)
		share := 5_000 / float64(p.Documents)
		p.Documents = 5_000
		s := generate(t, p, 0)
		near(t, "postings of "+name, float64(len(s.Terms)), postings*share, 0.02)
		near(t, "labels of "+name, float64(len(s.Labels)), 5_000*max(p.Labels, 1), 0.02)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	testkit.Close(t, 1, got/want, 0, tolerance, what, got, "want", want, "within", 100*tolerance, "%")
}

func TestShortestDocument(t *testing.T) {
	s := generate(t, Params{Documents: 5, Tokens: 1, Terms: 1, Classes: 1}, 0)
	testkit.EqualSlices(t, s.Terms, []uint32{0, 0, 0, 0, 0}, "terms", "counts", s.Counts)
	testkit.EqualSlices(t, s.Counts, []uint32{3, 3, 3, 3, 3}, "terms", s.Terms, "counts")
}

func TestClassRankIsAPermutation(t *testing.T) {
	for _, terms := range []int{1, 2, 3, 1000, 65536} {
		for _, k := range []uint32{0, 1, 99_999} {
			seen := make([]bool, terms)
			for rank := range terms {
				seen[classRank(uint32(rank), k, terms)] = true
			}
			testkit.Equal(t, slices.Contains(seen, false), false, "class", k, "does not reach all", terms, "ranks")
		}
	}
}

func TestNames(t *testing.T) {
	s := generate(t, small, 0)
	if s.IDs[0] != "d000001" || s.Classes[29] != "c030" || s.Names[2999] != "t003000" {
		t.Errorf("got %s, %s, %s", s.IDs[0], s.Classes[29], s.Names[2999])
	}
	if got := names("c", 1000, 3); got[0] != "c0001" || got[999] != "c1000" || !slices.IsSorted(got) {
		t.Errorf("got %s to %s", got[0], got[999])
	}
}

func TestCancelled(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, threads := range []int{1, 2} {
		testkit.Is(t, testkit.Err(Generate(ctx, small, threads)), why, threads, "threads: got the error")
	}
}
