package workload

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
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

func TestSeedsMatter(t *testing.T) {
	p := small
	p.Seed++
	testkit.Equal(t, slices.Equal(generate(t, small, 0).Terms, generate(t, p, 0).Terms), false,
		"two seeds make the same corpus")
}

func TestShapeOfS(t *testing.T) {
	s := generate(t, named(t, "S"), 0)
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"documents", len(s.IDs), 11_300},
		{"labels", len(s.Labels), 11_300},
		{"classes", len(s.Classes), 20},
		{"terms", len(s.Names), 100_000},
	} {
		testkit.Equal(t, c.got, c.want, c.what)
	}
	near(t, "postings", float64(len(s.Terms)), 1.41e6, 0.02)
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

func TestDocuments(t *testing.T) {
	s := generate(t, small, 2)
	total := 0
	for d := range s.IDs {
		from, to := s.DocStart[d], s.DocStart[d+1]
		ascending(t, "term", d, s.Terms[from:to], small.Terms)
		ascending(t, "label", d, s.Labels[s.LabelStart[d]:s.LabelStart[d+1]], small.Classes)
		tokens := 0
		for _, c := range s.Counts[from:to] {
			tokens += int(c)
			if c == 0 {
				t.Fatalf("document %d has a posting with the count 0", d)
			}
		}
		if tokens < small.Tokens/4 || tokens > small.Tokens*7/4 {
			t.Fatalf("document %d has %d tokens", d, tokens)
		}
		total += tokens
	}
	near(t, "mean length", float64(total)/float64(small.Documents), float64(small.Tokens), 0.03)
	near(t, "mean of labels", float64(len(s.Labels))/float64(small.Documents), small.Labels, 0.03)
}

// ascending wants at least one number, each once and below limit.
func ascending(t *testing.T, what string, d int, numbers []uint32, limit int) {
	t.Helper()
	if len(numbers) == 0 {
		t.Fatalf("document %d has no %s", d, what)
	}
	for i, v := range numbers {
		if int(v) >= limit || i > 0 && numbers[i-1] >= v {
			t.Fatalf("document %d: %s %d at place %d of %v", d, what, v, i, numbers)
		}
	}
}

func TestShortestDocument(t *testing.T) {
	s := generate(t, Params{Documents: 5, Tokens: 1, Terms: 1, Classes: 1}, 0)
	testkit.EqualSlices(t, s.Terms, []uint32{0, 0, 0, 0, 0}, "terms", "counts", s.Counts)
	testkit.EqualSlices(t, s.Counts, []uint32{3, 3, 3, 3, 3}, "terms", s.Terms, "counts")
}

// TestZipf compares the most frequent terms with the law of their ranks: of the
// tokens that do not follow a class, the share log((r+2)/(r+1))/log(terms+1).
func TestZipf(t *testing.T) {
	p := named(t, "S")
	s := generate(t, p, 0)
	count, tokens := make([]float64, p.Terms), 0.0
	for i, term := range s.Terms {
		count[term] += float64(s.Counts[i])
		tokens += float64(s.Counts[i])
	}
	slices.SortFunc(count, func(a, b float64) int { return int(b - a) })
	for rank := range 4 { // below, the terms of the large classes mix in
		r := float64(rank)
		want := (1 - topical) * tokens * math.Log((r+2)/(r+1)) / math.Log(float64(p.Terms)+1)
		near(t, "count of a frequent term", count[rank], want, 0.03)
	}
	if ratio := count[10] / count[1000]; ratio < 40 || ratio > 160 {
		t.Errorf("rank 11 is %v times as frequent as rank 1001, want about 91", ratio)
	}
}

func TestClassLaw(t *testing.T) {
	p := named(t, "M")
	p.Documents, p.Tokens = 100_000, 3
	s := generate(t, p, 0)
	count, weights := make([]float64, p.Classes), 0.0
	for k := range p.Classes {
		weights += 1 / float64(k+5)
	}
	for _, k := range s.Labels {
		count[k]++
	}
	for _, k := range []int{0, 1, 10, 49} {
		near(t, "documents of a class", count[k], float64(p.Documents)/float64(k+5)/weights, 0.1)
	}
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

func TestAStoreTakesIt(t *testing.T) {
	x := testkit.Must(postings.Build(t.Context(), generate(t, small, 0), postings.BuildOptions{}))
	testkit.Equal(t, x.Documents(), small.Documents, "the index", "documents")
}

func TestCancelled(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, threads := range []int{1, 2} {
		testkit.Is(t, testkit.Err(Generate(ctx, small, threads)), why, threads, "threads: got the error")
	}
}

func TestNamedKnowsOnlyTheSets(t *testing.T) {
	if p, ok := Named("XXL"); ok {
		t.Errorf("got %+v", p)
	}
}
