package rank_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// A numbered is documents with a number each, as its text.
type numbered struct {
	terms  []string
	counts [][]float64
	target []string
}

// stream has the number of each document as its label.
func (n numbered) stream(from, to int) document.Stream {
	var docs []document.Document
	for d := from; d < to; d++ {
		doc := document.Document{ID: fmt.Sprint(d), Labels: []string{n.target[d]}, Features: []document.Feature{}}
		for i, tf := range n.counts[d] {
			if tf > 0 {
				doc.Features = append(doc.Features, document.Feature{Term: n.terms[i], Value: tf})
			}
		}
		docs = append(docs, doc)
	}
	return document.Of(docs...)
}

func (n numbered) corpus(t *testing.T, from, to int) *corpus.Corpus {
	return testkit.Must(corpus.Build(t.Context(), n.stream(from, to), corpus.Options{}))
}

// naive returns term i and the target: tf, or the share of the document.
func (n numbered) naive(t *testing.T, i int, share bool) (x naive.Target) {
	t.Helper()
	for d, row := range n.counts {
		length := new(big.Rat)
		for _, tf := range row {
			length.Add(length, new(big.Rat).SetFloat64(tf))
		}
		tf := new(big.Rat).SetFloat64(row[i])
		if share && length.Sign() > 0 {
			tf.Quo(tf, length)
		}
		y, ok := new(big.Rat).SetString(n.target[d])
		testkit.Equal(testkit.Stop(t), ok, true, n.target[d], "is no number")
		x.X, x.Y = append(x.X, tf), append(x.Y, y)
	}
	return x
}

// A targetValue is what an option gives for a term, and how near it must be.
type targetValue struct {
	o         rank.Options
	value, ln float64 // ln p is NaN for none
}

// targetValues are those of a term by all measures of cells.
func targetValues(tf naive.Target) (all []targetValue) {
	presence, n := tf.Presence(), float64(len(tf.X))
	add := func(o rank.Options, v, ln float64) {
		o.Signed = true
		all = append(all, targetValue{o, v, ln})
	}
	ranks := presence.Ranks()
	add(rank.Options{Measure: rank.Pearson}, tf.R(), tf.LnR())
	add(rank.Options{Measure: rank.Pearson, Weight: table.Binary}, presence.R(), presence.LnR())
	add(rank.Options{Measure: rank.Spearman, Weight: table.Binary}, ranks.R(), ranks.LnR())
	z := presence.R() * math.Sqrt(n)
	add(rank.Options{Measure: rank.Trend}, z, naive.LnP(z))
	return all
}

// compareTargets compares the values and p-values of all terms.
func compareTargets(t *testing.T, what string, n numbered, s rank.Counted, of func(naive.Target) []targetValue, share bool) {
	t.Helper()
	var rankings []*rank.Ranking
	for i, term := range n.terms {
		x := n.naive(t, i, share)
		for j, want := range of(x) {
			want.o.PValues = !math.IsNaN(want.ln) && len(x.X) > 2
			if i == 0 {
				r, err := rank.Terms(t.Context(), s, want.o)
				testkit.Is(testkit.Stop(t), err, nil, what, want.o)
				rankings = append(rankings, r)
			}
			r := rankings[j]
			number, ok := r.Statistics().Names.Lookup(term)
			if !ok {
				continue
			}
			got := r.Values()[number]
			if !testkit.Near(got, want.value, 1e-12, 1e-15) && !(math.IsNaN(got) && math.IsNaN(want.value)) {
				t.Fatalf("%s: %s of %s is %v, want %v (%+v, targets %v)", what, want.o.Measure, term, got, want.value, want.o, n.target)
			}
			if want.o.PValues {
				digits := 1e-9
				if want.o.Measure == rank.Pearson { // near a line p hangs on 1 - r^2, of which rounding leaves fewer digits
					digits += 1e-15 / max(1-got*got, 1e-12)
				}
				testkit.Close(testkit.Stop(t), r.LnP(number), want.ln, digits, 1e-12, what, "ln p of", want.o.Measure,
					"of", term, "(value", got)
			}
		}
	}
}

