package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
)

func TestHashOfGoldenWords(t *testing.T) {
	var golden struct {
		Text struct {
			Hashing struct {
				Words []struct {
					Word string
					Hash int32
					Of20 uint32 `json:"index_1048576"`
				}
				Vectors struct {
					Document string
					Features int `json:"n_features"`
					Rows     []struct {
						Settings map[string]any
						Indices  []uint32  `json:"stored_indices"`
						Values   []float64 `json:"stored_values"`
					}
				}
			}
		}
	}
	testkit.ReadJSON("../../testdata/golden_methods.json", &golden)
	hashing := golden.Text.Hashing
	of := Options{HashBits: 20}
	for _, w := range hashing.Words {
		if h := int32(Hash([]byte(w.Word))); h != w.Hash || h != naive.Hash(w.Word) || of.ColumnOf([]byte(w.Word)) != w.Of20 {
			t.Errorf("%q: %d in column %d, want %d in %d", w.Word, h, of.ColumnOf([]byte(w.Word)), w.Hash, w.Of20)
		}
	}
	tested := false
	for _, row := range hashing.Vectors.Rows {
		if sign, ok := row.Settings["alternate_sign"]; !ok || sign != false || row.Settings["norm"] != nil || row.Settings["binary"] != nil {
			continue
		}
		tested = true
		counts := map[string]float64{}
		for i, column := range row.Indices {
			counts[fmt.Sprint(column)] = row.Values[i]
		}
		c := must(Options{HashBits: 3}).NewCounter()
		found := c.Count([]byte(hashing.Vectors.Document), nil)
		for _, f := range found {
			testkit.Equal(t, counts[string(c.Term(f.Term))], float64(f.Count), "column", c.Term(f.Term), f.Count,
				"want", counts)
		}
		testkit.Equal(t, len(found), len(counts), "columns")
		testkit.Equal(t, hashing.Vectors.Features, 8, "columns")
	}
	if len(hashing.Words) < 20 || !tested {
		t.Errorf("%d golden words, vector tested: %v", len(hashing.Words), tested)
	}
}

// hashedSettings are analyses of all kinds, with terms shorter and longer than a key.
func hashedSettings() []Options {
	return []Options{
		{},
		{Tokens: "letters", NGrams: "2"},
		{Tokens: "unicode", NGrams: "1-2", Sentences: true},
		{Stop: "smart", Stem: "porter2", MaxToken: 9, NGrams: "1-3"},
		{Stem: "porter2"},
		{NGrams: "2-5"},
		{Tokens: "zh-bigrams"},
		{Tokens: "char", NGrams: "1-4"},
		{Tokens: "char_wb", NGrams: "3-5"},
		{Tokens: "char", NGrams: "17"},
		{Tokens: `pattern:\S+`, NGrams: "1-2"},
		{Tokens: "words", StripAccents: "ascii", KeepCase: true},
		{Phrases: Phrases{"don run", "run the"}},
		{Phrases: Phrases{"don run", "run the"}, NGrams: "1-2"},
	}
}

// The terms of an analyzer that does not hash, each hashed by the definition, are the definition of columns.
func TestColumnsAreThoseOfTheHashesOfTerms(t *testing.T) {
	for _, remembered := range []int{mostRemembered, 0} { // with 0 words are forgotten before each text
		defer func(before int) { mostRemembered = before }(mostRemembered)
		mostRemembered = remembered
		r := rand.New(rand.NewPCG(21, 22))
		for _, o := range hashedSettings() {
			plain := must(o)
			for _, bits := range []int{1, 7, 20, 30} {
				o.HashBits = bits
				c := must(o).NewCounter()
				terms := map[string]bool{}
				for range rounds(8) {
					text := append(wordyText(r, r.IntN(60)), randomText(r, r.IntN(400))...)
					var want []string
					for _, term := range plain.Terms(text) {
						terms[term] = true
						want = append(want, strconv.FormatInt(naive.Column(term, 1<<bits), 10))
					}
					checkGrams(t, c, text, want)
				}
				checkNames(t, c)
				if got, deviation := c.Distinct().Terms(); got != float64(len(terms)) || deviation != 0 {
					t.Errorf("%+v: %v ± %v distinct terms, want %d", o, got, deviation, len(terms))
				}
			}
		}
	}
}

// Columns are found and added by their names alone.
func TestColumnsByName(t *testing.T) {
	c := must(Options{HashBits: 5}).NewCounter()
	id := c.Count([]byte("orbit"), nil)[0].Term
	name := string(c.Term(id))
	testkit.Equal(t, c.Add(name), id, "column", name)
	testkit.Equal(t, c.Add("orbit"), id, "column", name)
	other := "7"
	if name == other {
		other = "8"
	}
	for _, unknown := range []string{"0" + name, "+" + name, "32", "orbit", ""} {
		if column, ok := c.a.opt.ParseColumn(unknown); ok {
			t.Errorf("%q is column %d", unknown, column)
		}
	}
	if added := c.Add(other); string(c.Term(added)) != other || c.Len() != 2 {
		t.Errorf("%q is added as %q", other, c.Term(added))
	}
	o := Options{HashBits: 5}
	for name, want := range map[string]bool{"31": true, "0": true, "32": false, "031": false, "moon": false, "-1": false, "+1": false} {
		if column, ok := o.ParseColumn(name); ok != want || ok && fmt.Sprint(column) != name {
			t.Errorf("%q: %d, %v", name, column, ok)
		}
	}
}

