package rank_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// inputTimes returns weights of the engine's documents in the order of the input.
func inputTimes(t testing.TB, c *corpus.Corpus, weights []uint32) []int {
	t.Helper()
	place, _ := placesOf(c)
	times := make([]int, len(weights))
	for d, w := range weights {
		times[place[d]] = int(w)
	}
	return times
}

// someSampling returns random options to sample a number of documents.
func someSampling(r *rand.Rand, documents int) rank.StabilityOptions {
	o := rank.StabilityOptions{Seed: r.Uint64()}
	switch kind := r.IntN(4); {
	case kind == 3 && documents >= 2:
		o.Samples, o.Threshold, o.Complementary = 2+r.IntN(5), .9, r.IntN(2) == 0
	case kind == 0 && documents >= 2:
		o.Folds = 2 + r.IntN(min(documents-1, 6))
	case kind == 1:
		o.Samples, o.Share = 2+r.IntN(5), .1+.8*r.Float64()
	default:
		o.Samples = 2 + r.IntN(5)
	}
	return o
}

// The values and the df in a sample are those of the reference for a corpus in which
// documents are repeated, also where classes lose all of theirs.
func TestSampleValuesAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 16, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		weights := someSampling(r, corpus.Documents()).Weights(0, corpus.Documents())
		if r.IntN(4) == 0 {
			for d := range weights {
				weights[d] = uint32(r.IntN(300) * r.IntN(2))
			}
			weights[r.IntN(len(weights))] = 1
		}
		if corpus.Documents() > 100 {
			weights = rank.BootstrapWeights(corpus.Documents(), r.Uint64(), 1)
		}
		tb := naive.Tabulate(naive.Resample(c, inputTimes(t, corpus, weights)))
		for _, o := range enginetest.EveryScoring(1) {
			if r.IntN(3) > 0 {
				continue
			}
			values, df, err := rank.SampleValues(t.Context(), corpus, o, weights)
			testkit.OK(err)
			like := naive.Options{Weight: string(o.Weight), Yates: o.Yates, BM25: o.BM25, ReduceFrequent: o.ReduceFrequent}
			want := tb.Global(string(o.Measure), string(o.Combine), like)
			scale := make([]float64, len(want))
			if o.Combine != "" && !naive.GlobalOnly(string(o.Measure)) {
				for i, row := range tb.Class(string(o.Measure), like) {
					for _, v := range row {
						if !math.IsInf(v, 0) {
							scale[i] += math.Abs(v)
						}
					}
				}
			}
			for i, term := range c.Terms {
				testkit.Equal(t, df[term], int(tb.DF[i]), o, "df of", term, "want", tb.DF[i])
				if tb.DF[i] > 0 && !testkit.Near(values[term], want[i], 1e-11, max(1e-14, 1e-12*scale[i])) {
					t.Errorf("%+v: %s has %v, want %v", o, term, values[term], want[i])
				}
			}
		}
	})
}

// What a sample selects is what the ranking of a corpus of its documents has at the top,
// ties included.
func TestSamplesSelectAsCorporaOfTheirDocuments(t *testing.T) {
	enginetest.Rounds{All: 20, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		for _, by := range []string{"chi", "ig", "cf", "mi", "chitf", "gini"} {
			o := someSampling(r, corpus.Documents())
			o.By, o.K = rank.Options{Measure: rank.Measure(by)}, 1+r.IntN(len(c.Terms)+2)
			lists := testkit.Must(rank.SelectInSamples(t.Context(), corpus, o))
			for i, got := range lists {
				times := inputTimes(t, corpus, o.Weights(i, corpus.Documents()))
				if want, ok := topOfSample(t, c, times, o); ok && !slices.Equal(got, want) {
					t.Errorf("%+v, sample %d: %q, want %q", o, i, got, want)
				}
			}
		}
	})
}

// topOfSample builds the sample as a corpus of its own; false where it has no term or
// lacks a class, which a corpus cannot have then.
func topOfSample(t *testing.T, c naive.Corpus, times []int, o rank.StabilityOptions) (top []string, ok bool) {
	t.Helper()
	repeated := naive.Resample(c, times)
	tb := naive.Tabulate(repeated)
	if slices.Contains(tb.NC, 0) {
		return nil, false
	}
	corpus, err := corpus.Build(t.Context(), enginetest.StreamOf(repeated), corpus.Options{})
	if errors.Is(err, ingest.ErrEmpty) {
		return nil, false
	}
	testkit.OK(err)
	r := testkit.Must(rank.Several(t.Context(), corpus, o.By))
	for _, e := range r[0].Top(o.K) {
		top = append(top, e.Term)
	}
	return top, true
}

