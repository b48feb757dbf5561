package rank_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
)

// exactSign compares the share of a class's documents, or its mean of occurrences, with that of all
// documents, by exact products.
func exactSign(s *table.Table, info rank.MeasureInfo, class int, e rank.Entry) int {
	part, of, whole, all := float64(e.A), float64(e.A+e.C), float64(e.DF), float64(s.Documents())
	if info.UsesTokens {
		part, whole = e.TF, e.TFAll
		if info.Name != "ttest" {
			of, all = s.Cells.ClassTokens[class], s.Cells.Tokens
		}
	}
	product := func(x, y float64) *big.Float {
		return new(big.Float).SetPrec(200).Mul(big.NewFloat(x), big.NewFloat(y))
	}
	return product(part, all).Cmp(product(whole, of))
}

// Signs are those of exact fractions. Positive values are the class values where the sign is 1, and
// their maximum; what no class has more of has none.
func TestPositive(t *testing.T) {
	left := 0
	for name, c := range shapedCorpora(t) {
		s := enginetest.StatisticsOf(t, c, "")
		if s.Cells.Terms()*len(s.Classes()) > 30_000 {
			continue // what other corpora have in less time
		}
		for _, info := range rank.KnownMeasures() {
			if !info.Combinable {
				continue
			}
			o := rank.Options{Measure: rank.Measure(info.Name), Combine: rank.Max}
			largest, n := map[string]float64{}, 0
			for e := range testkit.All(rank.Cells(t.Context(), c, o)) {
				class := n % len(s.Classes())
				if want := exactSign(s, info, class, e); e.Sign != want || e.Class != s.Classes()[class] {
					t.Errorf("%s, %s of %q in %q: sign %d, want %d", name, info.Name, e.Term, e.Class, e.Sign, want)
				}
				n++
				if old, ok := largest[e.Term]; e.Sign > 0 && (!ok || e.Value > old) {
					largest[e.Term] = e.Value
				}
			}
			o.Positive = true
			for e, err := range rank.Cells(t.Context(), c, o) {
				if err != nil || e.Sign <= 0 || e.Value > largest[e.Term] {
					t.Errorf("%s, %s: %+v, %v", name, info.Name, e, err)
				}
			}
			r := enginetest.RankAll(t, c, o)
			left += r.Undefined()
			if r.Undefined() != r.Len()-len(largest) || len(r.Warnings) > 1 {
				t.Errorf("%s, %s: %d of %d terms without a value, %d expected; %q", name, info.Name, r.Undefined(), r.Len(), r.Len()-len(largest), r.Warnings)
			}
			top := r.Top(r.Len())
			for e := range r.All() {
				if want, ok := largest[e.Term]; !ok || e.Value != want || e.Sign != 1 || e.Class == "" {
					t.Errorf("%s, %s: %+v, want %v", name, info.Name, e, want)
				}
			}
			if len(top) != len(largest) || len(top) > 0 && math.IsNaN(top[len(top)-1].Value) {
				t.Errorf("%s, %s: %d terms in the list, want %d", name, info.Name, len(top), len(largest))
			}
			for _, class := range c.Classes() {
				r := testkit.Must(rank.Class(t.Context(), c, class, o))
				for _, e := range r.Top(r.Len()) {
					testkit.Equal(t, e.Sign, 1, name, info.Name, "of", e)
					testkit.Equal(t, e.Class, class, name, info.Name, "of", e)
				}
			}
		}
	}
	if left == 0 {
		t.Error("no term was left out")
	}
}

// shy is a measure of the caller: the documents of the class without the term.
type shy struct{}

func (shy) Name() string                 { return "shy" }
func (shy) Class(t *score.Table) float64 { return t.NC - t.A }

// Measures of the caller have positive values, too; sums, values over all classes and p-values have not.
func TestPositiveOfOwnAndWithout(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy", "a:yy", "b:xx", "b:zz", "b:zz xx")
	r := enginetest.RankAll(t, c, rank.Options{Measure: "shy", Own: []score.Measure{shy{}}, Positive: true})
	want := map[string]float64{"xx": 1, "yy": 0, "zz": 1} // xx: 2 of 3 in b against 3 of 5
	for _, e := range r.Top(9) {
		testkit.Equal(t, e.Value, want[e.Term], e)
		testkit.Equal(t, e.Sign, 1, e)
	}
	for _, o := range []rank.Options{
		{Combine: rank.Sum}, {Combine: rank.Avg}, {Combine: rank.Mean}, {Measure: rank.IG}, {Measure: rank.OCFS}, {Measure: rank.DF}, {PValues: true},
	} {
		if o.Positive = true; o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
