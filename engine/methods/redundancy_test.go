package methods_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

func redundancyOf(t testing.TB, c *corpus.Corpus, k int, m methods.Redundancy) *selection.Selection {
	return testkit.Must(m.Select(t.Context(), c, k))
}

// followed lets the reference make the choices of the engine and checks each: no
// other term has a larger value, but for rounding, the score is the value, and of
// terms in the same documents the first is taken.
func followed(t *testing.T, b naive.Binary, criterion string, among []int, features []selection.Feature) {
	t.Helper()
	g := b.NewGreedy(criterion, among)
	number := map[string]int{}
	for i, name := range b.Names {
		number[name] = i
	}
	for m, f := range features {
		values, chosen := g.Values(), number[f.Term]
		// Differences such as I(f,s;C) - I(s;C) have the rounding of what is subtracted.
		room := func(v float64) float64 { return 4e-12*math.Abs(v) + 1e-15*float64(m+2) }
		if v := values[chosen]; !(math.Abs(v-f.Score) <= room(v)) {
			t.Errorf("%s: choice %d, %q, has %v, want %v", criterion, m+1, f.Term, f.Score, v)
		}
		for other, v := range values {
			if v > values[chosen]+room(v) {
				t.Errorf("%s: choice %d is %q with %v, though %q has %v", criterion, m+1, f.Term, values[chosen], b.Names[other], v)
			}
			if !math.IsNaN(v) && other != chosen && g.SamePairs(other, chosen) && before(b, other, chosen) {
				t.Errorf("%s: choice %d is %q, before %q", criterion, m+1, f.Term, b.Names[other])
			}
		}
		if t.Failed() {
			return
		}
		g.Take(chosen)
	}
}

// before is the order of terms of equal values.
func before(b naive.Binary, t, than int) bool {
	return b.DF[t] > b.DF[than] || b.DF[t] == b.DF[than] && b.Names[t] < b.Names[than]
}

func TestRedundancyAgainstNaive(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 3
	}
	for i, shape := range append(slices.Clone(naive.Shapes), naive.Shape{
		// More than 1,024 pairs for one of a rare term.
		Name: "large", Docs: [2]int{2200, 2400}, Terms: [2]int{70, 100}, Classes: [2]int{3, 9}, Skew: true, Unlabelled: .1, Multi: .03, Hapaxes: .4,
	}) {
		t.Run(shape.Name, func(t *testing.T) {
			t.Parallel()
			r, rounds := rand.New(rand.NewPCG(uint64(i), 17)), rounds
			if shape.Docs[1] > 100 || shape.Classes[1] > 100 {
				rounds = min(rounds, 2)
			}
			for round := range rounds {
				c := naive.RandomCorpus(r, shape)
				binary, corpus := naive.BinaryOf(c), enginetest.CorpusOf(t, c)
				for _, criterion := range methods.Criteria() {
					m := methods.Redundancy{Criterion: criterion, Threads: 1}
					all := redundancyOf(t, corpus, len(c.Terms), m)
					if len(all.Features) != len(c.Terms) || len(all.Warnings) > 1 {
						t.Fatalf("%d of %d terms, %q", len(all.Features), len(c.Terms), all.Warnings)
					}
					followed(t, binary, criterion, nil, all.Features)
					k := 1 + r.IntN(len(c.Terms))
					m.Threads = 3
					testkit.Same(t, redundancyOf(t, corpus, k, m).Features, all.Features[:k], criterion, "k =", k,
						"want the first of", all.Features)
				}
				testkit.Equal(testkit.Stop(t), t.Failed(), false, "round", round, c)
			}
		})
	}
}

// Choosing among some terms is choosing in a corpus of these terms.
func TestRedundancyAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 17))
	for range 20 {
		c := naive.RandomCorpus(r, naive.Shapes[13])
		among, dropped := []int{}, []string{}
		m := methods.Redundancy{Among: []string{"no such term"}}
		for term, name := range c.Terms {
			switch r.IntN(3) {
			case 0:
				among = append(among, term)
				m.Among = append(m.Among, name, name)
			case 1:
				dropped = append(dropped, name)
				m.Among = append(m.Among, name)
			}
		}
		m.Drop = dropped
		for _, m.Criterion = range methods.Criteria() {
			if len(among) == 0 {
				testkit.Is(t, testkit.Err(m.Select(t.Context(), enginetest.CorpusOf(t, c), 0)),
					selection.ErrNothingSelected)
				continue
			}
			s := redundancyOf(t, enginetest.CorpusOf(t, c), 0, m)
			testkit.Equal(t, len(s.Features), len(among))
			followed(t, naive.BinaryOf(c), m.Criterion, among, s.Features)
		}
	}
}

// By hand: the class is whether exactly one of xx and yy occurs, dup2 is a copy of
// dup1, which tells the class of three documents in four. A copy comes last.
func TestRedundancyTogether(t *testing.T) {
	corpus := enginetest.Build(t, "a:xx dup1 dup2", "a:xx dup1 dup2", "a:yy dup1 dup2", "a:yy", "b:zz dup1 dup2", "b:zz", "b:xx yy", "b:xx yy")
	for criterion, want := range map[string]string{
		"mrmr": "dup1=0.131 xx=0.000 yy=-0.065 dup2=-0.144",
		"jmi":  "dup1=0.131 xx=0.347 yy=0.909 dup2=0.693",
		"cmim": "dup1=0.131 xx=0.216 yy=0.085 dup2=0.000",
	} {
		s := redundancyOf(t, corpus, 4, methods.Redundancy{Criterion: criterion, Drop: []string{"zz"}})
		var got []string
		for _, f := range s.Features {
			got = append(got, fmt.Sprintf("%s=%.3f", f.Term, f.Score))
		}
		testkit.Equal(t, strings.Join(got, " "), want, criterion)
	}
}