// goldenTargets loads corpus_b with one of its numbers.
func goldenTargets(t *testing.T, name string) (n numbered, terms map[string]any) {
	var file struct {
		Corpus struct {
			Terms        []string
			Counts       [][]float64
			Stars, Price []float64
		} `json:"corpus_b"`
		Targets struct{ Terms map[string]any }
	}
	data := testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_methods.json")))
	testkit.OK(json.Unmarshal(data, &file))
	n = numbered{terms: file.Corpus.Terms, counts: file.Corpus.Counts}
	for _, y := range map[string][]float64{"stars": file.Corpus.Stars, "price": file.Corpus.Price}[name] {
		n.target = append(n.target, strconv.FormatFloat(y, 'f', -1, 64))
	}
	return n, file.Targets.Terms
}

// goldenTargetKeys are the keys of values and of ln p.
var goldenTargetKeys = []struct {
	o          rank.Options
	value, lnp string
}{
	{rank.Options{Measure: rank.Pearson}, "tf/r", "tf/lnp"},
	{rank.Options{Measure: rank.Pearson, Weight: table.Binary}, "presence/r", "presence/lnp"},
	{rank.Options{Measure: rank.Spearman, Weight: table.Binary}, "spearman_presence/r", "spearman_presence/lnp"},
	{rank.Options{Measure: rank.Trend}, "../trend_stars/z", "../trend_stars/lnp"},
}

// documentKeys are those of measures that need the documents.
var documentKeys = []struct {
	o          rank.Options
	value, lnp string
}{
	{rank.Options{Measure: rank.Spearman}, "spearman_tf/r", "spearman_tf/lnp"},
	{rank.Options{Measure: rank.Pearson, Weight: table.Share}, "share/r", "share/lnp"},
}

// leaf returns the number of a path, NaN for null.
func leaf(t *testing.T, v any, path string) float64 {
	t.Helper()
	for key := range strings.SplitSeq(path, "/") {
		m, ok := v.(map[string]any)
		if !ok {
			return math.NaN() // of null
		}
		v = m[key]
	}
	switch v := v.(type) {
	case float64:
		return v
	case string:
		if r, ok := new(big.Rat).SetString(v); ok {
			f, _ := r.Float64()
			return f
		}
		return expected(t, v)
	}
	t.Fatalf("no number at %s", path)
	return 0
}

func TestGoldenTargets(t *testing.T) {
	for _, name := range []string{"stars", "price"} {
		n, terms := goldenTargets(t, name)
		c := n.corpus(t, 0, len(n.counts))
		s := enginetest.StatisticsOf(t, c, "")
		for _, key := range goldenTargetKeys {
			checkGoldenTarget(t, terms, name, key.o, s, key.value, key.lnp)
		}
		for _, key := range documentKeys {
			checkGoldenTarget(t, terms, name, key.o, c, key.value, key.lnp)
		}
	}
}

// checkGoldenTarget checks the values of a measure, and their ln p if there is a key of it.
func checkGoldenTarget(t *testing.T, terms map[string]any, name string, o rank.Options, of rank.Counted, value, lnp string) {
	t.Helper()
	if strings.HasPrefix(value, "../") && name != "stars" {
		return
	}
	o.Signed, o.PValues = true, lnp != ""
	r := testkit.Must(rank.Terms(t.Context(), of, o))
	for term, values := range terms {
		at := values.(map[string]any)
		find := func(key string) float64 {
			if rest, ok := strings.CutPrefix(key, "../"); ok {
				return leaf(t, at, rest)
			}
			return leaf(t, at[name], key)
		}
		i, _ := r.Statistics().Names.Lookup(term)
		got, want := r.Values()[i], find(value)
		if !testkit.Near(got, want, 1e-12, 1e-15) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s %s of %s is %v, want %v", name, value, term, got, want)
		}
		if lnp == "" || math.IsNaN(want) {
			continue
		}
		testkit.Close(t, r.LnP(i), find(lnp), 1e-10, 1e-15, name, lnp, "of", term)
	}
}

