package bestterms_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/selection"
)

func bestSelection(b *bestterms.Choice) *selection.Selection { return testkit.Must(b.Selection()) }

// The union has each term once, the positive ones first, and of any two terms of the
// same class and sign the better one first.
func TestBestTermsSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 13))
	for _, shape := range naive.Shapes {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
		for _, function := range []string{"chi", "or", "df"} {
			b := bestTerms(t, c, bestterms.Options{Function: function, P: .25})
			positive, wanted := map[string]bool{}, map[string]bool{}
			place := map[string][3]int{} // class, sign, term -> of its first list
			for i, class := range b.Classes {
				for j, x := range class.Positive {
					positive[x.Term], wanted[x.Term] = true, true
					place["+"+class.Class+"\x00"+x.Term] = [3]int{0, j, i}
				}
				for j, x := range class.Negative {
					wanted[x.Term] = true
					place["-"+class.Class+"\x00"+x.Term] = [3]int{1, j, i}
				}
			}
			s, err := b.Selection()
			if len(wanted) == 0 {
				if !errors.Is(err, selection.ErrNothingSelected) {
					t.Errorf("%s: %v of no terms", shape.Name, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Features) != len(wanted) {
				t.Errorf("%s: %d features, want %d", shape.Name, len(s.Features), len(wanted))
			}
			last := [3]int{}
			for i, f := range s.Features {
				sign := "-"
				if positive[f.Term] {
					sign = "+"
				}
				at, ok := place[sign+f.Class+"\x00"+f.Term]
				if !ok || slices.Compare(at[:], last[:]) < 0 || f.Rank != i+1 || f.A+f.B != f.DF {
					t.Fatalf("%s: %+v at %v behind %v", shape.Name, f, at, last)
				}
				last = at
			}
			again := readSelection(s)
			if !reflect.DeepEqual(again, s) {
				t.Errorf("%s: read again it is %+v instead of %+v", shape.Name, again, s)
			}
		}
	}
}

func readSelection(s *selection.Selection) *selection.Selection {
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	return testkit.Must(selection.Read(&file, "features.tsv"))
}
