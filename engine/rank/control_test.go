package rank_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// inStrata returns a corpus whose documents are in strata.
func inStrata(t testing.TB, c naive.Corpus, stratum []int) *corpus.Corpus {
	var docs []document.Document
	for d := range testkit.All(enginetest.StreamOf(c)) {
		d.Labels, d.Features = slices.Clone(d.Labels), slices.Clone(d.Features)
		d.Stratum = fmt.Sprintf("h%03d", stratum[len(docs)])
		docs = append(docs, d)
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{Control: "price"}))
}

// rational returns the float64 next to a fraction.
func rational(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// checkStrata compares the values of a term and a class with exact ones.
func checkStrata(t *testing.T, what string, all naive.Strata, e map[string]rank.Entry) {
	t.Helper()
	sign := all.Delta().Sign()
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"mh", e["mh"].Value, rational(all.MH())},
		{"corrected", e["corrected"].Value, rational(all.CorrectedMH())},
		{"signed", e["signed"].Value, float64(sign) * rational(all.MH())},
		{"ormh", e["ormh"].Value, all.OddsRatio()},
		{"variance", e["ormh"].Interval.LnVariance, all.LnVariance()},
		{"low", e["ormh"].Interval.Low, all.OddsRatio() * math.Exp(-1.959963984540054*math.Sqrt(all.LnVariance()))},
		{"high", e["ormh"].Interval.High, all.OddsRatio() * math.Exp(1.959963984540054*math.Sqrt(all.LnVariance()))},
		{"ln p", e["mh"].Log10P * math.Ln10, naive.LnChiSquare(rational(all.MH()))},
		{"corrected ln p", e["corrected"].Log10P * math.Ln10, naive.LnChiSquare(rational(all.CorrectedMH()))},
		{"signed ln p", e["signed"].Log10P * math.Ln10, naive.LnChiSquare(rational(all.MH()))},
	} {
		relative := 1e-12
		if strings.HasSuffix(v.name, "ln p") {
			relative = 1e-10
		}
		if !testkit.Near(v.got, v.want, relative, 1e-15) && !(math.IsNaN(v.got) && math.IsNaN(v.want)) {
			t.Errorf("%s: %s = %v, want %v: %v", what, v.name, v.got, v.want, all)
		}
	}
	if e["mh"].Sign != sign || e["ormh"].Sign != sign {
		t.Errorf("%s: signs %d and %d, want %d", what, e["mh"].Sign, e["ormh"].Sign, sign)
	}
}

// ofControl are the options of the measures of a control, by what they are.
func ofControl(threads int) map[string]rank.Options {
	return map[string]rank.Options{
		"mh": {Measure: rank.MH, PValues: true, Threads: threads}, "corrected": {Measure: rank.MH, Continuity: true, PValues: true, Threads: threads},
		"signed": {Measure: rank.MH, Signed: true, PValues: true, Threads: threads}, "ormh": {Measure: rank.ORMH, Threads: threads},
	}
}

// entriesOf returns the entries of all terms for a class, by term and measure.
func entriesOf(t *testing.T, c rank.Counted, class string, threads int) map[string]map[string]rank.Entry {
	all := map[string]map[string]rank.Entry{}
	for name, o := range ofControl(threads) {
		for e := range testkit.Must(rank.Class(t.Context(), c, class, o)).All() {
			if all[e.Term] == nil {
				all[e.Term] = map[string]rank.Entry{}
			}
			all[e.Term][name] = e
		}
	}
	return all
}

// The tables of the golden file have the values that it gives.
func TestGoldenStrata(t *testing.T) {
	text := testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_methods.json")))
	var golden struct {
		B struct {
			Terms  []string
			Counts [][]float64
			Class  []string
			H      []int `json:"stratum"`
		} `json:"corpus_b"`
		Corners struct {
			MH map[string]strataValues `json:"mantel_haenszel"`
		} `json:"corner_cases"`
		Targets struct {
			Terms map[string]struct {
				MH map[string]strataValues `json:"mantel_haenszel"`
			}
		}
	}
	testkit.OK(json.Unmarshal(text, &golden))
	classes := slices.Compact(slices.Sorted(slices.Values(golden.B.Class)))
	b := naive.Corpus{Terms: golden.B.Terms, Classes: classes}
	for d, row := range golden.B.Counts {
		doc := naive.Doc{Labels: []int{slices.Index(classes, golden.B.Class[d])}, Counts: map[int]float64{}}
		for i, n := range row {
			if n > 0 {
				doc.Counts[i] = n
			}
		}
		b.Docs = append(b.Docs, doc)
	}
	c := inStrata(t, b, golden.B.H)
	checked := 0
	for _, class := range classes {
		entries := entriesOf(t, c, class, 2)
		for _, term := range b.Terms {
			golden.Targets.Terms[term].MH[class].check(t, term+" "+class, entries[term])
			checked++
		}
	}
	for name, want := range golden.Corners.MH {
		corner, stratum := documentsOf(append(slices.Clone(want.Tables), naive.Stratum{0, 0, 0, 2})) // which adds nothing
		want.check(t, name, entriesOf(t, inStrata(t, corner, stratum), "yes", 1)["term"])
		checked++
	}
	if checked < 30 {
		t.Errorf("%d tables were checked", checked)
	}
}