// The summary of the lists, against the reference's loops over them.
func TestStabilityAgainstNaive(t *testing.T) {
	compared, defined := 0, 0
	enginetest.Rounds{All: 40, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		o := someSampling(r, corpus.Documents())
		o.By.Measure, o.K = []rank.Measure{"chi", "ttest"}[r.IntN(2)], 1+r.IntN(len(c.Terms)+1)
		got := testkit.Must(rank.MeasureStability(t.Context(), corpus, o))
		lists := testkit.Must(rank.SelectInSamples(t.Context(), corpus, o))
		var numbers [][]int
		count, ranks := map[string]int{}, map[string]int{}
		fewer := false
		for _, list := range lists {
			var own []int
			for i, term := range list {
				count[term]++
				ranks[term] += i + 1
				own = append(own, slices.Index(c.Terms, term))
			}
			numbers = append(numbers, own)
			fewer = fewer || len(list) < o.K
		}
		warned := fewer || len(c.Classes) == 1 || o.Threshold > 0
		if len(got.Selected) != len(count) || got.Samples != len(lists) || got.Terms != len(c.Terms) || (len(got.Warnings) > 0) != warned {
			t.Errorf("%+v, want %v", got, count)
		}
		whole := corpusRanks(t, corpus, o.By)
		for i, s := range got.Selected {
			n := count[s.Term]
			if s.Count != n || s.Share != float64(n)/float64(len(lists)) || !testkit.Near(s.MeanRank, float64(ranks[s.Term])/float64(n), 1e-15, 0) || s.Rank != whole[s.Term] {
				t.Errorf("%+v, want %d times, ranks %d, %d", s, n, ranks[s.Term], whole[s.Term])
			}
			if i > 0 && (s.Count > got.Selected[i-1].Count || s.Count == got.Selected[i-1].Count && s.MeanRank < got.Selected[i-1].MeanRank) {
				t.Errorf("%+v behind %+v", s, got.Selected[i-1])
			}
		}
		want := naive.Agree(numbers, len(c.Terms))
		compareIndex(t, "Jaccard", got.Jaccard, want.Jaccard, 1e-12)
		compareIndex(t, "Kuncheva", got.Kuncheva, want.Kuncheva, 1e-12)
		compareIndex(t, "Nogueira", got.Nogueira, want.Nogueira, 1e-12)
		compareIndex(t, "low", got.NogueiraLow, want.Low, 1e-12)
		compareIndex(t, "high", got.NogueiraHigh, want.High, 1e-12)
		if compared++; !math.IsNaN(got.Kuncheva) { // of equal sizes the two are one
			defined++
			compareIndex(t, "Kuncheva and Nogueira", got.Kuncheva, got.Nogueira, 1e-12)
		}
	})
	if defined < compared/10 {
		t.Errorf("only %d of %d had an index of Kuncheva", defined, compared)
	}
}

func compareIndex(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if math.IsInf(want, 0) { // the reference divides by 0
		want = math.NaN()
	}
	testkit.Equal(t, math.IsNaN(got), math.IsNaN(want), name, got, "want", want)
	testkit.Close(t, got, want, 0, tolerance, name)
}

func corpusRanks(t *testing.T, c *corpus.Corpus, o rank.Options) map[string]int {
	r := testkit.Must(rank.Several(t.Context(), c, o))
	ranks := map[string]int{}
	for _, e := range r[0].Top(c.Terms()) {
		ranks[e.Term] = e.Rank
	}
	return ranks
}

// Terms that tell the classes apart are selected by every sample, random terms at random.
func TestStabilityOfPlantedTerms(t *testing.T) {
	c := planted(t, 400, 60)
	s := testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{K: 1, Samples: 50, Seed: 3}))
	if len(s.Selected) != 1 || s.Selected[0] != (rank.StableTerm{Term: "perfect", Count: 50, Share: 1, MeanRank: 1, DF: 200, Rank: 1}) ||
		s.Jaccard != 1 || s.Kuncheva != 1 || s.Nogueira != 1 || s.NogueiraLow < 1-1e-12 || s.NogueiraHigh > 1+1e-12 {
		t.Errorf("%+v", s)
	}
	s = testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{K: 20, Samples: 50, Share: .5, Seed: 3}))
	if s.Kuncheva < 0 || s.Kuncheva > .6 || s.NogueiraLow >= s.Nogueira || s.NogueiraHigh <= s.Nogueira || s.Selected[0].Term != "perfect" {
		t.Errorf("%+v", s)
	}
}

func TestStabilityIsTheSameForAnyThreads(t *testing.T) {
	c := enginetest.ManyChunks(t)
	for _, o := range []rank.StabilityOptions{
		{By: rank.Options{Measure: "chi"}, K: 100, Samples: 9},
		{By: rank.Options{Measure: "ttest"}, K: 100, Folds: 5},
		{By: rank.Options{Measure: "ocfs", Weight: "ltc"}, K: 100, Samples: 5, Share: .7},
	} {
		var want *rank.Stability
		for _, threads := range []int{1, 2, 3, 8} {
			o.By.Threads = threads
			got := testkit.Must(rank.MeasureStability(t.Context(), c, o))
			if want == nil {
				want = got
			}
			testkit.Same(t, got, want, o.By.Measure, threads, "threads", "one")
		}
	}
}