// Values, shares and ranks of a corpus that a person can check.
func TestCorrelations(t *testing.T) {
	c := enginetest.Build(t, "1:aa aa aa bb", "2:aa aa bb", "3:bb", "4:bb bb bb cc")
	few := 1.5 / math.Sqrt(5*.75) // of cc, in the last document
	for _, try := range []struct {
		o    rank.Options
		want map[string]float64
	}{
		{rank.Options{Measure: rank.Pearson}, map[string]float64{"aa": -5.5 / math.Sqrt(5*6.75), "bb": 3 / math.Sqrt(5*3), "cc": few}},                             // 3 2 0 0, 1 1 1 3
		{rank.Options{Measure: rank.Spearman}, map[string]float64{"aa": -4.5 / math.Sqrt(5*4.5), "bb": 3 / math.Sqrt(5*3), "cc": few}},                             // ranks 4 3 1½ 1½, 2 2 2 4
		{rank.Options{Measure: rank.Spearman, Weight: table.Share}, map[string]float64{"aa": -4.5 / math.Sqrt(5*4.5), "bb": 4. / 5, "cc": few}},                    // ranks of bb 1 2 4 3
		{rank.Options{Measure: rank.Pearson, Weight: table.Share}, map[string]float64{"aa": -35. / 24 / math.Sqrt(5*(9./16+4./9-(17./12)*(17./12)/4)), "cc": few}}, // ¾ ⅔ 0 0
	} {
		try.o.Signed = true
		r := testkit.Must(rank.Terms(t.Context(), c, try.o))
		for term, want := range try.want {
			i, _ := r.Statistics().Names.Lookup(term)
			testkit.Close(t, r.Values()[i], want, 0, 1e-15, try.o, "r of", term)
		}
	}
}

// documentValues are those of a term by the measures of documents, of tf or of shares.
func documentValues(share bool) func(x naive.Target) []targetValue {
	return func(x naive.Target) (all []targetValue) {
		weight := table.TF
		if share {
			weight = table.Share
			all = append(all, targetValue{rank.Options{Measure: rank.Pearson, Weight: weight, Signed: true}, x.R(), x.LnR()})
		}
		ranks := x.Ranks()
		return append(all, targetValue{rank.Options{Measure: rank.Spearman, Weight: weight, Signed: true}, ranks.R(), ranks.LnR()})
	}
}

func TestTargetsOfDocumentsAgainstNaive(t *testing.T) {
	for name, shape := range targetShapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range testkit.Cases(t, 40) {
				n := randomNumbered(r, shape)
				for _, share := range []bool{false, true} {
					compareTargets(t, name, n, n.corpus(t, 0, len(n.counts)), documentValues(share), share)
				}
			}
		})
	}
}

// Documents are needed, and any number of threads gives the same bits, in rankings and selections.
func TestTargetsOfDocuments(t *testing.T) {
	n, _ := goldenTargets(t, "stars")
	c := n.corpus(t, 0, len(n.counts))
	for _, key := range documentKeys {
		one, three := key.o, key.o
		one.Threads, three.Threads = 1, 3
		a, b := testkit.Must(rank.Terms(t.Context(), c, one)), testkit.Must(rank.Terms(t.Context(), c, three))
		testkit.EqualSlices(t, a.Values(), b.Values(), key.o, "threads give other values")
		_, err := rank.Terms(t.Context(), enginetest.StatisticsOf(t, c, ""), key.o)
		testkit.Says(t, err, "--weight binary", key.o, "of statistics")
	}
	_, err := rank.Terms(t.Context(), enginetest.Build(t, "a:xx", "2:yy", "3:xx"), rank.Options{Measure: rank.Spearman})
	testkit.Says(t, err, `the label "a" is none`, "labels that are no numbers")
}

