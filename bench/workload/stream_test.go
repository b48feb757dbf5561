package workload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
)

// likeText is a corpus of the size of 20 Newsgroups.
func likeText(documents int) Params {
	const length = 298
	return Params{
		Documents: documents, Tokens: length, Terms: Heaps(float64(documents) * length),
		Classes: 20, Kernel: OfText, Seed: 1,
	}
}

func documents(t testing.TB, p Params, threads int) document.Stream {
	t.Helper()
	return Documents(t.Context(), p, threads)
}

// digest covers all that is in a stream.
func digest(t testing.TB, docs document.Stream) uint64 {
	t.Helper()
	h := xxh3.New()
	for d, err := range docs {
		testkit.OK(err)
		fmt.Fprintf(h, "%q %q %q\n", d.ID, d.Labels, d.Text)
	}
	return h.Sum64()
}

// The digests hold on every machine and for any number of threads.
func TestDigests(t *testing.T) {
	for _, c := range []struct {
		what string
		p    Params
		want uint64
	}{
		{"like text", likeText(1200), 0x48f70b4270f0a7fd},
		{"as the sets", small, 0x48653808d9358544},
	} {
		for _, threads := range []int{1, 2} {
			testkit.Equal(t, digest(t, documents(t, c.p, threads)), c.want, c.what, "on", threads, "threads")
		}
	}
}

// The texts have the classes and the counts that Generate makes.
func TestStreamIsTheCorpus(t *testing.T) {
	s := generate(t, small, 0)
	number := map[string]uint32{} // of a term, by its word
	for rank, n := range newLaw(small).shuffled() {
		number[string(appendWord(nil, uint32(rank)))] = n
	}
	i := 0
	for d, err := range documents(t, small, 2) {
		testkit.OK(err)
		var labels []string
		for _, l := range s.Labels[s.LabelStart[i]:s.LabelStart[i+1]] {
			labels = append(labels, s.Classes[l])
		}
		if d.ID != s.IDs[i] || !slices.Equal(d.Labels, labels) {
			t.Fatalf("document %d is %q with the classes %v, want %q with %v", i, d.ID, d.Labels, s.IDs[i], labels)
		}
		counts := map[uint32]uint32{}
		for word := range bytes.SplitSeq(d.Text, []byte(" ")) {
			counts[number[string(word)]]++
		}
		want := map[uint32]uint32{}
		for at := s.DocStart[i]; at < s.DocStart[i+1]; at++ {
			want[s.Terms[at]] = s.Counts[at]
		}
		testkit.Equal(testkit.Stop(t), maps.Equal(counts, want), true, "document", i, "has the counts", counts, "want",
			want)
		i++
	}
	testkit.Equal(t, i, small.Documents, "documents")
}

// The lines are JSON with the documents of the stream.
func TestLines(t *testing.T) {
	var lines bytes.Buffer
	testkit.OK(WriteLines(t.Context(), &lines, small, 2))
	in := json.NewDecoder(&lines)
	for d, err := range documents(t, small, 1) {
		var got struct {
			ID     string
			Labels []string
			Text   string
		}
		testkit.OK(errors.Join(err, in.Decode(&got)))
		if got.ID != d.ID || !slices.Equal(got.Labels, d.Labels) || got.Text != string(d.Text) {
			t.Fatalf("%+v, want %+v", got, d)
		}
	}
	testkit.Equal(t, in.More(), false, "there are more lines than documents")
}

// TestLikeText compares a corpus with 20 Newsgroups: 130,107 terms in 3.37 million
// tokens; 46 % of the terms are in one document, 14.5 % in two.
func TestLikeText(t *testing.T) {
	terms, tokens, in := frequencies(t, likeText(11_314))
	near(t, "tokens", tokens, 3.37e6, 0.02)
	near(t, "terms", terms, 130_107, 0.03)
	near(t, "share of the terms in one document", in[1], 0.46, 0.05)
	near(t, "share of the terms in two documents", in[2], 0.145, 0.05)
}

// About half of the terms are in one document, at any size.
func TestHapaxes(t *testing.T) {
	corpora := []Params{likeText(1_000), likeText(30_000)}
	if testing.Short() {
		corpora = corpora[:1]
	}
	for _, p := range corpora {
		_, _, in := frequencies(t, p)
		near(t, "share of the terms in one document", in[1], 0.49, 0.1)
	}
}

