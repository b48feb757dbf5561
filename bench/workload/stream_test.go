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
	"github.com/termsift/termsift/engine/document"
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