// targetShapes make the number of a document.
var targetShapes = map[string]func(r *rand.Rand, d int) string{
	"stars":         func(r *rand.Rand, _ int) string { return strconv.Itoa(1 + r.IntN(5)) },
	"two":           func(r *rand.Rand, _ int) string { return strconv.Itoa(-3 + 10*r.IntN(2)) },
	"quarters":      func(r *rand.Rand, _ int) string { return strconv.FormatFloat(float64(r.IntN(4000))/4-100, 'f', -1, 64) },
	"all different": func(_ *rand.Rand, d int) string { return strconv.Itoa(d * d) },
	"constant":      func(*rand.Rand, int) string { return "2.5" },
	"six places":    func(r *rand.Rand, _ int) string { return strconv.FormatFloat(float64(r.IntN(1e9))/1e6, 'f', -1, 64) },
	"fractions":     func(r *rand.Rand, _ int) string { return strconv.FormatFloat(r.NormFloat64(), 'g', -1, 64) },
	"large":         func(r *rand.Rand, _ int) string { return strconv.FormatFloat(1e9+float64(r.IntN(3)), 'f', -1, 64) },
	"huge":          func(r *rand.Rand, _ int) string { return strconv.FormatFloat(float64(r.IntN(9)-4)*1e300, 'g', -1, 64) },
	"tiny":          func(r *rand.Rand, _ int) string { return strconv.FormatFloat(float64(r.IntN(9)-4)*1e-200, 'g', -1, 64) },
}

// randomNumbered makes documents with counts from 0 on, many of them 0; those of the first term are the
// number of the document's target among the others.
func randomNumbered(r *rand.Rand, shape func(r *rand.Rand, d int) string) (n numbered) {
	docs, terms := 1+r.IntN(30), 2+r.IntN(6)
	for i := range terms {
		n.terms = append(n.terms, fmt.Sprint("t", i))
	}
	for d := range docs {
		row := make([]float64, terms)
		for i := range row {
			row[i] = float64(max(0, r.IntN(6)-2-i%3))
			switch r.IntN(50) {
			case 0:
				row[i] = float64(r.IntN(1 << 20))
			case 1:
				row[i] = 1 + r.Float64()
			}
		}
		row[r.IntN(terms)]++
		n.counts, n.target = append(n.counts, row), append(n.target, shape(r, d))
	}
	return n
}

func TestTargetsAgainstNaive(t *testing.T) {
	for name, shape := range targetShapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range testkit.Cases(t, 40) {
				n := randomNumbered(r, shape)
				compareTargets(t, name, n, n.corpus(t, 0, len(n.counts)), targetValues, false)
			}
		})
	}
}

// Statistics merged from parts, and any number of threads, give the same bits.
func TestTargetsOfMergedParts(t *testing.T) {
	for name, shape := range targetShapes {
		r := rand.New(rand.NewPCG(40, uint64(len(name))))
		n := randomNumbered(r, shape)
		for len(n.counts) < 12 {
			n = randomNumbered(r, shape)
		}
		cut := len(n.counts) / 3
		var file bytes.Buffer
		parts := []*corpus.Corpus{n.corpus(t, 0, cut), n.corpus(t, cut, len(n.counts))}
		testkit.OK(corpus.Merge(t.Context(), &file, corpus.MergeOptions{}, parts...))
		merged, whole := testkit.Must(corpus.Decode(file.Bytes())), n.corpus(t, 0, len(n.counts))
		for _, m := range rank.TargetMeasures() {
			for _, threads := range []int{1, 3} {
				o := rank.Options{Measure: rank.Measure(m.Name), Threads: threads, Signed: true}
				want, got := testkit.Must(rank.Terms(t.Context(), whole, o)), testkit.Must(rank.Terms(t.Context(), merged, o))
				for i, e := range want.Top(99) {
					if g := got.Top(99)[i]; g.Term != e.Term || math.Float64bits(g.Value) != math.Float64bits(e.Value) {
						t.Errorf("%s: %s, %d threads: entry %d is %v, want %v", name, m.Name, threads, i, g, e)
					}
				}
			}
		}
	}
}