func TestRedundancyBadOptions(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three")
	testkit.Is(t, methods.Redundancy{Criterion: "chi"}.Validate(), usage.ErrUsage)
	var unknown *usage.UnknownError
	if _, err := (methods.Redundancy{Criterion: "jmim"}).Select(t.Context(), c, 1); !errors.As(err, &unknown) || !slices.Contains(unknown.Near, "jmi") {
		t.Errorf("%v names nothing near", err)
	}
	for _, m := range []methods.Redundancy{{Among: []string{}}, {Drop: []string{"one", "two", "three"}}} {
		if s, err := m.Select(t.Context(), c, 1); !errors.Is(err, selection.ErrNothingSelected) || s != nil {
			t.Errorf("%+v: %v, %v", m, s, err)
		}
	}
}

func TestRedundancyWarnings(t *testing.T) {
	s := redundancyOf(t, enginetest.Build(t, "a:one two", "a:one"), 5, methods.Redundancy{})
	if text := strings.Join(s.Warnings, "\n"); !strings.Contains(text, "one class only") || !strings.Contains(text, "more than the 2 terms") {
		t.Errorf("%q", s.Warnings)
	}
	if s.Measure != "mrmr" || s.Combine != "greedy" || s.Documents != 2 || len(s.Features) != 2 {
		t.Errorf("%+v", s)
	}
}

// The terms of 20 Newsgroups: the whole choice is made, and the reference finds its
// beginning among the terms of most information gain.
func TestNewsgroupsRedundancy(t *testing.T) {
	c := enginetest.NewsgroupsCorpus(t, "train")
	k, first := 1000, 10
	if testing.Short() {
		k, first = 60, 4
	}
	ranking := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: "ig"}))
	var names []string
	for _, e := range ranking[0].Top(2000) {
		names = append(names, e.Term)
	}
	b := binaryOf(t, c, names)
	for _, criterion := range methods.Criteria() {
		s := redundancyOf(t, c, k, methods.Redundancy{Criterion: criterion})
		testkit.Equal(t, len(s.Features), k)
		followed(t, b, criterion, nil, s.Features[:first])
	}
}

// binaryOf gives the reference some terms of a corpus.
func binaryOf(t *testing.T, c *corpus.Corpus, names []string) naive.Binary {
	t.Helper()
	b := naive.Binary{
		Tables: &naive.Tables{DF: make([]float64, len(names)), NC: make([]float64, len(c.Classes()))},
		Names:  names, Terms: make([][]int, c.Documents()), Labels: make([][]int, c.Documents()),
	}
	for i, name := range names {
		term, ok := c.Lookup(name)
		testkit.Equal(testkit.Stop(t), ok, true, name)
		b.DF[i] = float64(c.DF(term))
		for _, d := range testkit.Must(c.Postings(term)).ToArray() {
			b.Terms[d] = append(b.Terms[d], i)
		}
	}
	for d := range b.Labels {
		for _, class := range c.Labels(d) {
			b.Labels[d] = append(b.Labels[d], int(class))
		}
	}
	return b
}

// The bits of the scores, whatever the CPU, the build and the number of threads.
func TestRedundancyBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	c := enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{fmt.Sprint(r.IntN(1 + r.IntN(7)))}}
		if d%9 == 0 {
			doc.Labels = append(doc.Labels, fmt.Sprint(r.IntN(7)))
		}
		for term := range 120 {
			if r.IntN(1+term*(1+len(doc.Labels[0])+term%7)/8) == 0 {
				doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprint(term), Value: 1})
			}
		}
		return doc
	}, 700)
	for criterion, want := range map[string]string{"mrmr": "c98186ca8e9e9975", "jmi": "22d5d75aeb2a8c91", "cmim": "07ad186ca5e2ede5"} {
		for threads := range 3 {
			s := redundancyOf(t, c, 0, methods.Redundancy{Criterion: criterion, Threads: 1 + threads})
			var data []byte
			for _, f := range s.Features {
				data = binary.LittleEndian.AppendUint64(append(data, f.Term...), math.Float64bits(f.Score))
			}
			testkit.Equal(t, fmt.Sprintf("%016x", xxh3.Hash(data)), want, criterion, 1+threads, "threads")
		}
	}
}

func TestRedundancyCancelled(t *testing.T) {
	c, share := enginetest.ManyChunks(t), 10
	if testing.Short() {
		share = 2
	}
	for _, criterion := range methods.Criteria() {
		m := methods.Redundancy{Criterion: criterion}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(faults.ErrStop)
		if s, err := m.Select(ctx, c, 100); !errors.Is(err, faults.ErrStop) || s != nil {
			t.Errorf("%s: %v, %v", criterion, s, err)
		}
		checks := 0
		for ; ; checks += 1 + checks/share {
			s, err := m.Select(faults.NewCountdown(t, checks), c, 100)
			if err == nil {
				break
			}
			if !errors.Is(err, faults.ErrStop) || s != nil {
				t.Fatalf("%s, stopped at check %d: %v, %v", criterion, checks, s, err)
			}
		}
		if checks < 150 {
			t.Errorf("%s: looked only %d times whether it was cancelled", criterion, checks)
		}
	}
}