// strataValues are what the golden file says of tables.
type strataValues struct {
	Tables      naive.Strata
	Chi         float64 `json:"chi_mh"`
	Corrected   float64 `json:"chi_mh_corrected"`
	LnP         float64
	LnCorrected float64  `json:"lnp_corrected"`
	OR          any      `json:"or_mh"`
	Variance    *float64 `json:"var_ln_or"`
}

func (v strataValues) check(t *testing.T, what string, e map[string]rank.Entry) {
	t.Helper()
	if v.Tables == nil {
		t.Fatalf("%s: no tables", what)
	}
	checkStrata(t, what, v.Tables, e)
	ratio, variance := math.NaN(), math.NaN()
	switch or := v.OR.(type) {
	case float64:
		ratio = or
	case string:
		ratio = math.Inf(1)
	}
	if v.Variance != nil {
		variance = *v.Variance
	}
	for name, pair := range map[string][2]float64{
		"mh": {e["mh"].Value, v.Chi}, "corrected": {e["corrected"].Value, v.Corrected}, "ormh": {e["ormh"].Value, ratio}, "variance": {e["ormh"].Interval.LnVariance, variance},
		"ln p": {e["mh"].Log10P * math.Ln10, v.LnP}, "corrected ln p": {e["corrected"].Log10P * math.Ln10, v.LnCorrected},
	} {
		if got, want := pair[0], pair[1]; !testkit.Near(got, want, 1e-10, 1e-15) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %s = %v, golden %v", what, name, got, want)
		}
	}
}

// documentsOf returns a corpus with the tables of the class "yes" and the term "term", and the strata
// of its documents.
func documentsOf(tables naive.Strata) (c naive.Corpus, stratum []int) {
	c = naive.Corpus{Terms: []string{"term", "other"}, Classes: []string{"yes", "no"}}
	for h, cells := range tables {
		for place, n := range cells {
			for range n {
				doc := naive.Doc{Labels: []int{place % 2}, Counts: map[int]float64{1: 1}}
				if place < 2 {
					doc.Counts[0] = 1
				}
				c.Docs, stratum = append(c.Docs, doc), append(stratum, h)
			}
		}
	}
	return c, stratum
}

// Random corpora of all shapes have the values of exact fractions, with one label a document and
// with several, on any number of threads, from the corpus and from statistics.
func TestRandomCorporaInStrata(t *testing.T) {
	enginetest.Rounds{All: 12, Large: 1}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		if len(c.Terms)*len(c.Docs)*len(c.Classes) > 1e6 {
			return
		}
		stratum, strata := make([]int, len(c.Docs)), 1+r.IntN(6)
		for d := range stratum {
			stratum[d] = r.IntN(strata)
		}
		whole := inStrata(t, c, stratum)
		s := enginetest.StatisticsOf(t, whole, "")
		if enough := slices.Max(s.Strata().Documents) > 1; !enough {
			return
		}
		for k, class := range c.Classes {
			if !slices.Contains(s.Classes(), class) || k%(1+len(c.Classes)/32) != 0 { // fractions of hundreds of classes take minutes
				continue
			}
			entries := entriesOf(t, whole, class, 1)
			again := entriesOf(t, s, class, 3)
			for i, term := range c.Terms {
				if e, ok := entries[term]; ok {
					checkStrata(t, term+" "+class, c.Strata(i, k, stratum), e)
					for name := range e {
						if !sameBits(e[name], again[term][name]) {
							t.Errorf("%s %s: %s is %+v on one thread, %+v on three", term, class, name, e[name], again[term][name])
						}
					}
				}
			}
		}
		checkLargest(t, whole)
	})
}

// sameBits reports whether two entries are the same, NaN for NaN.
func sameBits(a, b rank.Entry) bool {
	return fmt.Sprintf("%x", fmt.Sprintf("%+v", a)) == fmt.Sprintf("%x", fmt.Sprintf("%+v", b)) && math.Float64bits(a.Value) == math.Float64bits(b.Value)
}