// A correlation of counts is 1 only if it is exactly: a single document off the line makes it less.
func TestPerfectTargets(t *testing.T) {
	n := numbered{terms: []string{"x", "y"}}
	for d := range 2000 {
		n.target, n.counts = append(n.target, strconv.Itoa(1_000*d)), append(n.counts, []float64{float64(500 * d), float64(500 * d)})
	}
	n.counts[1][1]++
	n.counts[0] = []float64{0, 0}
	c := n.corpus(t, 0, len(n.counts))
	values := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: rank.Pearson})
	for i, want := range []float64{n.naive(t, 0, false).R(), math.Nextafter(1, 0)} {
		if v := values[n.terms[i]]; !testkit.Near(v, want, 1e-12, 0) || (v == 1) != (want == 1) {
			t.Errorf("pearson of %s is %v, want %v", n.terms[i], v, want)
		}
	}
}

// What measures of a target cannot use is a usage error that says why, whichever call it is.
func TestTargetErrors(t *testing.T) {
	for _, try := range []struct {
		lines []string
		o     rank.Options
		want  string
	}{
		{[]string{"a:xx", "2:yy"}, rank.Options{Measure: rank.Pearson}, `pearson compares terms with a number of every document, and the label "a" is none; name the field that has the number (--target)`},
		{[]string{"Inf:xx", "2:yy"}, rank.Options{Measure: rank.Trend}, `the label "Inf" is none`},
		{[]string{"0x10:xx", "2:yy"}, rank.Options{Measure: rank.Trend}, `the label "0x10" is none`},
		{[]string{"1:xx", "2:yy", ":zz"}, rank.Options{Measure: rank.Spearman, Weight: "binary"}, "spearman needs a number of every document, and 1 of 3 have none"},
		{[]string{"1,2:xx", "2:yy", "3:xx"}, rank.Options{Measure: rank.Trend}, "trend needs one number of every document, and some have several"},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Pearson, PValues: true}, "the p-values of pearson need three documents or more, not 2"},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Pearson, Weight: "ltc"}, `pearson compares tf, binary or share with the target, not "ltc"`},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Trend, Weight: "share"}, `trend compares whether documents have a term: omit the weighting "share"`},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: "psup"}, "psup went in 0.2.0: spearman with the weight binary"},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Pearson, Combine: rank.ByClass}, "pearson has one value for a term"},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Pearson, Positive: true}, "positive values are those of classes"},
		{[]string{"1:xx", "2:yy"}, rank.Options{Measure: rank.Pearson, PValues: true, Exact: true}, "there is no exact test of pearson"},
	} {
		_, err := rank.Terms(t.Context(), enginetest.Build(t, try.lines...), try.o)
		testkit.Says(t, err, try.want, try.lines, try.o)
	}
}

// A target that does not vary goes with no term, and a warning says so.
func TestConstantTargets(t *testing.T) {
	c := enginetest.Build(t, "2:xx yy", "2:xx", "2.0:yy zz")
	for _, m := range rank.TargetMeasures() {
		r := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: rank.Measure(m.Name)}))
		if len(r.Warnings) == 0 || r.Warnings[0] != "the number is 2 for all documents: no term can go with it" {
			t.Errorf("%s: warnings %q", m.Name, r.Warnings)
		}
		for _, v := range r.Values() {
			testkit.Equal(t, v, 0, m.Name, "values", r.Values())
		}
	}
}

// The other measures do not mind classes that are numbers, and are not those of a target.
func TestTargetMeasuresAreByName(t *testing.T) {
	names := []string{}
	for _, m := range rank.TargetMeasures() {
		names = append(names, m.Name)
	}
	testkit.Equal(t, strings.Join(names, " "), "pearson trend spearman", "measures of a target")
	for _, m := range rank.KnownMeasures() {
		if m.Target || slices.Contains(names, m.Name) {
			t.Errorf("%s is a measure of a target", m.Name)
		}
	}
}