func TestHashBitsOutOfRange(t *testing.T) {
	for _, bits := range []int{-1, 31, 40} {
		testkit.Says(t, testkit.Err(New(Options{HashBits: bits})), "1 to 30", bits)
	}
}

// Every number of columns has its place, whatever the order in which they come.
func TestColumnsFillTheirTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for bits := 1; bits <= 14; bits++ {
		c := must(Options{HashBits: bits}).NewCounter().columns
		order := r.Perm(1 << bits)
		for i, column := range order {
			testkit.Equal(testkit.Stop(t), c.number(uint32(column)), uint32(i), bits, "bits: column", column,
				"is number", "want", i)
		}
		for i, column := range order {
			testkit.Equal(testkit.Stop(t), c.number(uint32(column)), uint32(i), bits, "bits, again: column", column,
				"is number", "want", i)
		}
	}
	c := must(Options{HashBits: 30}).NewCounter().columns
	for i := range uint32(1 << 15) { // columns that would all begin in one slot of a small table
		testkit.Equal(testkit.Stop(t), c.number(i<<15), i, "column", i<<15, "is number")
	}
}

// What a sample says does not depend on the order of the terms, nor on how they are divided.
func TestDistinctIsTheSameHoweverTermsAreDivided(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for _, terms := range []int{0, 1, 1000, mostSampled, 3 * mostSampled, 200_000} {
		var whole Distinct
		parts := make([]Distinct, 5)
		for range 2 {
			for _, term := range r.Perm(terms) {
				print := fingerprint(strconv.AppendInt(nil, int64(term), 10))
				whole.add(print)
				parts[r.IntN(len(parts))].add(print)
			}
		}
		var joined Distinct
		for i := range parts {
			joined.Join(&parts[i])
		}
		got, deviation := joined.Terms()
		if want, _ := whole.Terms(); got != want || len(joined.prints) != len(whole.prints) {
			t.Errorf("%d terms: %v joined, %v in one", terms, got, want)
		}
		if terms <= mostSampled && (got != float64(terms) || deviation != 0) || deviation > 0.012*float64(terms) {
			t.Errorf("%d terms: %v ± %v", terms, got, deviation)
		}
	}
}

// N-grams beyond what a sample keeps are estimated as words are, however texts are divided.
func TestDistinctNGrams(t *testing.T) {
	const words = 60_000
	a := must(Options{NGrams: "2-2", HashBits: 20})
	var joined Distinct
	for part := range 3 {
		c := a.NewCounter()
		for i := part * words / 3; i < (part+1)*words/3; i += 100 {
			var text []byte
			for word := range 101 {
				text = fmt.Appendf(text, "w%d ", i+word)
			}
			c.Count(text, nil)
		}
		joined.Join(c.Distinct())
	}
	if got, deviation := joined.Terms(); deviation == 0 || math.Abs(got-words) > 4*deviation {
		t.Errorf("%v ± %v pairs, want %d", got, deviation, words)
	}
}

// Estimates are within their errors: of the differences divided by them the mean square is about 1, and none is beyond
// 5.
func TestCollisionsAreWithinTheirErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	var squares [3]float64
	draws := rounds(120)
	for range draws {
		terms, bits := 1+r.IntN(100_000), 8+r.IntN(14)
		var d Distinct
		inColumn := map[uint32]int{}
		for range terms {
			text := strconv.AppendUint(nil, r.Uint64(), 36)
			d.add(fingerprint(text))
			inColumn[columnOf(Hash(text), 1<<bits-1)]++
		}
		shared, several := 0, 0
		for _, n := range inColumn {
			if n > 1 {
				shared, several = shared+n, several+1
			}
		}
		c := d.Collisions(bits)
		for i, x := range []struct{ got, deviation, want float64 }{
			{c.Terms, c.TermsError, float64(terms)},
			{c.SharedTerms, c.SharedTermsError, float64(shared) / float64(terms)},
			{c.SharedColumns, c.SharedColumnsError, float64(several) / float64(len(inColumn))},
		} {
			off := math.Abs(x.got - x.want)
			if off > 5*x.deviation+1e-3 {
				t.Errorf("%d terms in 2^%d columns, %d: %v ± %v, want %v", terms, bits, i, x.got, x.deviation, x.want)
			}
			if x.deviation > 0 {
				squares[i] += off * off / (x.deviation * x.deviation)
			}
		}
	}
	for i, sum := range squares {
		if mean := sum / float64(draws); mean > 2 {
			t.Errorf("%d: the mean square of errors is %.2f of what is said", i, mean)
		}
	}
	testkit.Equal(t, new(Distinct).Collisions(20), Collisions{}, "without terms")
}
