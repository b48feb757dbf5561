package rank_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

func TestNewsgroupsCounts(t *testing.T) {
	info := testkit.Must(enginetest.NewsgroupsCorpus(t, "train").Info(t.Context()))
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"documents", int64(info.Documents), 11314},
		{"labelled", int64(info.Labelled), 11314},
		{"classes", int64(info.Classes), 20},
		{"terms", int64(info.Terms), 130107},
		{"postings", info.Postings, 1787565},
		{"tokens", info.Tokens, 3369673},
		{"cells", info.Cells, 297722},
	} {
		testkit.Equal(t, c.got, c.want, c.name)
	}
	for class, want := range map[string]int{
		"alt.atheism": 480, "comp.graphics": 584, "rec.sport.hockey": 600, "sci.space": 593, "talk.religion.misc": 377,
	} {
		testkit.Equal(t, info.ClassSizes[class], want, class, "documents")
	}
	if test := testkit.Must(enginetest.NewsgroupsCorpus(t, "test").Info(t.Context())); test.Documents != 7532 || test.Classes != 20 {
		t.Errorf("test part: %d documents in %d classes", test.Documents, test.Classes)
	}
}

// 200 random tables against a count by a plain map over the documents' words.
func TestNewsgroupsTables(t *testing.T) {
	type key struct{ term, class string }
	with := map[key]int{}
	df, size := map[string]int{}, map[string]int{}
	var terms []string
	documents := 0
	isWord := func(r rune) bool { return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || r >= 0x80 }
	for d := range testkit.All(enginetest.Newsgroups(t, "train").Documents()) {
		documents++
		size[d.Labels[0]]++
		seen := map[string]bool{}
		for _, w := range strings.FieldsFunc(strings.ToLower(string(d.Text)), func(r rune) bool { return !isWord(r) }) {
			if len(w) < 2 || seen[w] {
				continue
			}
			seen[w] = true
			if df[w] == 0 {
				terms = append(terms, w)
			}
			df[w]++
			with[key{w, d.Labels[0]}]++
		}
	}
	stats := testkit.Must(enginetest.NewsgroupsCorpus(t, "train").Statistics(t.Context(), corpus.CountOptions{}))
	r := rand.New(rand.NewPCG(20, 1))
	for range 20 {
		class := stats.Classes()[r.IntN(20)]
		ranking := testkit.Must(rank.Class(t.Context(), stats, class, rank.Options{Measure: "chi"}))
		byTerm := map[string]rank.Entry{}
		for e := range ranking.All() {
			byTerm[e.Term] = e
		}
		for checked := 0; checked < 10; {
			term := terms[r.IntN(len(terms))]
			if strings.ContainsFunc(term, func(r rune) bool { return r >= 0x80 }) {
				continue // the plain words above are right for ASCII only
			}
			checked++
			a := with[key{term, class}]
			want := [4]int{a, df[term] - a, size[class] - a, documents - df[term] - size[class] + a}
			e := byTerm[term]
			testkit.Equal(t, [4]int{e.A, e.B, e.C, e.D}, want, term, "in", class)
		}
	}
}