// Every document is left out once.
func TestFoldsCoverTheDocuments(t *testing.T) {
	for _, n := range []int{2, 7, 100} {
		for _, folds := range []int{2, min(n, 3), n} {
			o := rank.StabilityOptions{Folds: folds, Seed: 4}
			left := make([]int, n)
			for i := range folds {
				out := 0
				for d, w := range o.Weights(i, n) {
					left[d] += 1 - int(w)
					out += 1 - int(w)
				}
				if out < n/folds || out > n/folds+1 {
					t.Errorf("fold %d of %d leaves out %d of %d", i, folds, out, n)
				}
			}
			for d, times := range left {
				testkit.Equal(t, times, 1, "document", d, "of", n, "is left out", "times by", folds, "folds")
			}
		}
	}
}

func TestStabilityRefuses(t *testing.T) {
	c := enginetest.Build(t, "a:one", "b:two", "b:three")
	for name, o := range map[string]rank.StabilityOptions{
		"no k":                     {Samples: 2},
		"a negative k":             {K: -1, Samples: 2},
		"no samples":               {K: 1},
		"one sample":               {K: 1, Samples: 1},
		"negative samples":         {K: 1, Samples: -2},
		"one fold":                 {K: 1, Folds: 1},
		"negative folds":           {K: 1, Folds: -2},
		"more folds than there is": {K: 1, Folds: 4},
		"samples and folds":        {K: 1, Samples: 2, Folds: 2},
		"a share of folds":         {K: 1, Folds: 2, Share: .5},
		"all as a share":           {K: 1, Samples: 2, Share: 1},
		"no number":                {K: 1, Samples: 2, Share: math.NaN()},
		"class values":             {K: 1, Samples: 2, By: rank.Options{Combine: "class"}},
		"a measure":                {K: 1, Samples: 2, By: rank.Options{Measure: "chy"}},
	} {
		if s, err := rank.MeasureStability(t.Context(), c, o); !errors.Is(err, usage.ErrUsage) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A k beyond the terms takes all that occur, with a warning.
func TestStabilityOfAllTerms(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:one two", "b:one two")
	s := testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{K: 3, Samples: 4}))
	if len(s.Selected) != 2 || s.Jaccard != 1 || !math.IsNaN(s.Kuncheva) || !math.IsNaN(s.Nogueira) || len(s.Warnings) != 1 {
		t.Errorf("%+v", s)
	}
	// A sample may have no terms at all.
	c = enginetest.Build(t, "a:", "a:", "a:", "b:one", "b:")
	s = testkit.Must(rank.MeasureStability(t.Context(), c, rank.StabilityOptions{K: 1, Samples: 20, Share: .2}))
	if len(s.Selected) > 1 || math.IsNaN(s.Jaccard) || len(s.Warnings) == 0 {
		t.Errorf("%+v", s)
	}
}

// Samples of values that are large beside their differences have the t-tests of a corpus
// that has each document as often as it counts.
func TestSamplesOfLargeValues(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for _, labels := range []int{1, 3} {
		var docs []document.Document
		var times []int
		for d := range 50 {
			doc := document.Document{Labels: []string{strconv.Itoa(d % 4)}}
			for range labels - 1 {
				doc.Labels = append(doc.Labels, strconv.Itoa(4+r.IntN(4)))
			}
			for term := range 10 {
				if r.IntN(2) == 0 {
					doc.Features = append(doc.Features, document.Feature{Term: strconv.Itoa(term), Value: 1e9 + r.Float64()})
				}
			}
			docs, times = append(docs, doc), append(times, r.IntN(4))
		}
		var repeated []document.Document
		for d, n := range times {
			for range n {
				repeated = append(repeated, docs[d])
			}
		}
		c := enginetest.CorpusFrom(t, func(d int) document.Document { return docs[d] }, len(docs))
		place, _ := placesOf(c)
		weights := make([]uint32, len(place))
		for number, d := range place {
			weights[number] = uint32(times[d])
		}
		want := enginetest.CorpusFrom(t, func(d int) document.Document { return repeated[d] }, len(repeated))
		for _, by := range []rank.Measure{"ttest", "anova"} {
			values, _, err := rank.SampleValues(t.Context(), c, rank.Options{Measure: by}, weights)
			testkit.OK(err)
			ranking := testkit.Must(rank.Several(t.Context(), want, rank.Options{Measure: by}))
			for e := range ranking[0].All() {
				testkit.Close(t, values[e.Term], e.Value, 1e-11, 0, by, labels, "labels", e.Term)
			}
		}
	}
}