// frequencies counts a corpus: terms, tokens, and the share of the terms that are in
// so many documents.
func frequencies(t *testing.T, p Params) (terms, tokens float64, in map[int]float64) {
	t.Helper()
	df, last := map[string]int{}, map[string]string{} // last: the document that a word was met in
	for d, err := range documents(t, p, 2) {
		testkit.OK(err)
		for word := range bytes.SplitSeq(d.Text, []byte(" ")) {
			tokens++
			if last[string(word)] != d.ID {
				last[string(word)] = d.ID
				df[string(word)]++
			}
		}
	}
	in = map[int]float64{}
	for _, n := range df {
		in[n] += 1 / float64(len(df))
	}
	return float64(len(df)), tokens, in
}

// TestClassTerms looks at the best term of each class by chi-square, whose maximum
// is the number of documents: it is one of those that the law gives the class.
func TestClassTerms(t *testing.T) {
	p := likeText(2_000)
	p.Classes = 10
	for k, best := range bestTerms(t, p) {
		own := map[string]bool{}
		for rank := range uint32(10) {
			own[string(appendWord(nil, classRank(rank, uint32(k), p.Terms)))] = true
		}
		if !own[best.Term] || best.Value < 0.9*float64(p.Documents) {
			t.Errorf("the best term of class %d is %+v, want one of %v", k, best, own)
		}
	}
}

// bestTerms gives the best term of each class.
func bestTerms(t *testing.T, p Params) (best []rank.Entry) {
	t.Helper()
	c, err := corpus.Build(t.Context(), documents(t, p, 2), corpus.Options{})
	testkit.OK(err)
	stats, err := c.Statistics(t.Context(), corpus.CountOptions{})
	testkit.OK(err)
	for _, class := range c.Classes() {
		r := testkit.Must(rank.Class(t.Context(), stats, class, rank.Options{Measure: "chi"}))
		best = append(best, r.Top(1)...)
	}
	return best
}

// A stream begins at once, however long it is, and ends when nobody listens.
func TestStreamOfAnyLength(t *testing.T) {
	p := small
	p.Documents, p.Labels = 1<<30, 1
	n := 0
	for d, err := range documents(t, p, 2) {
		testkit.OK(err)
		testkit.Equal(testkit.Stop(t), d.ID, fmt.Sprintf("d%010d", n+1))
		if n++; n == 3*blockDocuments {
			return
		}
	}
	t.Errorf("it ended after %d documents", n)
}

func TestStreamIsCancelled(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	n, last := 0, error(nil)
	for _, err := range Documents(ctx, small, 1) {
		if n++; n == 1 {
			cancel(why)
		}
		last = err
	}
	if !errors.Is(last, why) || n != blockDocuments+1 {
		t.Errorf("%d documents, then %v", n, last)
	}
}

func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for rank := range uint32(120_000) {
		w := string(appendWord(nil, rank))
		if seen[w] || len(w) < 2 || len(w)%2 != 0 {
			t.Fatalf("rank %d is %q", rank, w)
		}
		seen[w] = true
	}
	for rank, length := range map[uint32]int{0: 2, 99: 2, 100: 4, 10_099: 4, 10_100: 6, 1_010_099: 6, 1_010_100: 8, 101_010_099: 8, math.MaxUint32 - 1: 10} {
		testkit.Equal(t, len(appendWord(nil, rank)), length, "rank", rank)
	}
}

// BenchmarkGenerate makes a corpus in memory or as a stream, on one thread.
func BenchmarkGenerate(b *testing.B) {
	for _, set := range []Params{named(b, "S"), withName("20ng", likeText(11_314))} {
		b.Run("set="+set.Name+"/form=memory", func(b *testing.B) {
			postings := 0
			for b.Loop() {
				postings = len(generate(b, set, 1).Terms)
			}
			perSecond(b, postings, "postings/s")
			perSecond(b, set.Documents, "documents/s")
		})
		b.Run("set="+set.Name+"/form=text", func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = 0
				for d, err := range documents(b, set, 1) {
					if err != nil {
						b.Fatal(err)
					}
					size += len(d.Text)
				}
			}
			b.SetBytes(int64(size))
			perSecond(b, set.Documents, "documents/s")
		})
	}
}

func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), unit)
}

func withName(name string, p Params) Params {
	p.Name = name
	return p
}
