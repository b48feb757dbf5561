package corpus_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

func TestMatch(t *testing.T) {
	docs := slices.Clone(labelledDocuments)
	for i := range docs {
		docs[i].Text = []byte("some text")
	}
	c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
	match := func(expr string) (*corpus.Matched, error) {
		f := testkit.Must(corpus.ParseQuery(expr, enginetest.DocLists))
		return c.Match(f)
	}
	for expr, want := range map[string]struct {
		ids      string
		warnings []string
	}{
		"class=sci.*":                   {"d0,d1,d5", nil},
		"id=y*":                         {"", []string{"no document has id=y*"}},
		`not (id="z (1)"* or class=x*)`: {"d0,d1,d2,d3,d5,d\\*,x y", []string{`no document has id="z (1)"*`, "no document has class=x*"}},
		`file="a list" or labelled and not labelled`: {"d0,x y", []string{`2 of the 4 names in a list are those of no document; the first is "nobody"`}},
		"file=odd":   {"d1,d3,d5", nil},
		"file=empty": {"", nil},
	} {
		m := testkit.Must(match(expr))
		var ids []string
		for _, d := range m.Docs.ToArray() {
			ids = append(ids, testkit.Must(c.DocumentIDs())[d])
		}
		slices.Sort(ids)
		if strings.Join(ids, ",") != want.ids || !slices.Equal(m.Warnings, want.warnings) {
			t.Errorf("%s: %q, %q", expr, ids, m.Warnings)
		}
	}
	_, err := match("labelled and class=sci.spac")
	var bad *corpus.QueryError
	var unknown *usage.UnknownError
	if !errors.As(err, &bad) || bad.Column != 14 || !errors.As(err, &unknown) || !slices.Equal(unknown.Near, []string{"sci.space"}) {
		t.Error(err)
	}
}

// A randomExpression is written in some way, and evaluated in the same breath.
func randomExpression(r *rand.Rand, depth int, d document.Document) (string, bool) {
	if depth == 0 || r.IntN(4) == 0 {
		has := func(label string) bool { return slices.Contains(d.Labels, label) }
		switch r.IntN(5) {
		case 0:
			return "class=sci.space", has("sci.space")
		case 1:
			return `class="a b"`, has("a b")
		case 2:
			return "id=d*", strings.HasPrefix(d.ID, "d")
		case 3:
			return "file=odd", slices.Contains([]string{"d1", "d3", "d5"}, d.ID)
		default:
			return "labelled", len(d.Labels) > 0
		}
	}
	left, is := randomExpression(r, depth-1, d)
	right, and := randomExpression(r, depth-1, d)
	switch r.IntN(4) {
	case 0:
		return "not (" + left + ")", !is
	case 1:
		return "(" + left + ") and (" + right + ")", is && and
	case 2:
		return "( " + left + " )or\t(" + right + ")", is || and
	default:
		return "(" + left + ")", is
	}
}

func TestRandomExpressions(t *testing.T) {
	for seed := range uint64(300) {
		for i, d := range labelledDocuments {
			expr, want := randomExpression(rand.New(rand.NewPCG(seed, 1)), 4, d)
			if got := strings.Contains(matching(t, expr), fmt.Sprint(i)); got != want {
				t.Fatalf("%s of document %d: %v, want %v", expr, i, got, want)
			}
		}
	}
}