// checkLargest compares the largest values with those of the classes.
func checkLargest(t *testing.T, c *corpus.Corpus) {
	t.Helper()
	for _, positive := range []bool{false, true} {
		o := rank.Options{Measure: rank.MH, Positive: positive}
		largest := map[string]float64{}
		for e := range testkit.All(rank.Cells(t.Context(), c, o)) {
			if old, ok := largest[e.Term]; !ok || e.Value > old {
				largest[e.Term] = e.Value
			}
		}
		n := 0
		for e := range enginetest.RankAll(t, c, o).All() {
			if n++; largest[e.Term] != e.Value || e.Class == "" || positive && e.Sign <= 0 {
				t.Errorf("%q has %v in %q, sign %d; the largest is %v", e.Term, e.Value, e.Class, e.Sign, largest[e.Term])
			}
		}
		if n != len(largest) {
			t.Errorf("%d terms have a value, want %d", n, len(largest))
		}
	}
}

// someCorpus returns a corpus of 20 documents or more.
func someCorpus(r *rand.Rand) naive.Corpus {
	for {
		for _, shape := range naive.Shapes {
			if c := naive.RandomCorpus(r, shape); len(c.Docs) >= 20 && len(c.Docs) <= 200 && len(c.Classes) > 1 {
				return c
			}
		}
	}
}

// The other measures rank a corpus with strata as one without, to the bit.
func TestStrataLeaveOtherMeasuresAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 39))
	c := someCorpus(r)
	stratum := make([]int, len(c.Docs))
	for d := range stratum {
		stratum[d] = r.IntN(3)
	}
	plain, divided := enginetest.CorpusOf(t, c), inStrata(t, c, stratum)
	for _, o := range enginetest.EveryScoring(2) {
		if o.Weight != "" && o.Weight != table.TF && o.Weight != table.Binary {
			continue // sums of weights are rounded in another order
		}
		want, err := rank.Terms(t.Context(), plain, o)
		got, errDivided := rank.Terms(t.Context(), divided, o)
		if (err == nil) != (errDivided == nil) {
			t.Fatalf("%+v: %v, and with strata %v", o, err, errDivided)
		}
		if err == nil {
			enginetest.SameRanking(t, string(o.Measure), got, want)
		}
	}
}

// One stratum gives chi-square times (N-1)/N.
func TestOneStratum(t *testing.T) {
	c := someCorpus(rand.New(rand.NewPCG(2, 39)))
	divided := inStrata(t, c, make([]int, len(c.Docs)))
	n := float64(len(c.Docs))
	chi := enginetest.Values(t, enginetest.StatisticsOf(t, divided, ""), rank.Options{})
	for term, v := range enginetest.Values(t, enginetest.StatisticsOf(t, divided, ""), rank.Options{Measure: rank.MH}) {
		if want := chi[term] * (n - 1) / n; !testkit.Near(v, want, 1e-12, 1e-15) {
			t.Errorf("%s: %v, want %v", term, v, want)
		}
	}
}

// What is not divided into strata, or into one for each document, has no values.
func TestWithoutStrata(t *testing.T) {
	c := someCorpus(rand.New(rand.NewPCG(3, 39)))
	every := make([]int, len(c.Docs))
	for d := range every {
		every[d] = d
	}
	for want, of := range map[string]rank.Counted{
		"these documents have none; name the field that has them (--control)":                  enginetest.CorpusOf(t, c),
		`documents have the same value of the control "price": name a field with fewer values`: inStrata(t, c, every),
	} {
		for _, m := range rank.ControlMeasures() {
			o := rank.Options{Measure: rank.Measure(m.Name)}
			_, terms := rank.Terms(t.Context(), of, o)
			_, class := rank.Class(t.Context(), of, c.Classes[0], o)
			for call, err := range map[string]error{"terms": terms, "class": class} {
				if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s: %v", m.Name, call, err)
				}
			}
		}
	}
}

// A warning names strata in which nothing can be compared: three of them, and counts the rest.
func TestStrataOfOneClass(t *testing.T) {
	c, stratum := documentsOf(naive.Strata{{1, 1, 1, 1}, {2, 0, 1, 0}, {0, 1, 0, 2}, {1, 0, 0, 0}, {1, 0, 1, 0}})
	r := testkit.Must(rank.Terms(t.Context(), inStrata(t, c, stratum), rank.Options{Measure: rank.MH}))
	want := `4 of 5 strata of the control "price" have one class or one document, and tell nothing: "h001", "h002", "h003" and 1 more`
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q", r.Warnings)
	}
	r = testkit.Must(rank.Terms(t.Context(), inStrata(t, c, stratum), rank.Options{Measure: rank.Chi}))
	if len(r.Warnings) > 0 {
		t.Errorf("chi warns %q", r.Warnings)
	}
}

// Exact tests, and p-values of odds ratios, are refused, and a near name is found.
func TestRefusedOfControl(t *testing.T) {
	for want, o := range map[string]rank.Options{
		"there are no p-values of ormh": {Measure: rank.ORMH, PValues: true},
		"there is no exact test of mh":  {Measure: rank.MH, PValues: true, Exact: true},
		`"ormn"`:                        {Measure: "ormn"},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
