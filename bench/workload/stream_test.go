package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
)

var forms = []Form{Text, Counts, Numbers}

// likeText is a corpus of the size of 20 Newsgroups.
func likeText(documents int) Params {
	const length = 298
	return Params{
		Documents: documents, Tokens: length, Terms: Heaps(float64(documents) * length),
		Classes: 20, Words: OfText, Seed: 1,
	}
}

func documents(t testing.TB, p Params, form Form, threads int) document.Stream {
	t.Helper()
	docs, err := Documents(t.Context(), p, form, threads)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// digest covers all that is in a stream.
func digest(t testing.TB, docs document.Stream) uint64 {
	t.Helper()
	h := xxh3.New()
	for d, err := range docs {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%q %q %q\n", d.ID, d.Labels, d.Text)
		for _, f := range d.Features {
			_, _ = h.WriteString(f.Term + ":" + strconv.Itoa(int(f.Value)) + " ")
		}
	}
	return h.Sum64()
}

// The digests hold on every machine and for any number of threads.
func TestDigests(t *testing.T) {
	curved := small // takes powers where OfText takes none
	curved.Words = Words{Zipf: 1.1, Kernel: 100, Topical: 0.5}
	for _, c := range []struct {
		what string
		p    Params
		want [3]uint64 // by form
	}{
		{"like text", likeText(1200), [3]uint64{0x48f70b4270f0a7fd, 0xee39afb527d93746, 0xb6160b7a35cee9fe}},
		{"as the sets", small, [3]uint64{0x48653808d9358544, 0x10350ae07a78005, 0x90815c309c8aa1e4}},
		{"curved", curved, [3]uint64{0xf58bbe8890d1d418, 0x1c277c587dac8a39, 0x95b263917911d9cb}},
	} {
		for _, form := range forms {
			for _, threads := range []int{1, 2} {
				if got := digest(t, documents(t, c.p, form, threads)); got != c.want[form] {
					t.Errorf("%s, form %d on %d threads: %#x, want %#x", c.what, form, threads, got, c.want[form])
				}
			}
		}
	}
}

// TestStreamIsTheCorpus compares documents with those that Generate makes.
func TestStreamIsTheCorpus(t *testing.T) {
	s := generate(t, small, 0)
	i := 0
	for d, err := range documents(t, small, Numbers, 2) {
		if err != nil {
			t.Fatal(err)
		}
		labels := s.Labels[s.LabelStart[i]:s.LabelStart[i+1]]
		if d.ID != s.IDs[i] || len(d.Labels) != len(labels) {
			t.Fatalf("document %d is %q with the classes %v, want %q with %v", i, d.ID, d.Labels, s.IDs[i], labels)
		}
		for j, l := range labels {
			if d.Labels[j] != strconv.Itoa(int(l)) {
				t.Fatalf("document %d has the classes %v, want %v", i, d.Labels, labels)
			}
		}
		from := s.DocStart[i]
		if len(d.Features) != int(s.DocStart[i+1]-from) {
			t.Fatalf("document %d has %d terms, want %d", i, len(d.Features), s.DocStart[i+1]-from)
		}
		for j, f := range d.Features {
			term, count := s.Terms[from+uint64(j)], s.Counts[from+uint64(j)]
			if f.Term != strconv.Itoa(int(term)+1) || f.Value != float64(count) {
				t.Fatalf("document %d has %v, want term %d, %d times", i, f, term, count)
			}
		}
		i++
	}
	if i != small.Documents {
		t.Errorf("%d documents, want %d", i, small.Documents)
	}
}

// TestTextHasTheCounts counts the words of the texts.
func TestTextHasTheCounts(t *testing.T) {
	counted := make([]map[string]float64, 0, small.Documents)
	for d, err := range documents(t, small, Counts, 1) {
		if err != nil {
			t.Fatal(err)
		}
		terms := map[string]float64{}
		for _, f := range d.Features {
			terms[f.Term] = f.Value
		}
		counted = append(counted, terms)
	}
	i := 0
	for d, err := range documents(t, small, Text, 3) {
		if err != nil {
			t.Fatal(err)
		}
		for word := range bytes.SplitSeq(d.Text, []byte(" ")) {
			counted[i][string(word)]--
		}
		for word, n := range counted[i] {
			if n != 0 {
				t.Fatalf("document %d: %q is left %v times", i, word, n)
			}
		}
		i++
	}
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

// About half of the terms are in one document, at any size and with any share of
// class terms.
func TestHapaxes(t *testing.T) {
	few, many, plain := likeText(1_000), likeText(30_000), likeText(3_000)
	plain.Words.Topical = 0
	corpora := []Params{few, plain, many}
	if testing.Short() {
		corpora = corpora[:2]
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
	df := map[string]int{}
	for d, err := range documents(t, p, Counts, 2) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Features {
			df[f.Term]++
			tokens += f.Value
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
	p.Words.Topical = 0
	for k, best := range bestTerms(t, p) {
		if best.Value > 0.05*float64(p.Documents) {
			t.Errorf("without class terms class %d has %+v", k, best)
		}
	}
}

// bestTerms gives the best term of each class.
func bestTerms(t *testing.T, p Params) (best []rank.Entry) {
	t.Helper()
	c, err := corpus.Build(t.Context(), documents(t, p, Text, 2), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := c.Statistics(t.Context(), corpus.CountOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range c.Classes() {
		r, err := rank.Class(t.Context(), stats, class, rank.Options{Measure: "chi"})
		if err != nil {
			t.Fatal(err)
		}
		best = append(best, r.Top(1)...)
	}
	return best
}

// A stream begins at once, however long it is, and ends when nobody listens.
func TestStreamOfAnyLength(t *testing.T) {
	p := small
	p.Documents, p.Labels = 1<<30, 1
	n := 0
	for d, err := range documents(t, p, Text, 2) {
		if err != nil || d.ID != fmt.Sprintf("d%010d", n+1) {
			t.Fatalf("%q, %v", d.ID, err)
		}
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
	docs, err := Documents(ctx, small, Text, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, last := 0, error(nil)
	for _, err := range docs {
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
	for rank, length := range map[uint32]int{0: 2, 99: 2, 100: 4, 10_099: 4, 10_100: 6, 1_010_099: 6, 1_010_100: 8, 101_010_099: 8, most: 10} {
		if w := appendWord(nil, rank); len(w) != length {
			t.Errorf("rank %d is %q, want %d letters", rank, w, length)
		}
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
		for form, name := range []string{"text", "counts", "numbers"} {
			b.Run("set="+set.Name+"/form="+name, func(b *testing.B) { benchmarkStream(b, set, Form(form)) })
		}
	}
}

// benchmarkStream counts the bytes of what documents are made of.
func benchmarkStream(b *testing.B, set Params, form Form) {
	var n, size int
	for b.Loop() {
		n, size = 0, 0
		for d, err := range documents(b, set, form, 1) {
			if err != nil {
				b.Fatal(err)
			}
			n++
			size += len(d.Text)
			for _, f := range d.Features {
				size += len(f.Term) + 1
			}
		}
	}
	if n != set.Documents {
		b.Fatalf("%d documents, want %d", n, set.Documents)
	}
	b.SetBytes(int64(size))
	perSecond(b, n, "documents/s")
}

func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), unit)
}

func withName(name string, p Params) Params {
	p.Name = name
	return p
}
