package vocabulary_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vocabulary"
)

// A setting is options with what the reference knows of them.
func settings() map[string]rules {
	all := map[string]rules{
		"words":          {least: 1, most: 1},
		"pairs too":      {least: 1, most: 2},
		"two to four":    {least: 2, most: 4},
		"up to five":     {least: 1, most: 5, stop: []string{"aa", "é1"}},
		"binary":         {least: 1, most: 2, options: vocabulary.Options{Binary: true}},
		"bounds":         {least: 1, most: 1, options: vocabulary.Options{MinDF: 2, MaxDF: 20}},
		"bounds of all":  {least: 1, most: 1, options: vocabulary.Options{MinDF: 1000}},
		"most":           {least: 1, most: 2, options: vocabulary.Options{MaxFeatures: 7}},
		"most of few":    {least: 1, most: 2, options: vocabulary.Options{MaxFeatures: 7, MinDF: 3, Binary: true}},
		"more than most": {least: 1, most: 1, options: vocabulary.Options{MaxFeatures: 1 << 30}},
		"characters":     {least: 1, most: 3, characters: true},
		"one character":  {least: 1, most: 1, characters: true, options: vocabulary.Options{MinDF: 2}},
		"ten characters": {least: 9, most: 10, characters: true},
	}
	for name, r := range all {
		r.options.Analysis = analysis.Options{Tokens: "words", NGrams: fmt.Sprintf("%d-%d", r.least, r.most), StopWords: r.stop, MaxToken: 1 << 20}
		if r.characters {
			r.options.Analysis.Tokens = "char"
		}
		all[name] = r
	}
	return all
}

// randomTexts returns texts of words of few letters, so that many occur again, and some long ones.
func randomTexts(seed uint64, n int) (texts []string) {
	r := rand.New(rand.NewPCG(seed, 38))
	letters := []rune("aaabbc_éé中1 ")
	for range n {
		var b strings.Builder
		for range r.IntN(12) {
			for range 1 + r.IntN(4) {
				b.WriteRune(letters[r.IntN(len(letters))])
			}
			if r.IntN(30) == 0 {
				b.WriteString(strings.Repeat("ab", r.IntN(30)) + "\x00\x00")
			}
			b.WriteString([]string{" ", "  ", ", "}[r.IntN(3)])
		}
		texts = append(texts, b.String())
	}
	return texts
}

func listOf(texts []string) (l [][]byte) {
	for _, text := range texts {
		l = append(l, []byte(text))
	}
	return l
}

// rowsOf returns the elements of rows as they are copied, in all types.
func rowsOf(t *testing.T, r *vocabulary.Rows) (rows [][]element) {
	t.Helper()
	start, columns, values := make([]int32, r.Len()+1), make([]int64, r.Stored()), make([]int64, r.Stored())
	vocabulary.CopyStart(r, start)
	vocabulary.CopyColumns(r, columns)
	vocabulary.CopyValues(r, values)
	start64, columns32, floats, bytes := make([]int64, r.Len()+1), make([]int32, r.Stored()), make([]float32, r.Stored()), make([]uint8, r.Stored())
	vocabulary.CopyStart(r, start64)
	vocabulary.CopyColumns(r, columns32)
	vocabulary.CopyValues(r, floats)
	vocabulary.CopyValues(r, bytes)
	for i := range start {
		testkit.Equal(testkit.Stop(t), int64(start[i]), start64[i], "start", i, "is", start[i])
	}
	for i := range columns {
		if columns[i] != int64(columns32[i]) || float32(values[i]) != floats[i] || uint8(values[i]) != bytes[i] {
			t.Fatalf("element %d: %d and %d, %d, %v and %d", i, columns[i], columns32[i], values[i], floats[i], bytes[i])
		}
	}
	for i := range r.Len() {
		var row []element
		for j := start[i]; j < start[i+1]; j++ {
			row = append(row, element{int(columns[j]), values[j]})
		}
		rows = append(rows, row)
	}
	return rows
}

func checkRows(t *testing.T, what string, got, want [][]element) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), len(got), len(want), what, "rows")
	for i := range got {
		testkit.EqualSlices(testkit.Stop(t), got[i], want[i], what, "row", i)
	}
}

func checkTerms(t *testing.T, what string, v *vocabulary.Vocabulary, want bag) {
	t.Helper()
	var got []vocabulary.Term
	size := int64(0)
	for term := range v.Terms {
		got = append(got, term)
		size += int64(len(term.Name))
	}
	testkit.Same(testkit.Stop(t), got, want.terms, what, "terms")
	text, offsets := make([]byte, v.Bytes()), make([]int64, v.Len()+1)
	v.CopyNames(text, offsets)
	v.CopyNames(nil, nil)
	for i, term := range want.terms {
		testkit.Equal(testkit.Stop(t), string(text[offsets[i]:offsets[i+1]]), term.Name, what, "name", i)
	}
	if v.Len() != len(want.terms) || v.Bytes() != size || v.LeftOut() != want.left {
		t.Fatalf("%s: %d terms of %d bytes, %d left out, want %d of %d, %d", what, v.Len(), v.Bytes(), v.LeftOut(), len(want.terms), size, want.left)
	}
}

// The terms, their columns and the rows are those of the rules, on any number of threads.
func TestFitIsTheReference(t *testing.T) {
	vocabulary.SmallShares(t, 1<<30)
	for name, r := range settings() {
		for seed, n := range []int{0, 1, 3, 60, 300} {
			texts := randomTexts(uint64(seed), n)
			want := r.fit(texts)
			for threads := 1; threads <= 4; threads++ {
				what := fmt.Sprintf("%s, %d texts, %d threads", name, n, threads)
				r.options.Threads = threads
				v, rows, err := vocabulary.Fit(t.Context(), listOf(texts), r.options)
				testkit.Is(testkit.Stop(t), err, nil, what)
				checkTerms(t, what, v, want)
				checkRows(t, what, rowsOf(t, rows), want.rows)
				checkTransform(t, what, r, v)
				checkKeep(t, what, r, v, rows, want)
			}
		}
	}
}

// More text than a part may have makes more parts than workers, with the same result.
func TestManyParts(t *testing.T) {
	vocabulary.SmallShares(t, 100)
	r := settings()["pairs too"]
	texts := randomTexts(9, 200)
	want := r.fit(texts)
	for r.options.Threads = range 4 {
		v, rows, err := vocabulary.Fit(t.Context(), listOf(texts), r.options)
		testkit.OK(err)
		checkTerms(t, "many parts", v, want)
		checkRows(t, "many parts", rowsOf(t, rows), want.rows)
	}
}

// checkTransform checks rows of other texts over the terms of a vocabulary, several times and at once.
func checkTransform(t *testing.T, what string, r rules, v *vocabulary.Vocabulary) {
	t.Helper()
	columns := map[string]int{}
	for term := range v.Terms {
		columns[term.Name] = term.Column
	}
	var wait sync.WaitGroup
	for seed := range uint64(3) {
		wait.Go(func() {
			texts := randomTexts(100+seed, 40)
			rows, err := v.Transform(t.Context(), listOf(texts), 1+int(seed))
			if err != nil {
				t.Error(what, err)
				return
			}
			checkRows(t, what+", transform", rowsOf(t, rows), r.transform(columns, texts))
		})
	}
	wait.Wait()
}

// checkKeep checks the vocabulary and the rows of every third term.
func checkKeep(t *testing.T, what string, r rules, v *vocabulary.Vocabulary, rows *vocabulary.Rows, want bag) {
	t.Helper()
	keep := make([]uint8, v.Len())
	names := map[int]string{} // of the columns that stay
	for i, term := range want.terms {
		if i%3 == 1 {
			keep[i] = uint8(i%255 + 1)
			names[term.Column] = term.Name
		}
	}
	order := slices.Sorted(func(yield func(int) bool) {
		for c := range names {
			if !yield(c) {
				return
			}
		}
	})
	less := bag{left: want.left + len(want.terms) - len(order)}
	for i, term := range want.terms {
		if keep[i] != 0 {
			term.Column = slices.Index(order, term.Column)
			less.terms = append(less.terms, term)
		}
	}
	for _, row := range want.rows {
		var kept []element
		for _, e := range row {
			if c := slices.Index(order, e.column); c >= 0 {
				kept = append(kept, element{c, e.value})
			}
		}
		less.rows = append(less.rows, kept)
	}
	v2, rows2, err := v.Keep(keep, rows)
	testkit.Is(testkit.Stop(t), err, nil, what)
	checkTerms(t, what+", kept", v2, less)
	checkRows(t, what+", kept", rowsOf(t, rows2), less.rows)
	checkTransform(t, what+", kept", r, v2)
}

// A vocabulary of given terms finds those that texts have, and no others.
func TestGivenTerms(t *testing.T) {
	vocabulary.SmallShares(t, 1<<30)
	for name, r := range settings() {
		terms := []string{"zz", "aa", "Upper", "two  spaces", "", "aa ab", "ab aa ab", "no term of any text", "中", "é1", "a\x00b"}
		for _, text := range randomTexts(101, 10) {
			for _, term := range r.terms(text) {
				if !slices.Contains(terms, term) {
					terms = append(terms, term)
				}
			}
		}
		rand.New(rand.NewPCG(1, 38)).Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		v, err := vocabulary.New(terms, r.options)
		testkit.Is(testkit.Stop(t), err, nil, name)
		want := bag{}
		for i, term := range terms {
			want.terms = append(want.terms, vocabulary.Term{Name: term, Column: i})
		}
		checkTerms(t, name, v, want)
		checkTransform(t, name, r, v)
	}
}

// A vocabulary whose counters are given up because of the terms of texts finds the same.
func TestCountersAreGivenUp(t *testing.T) {
	vocabulary.SmallGrowth(t)
	r := settings()["pairs too"]
	v, _, err := vocabulary.Fit(t.Context(), listOf(randomTexts(7, 20)), r.options)
	testkit.OK(err)
	checkTransform(t, "given up", r, v)
	checkTransform(t, "given up", r, v)
	testkit.Equal(t, vocabulary.CounterTerms(v), v.Len(), "terms of a counter")
}

func TestErrors(t *testing.T) {
	texts := listOf(randomTexts(1, 5))
	v, rows, err := vocabulary.Fit(t.Context(), texts, vocabulary.Options{})
	testkit.OK(err)
	given := testkit.Must(vocabulary.New([]string{"a"}, vocabulary.Options{}))
	for text, f := range map[string]func() error{
		"unknown tokens": func() error {
			_, _, err := vocabulary.Fit(t.Context(), texts, vocabulary.Options{Analysis: analysis.Options{Tokens: "x"}})
			return err
		},
		"number of features is -1": func() error {
			_, _, err := vocabulary.Fit(t.Context(), texts, vocabulary.Options{MaxFeatures: -1})
			return err
		},
		"unknown tokens \"y\"": func() error {
			_, err := vocabulary.New(nil, vocabulary.Options{Analysis: analysis.Options{Tokens: "y"}})
			return err
		},
		"terms 0 and 2": func() error { _, err := vocabulary.New([]string{"a", "b", "a"}, vocabulary.Options{}); return err },
		"choices":       func() error { _, _, err := v.Keep(make([]uint8, v.Len()+1), rows); return err },
		"were given":    func() error { _, _, err := given.Keep(make([]uint8, 1), rows); return err },
		"not those": func() error {
			other, _, err := v.Keep(slices.Repeat([]uint8{1}, v.Len()), rows)
			if err == nil {
				_, _, err = other.Keep(slices.Repeat([]uint8{1}, v.Len()), rows)
			}
			return err
		},
	} {
		testkit.Refused(t, f(), usage.ErrUsage, text)
	}
}

// Tokens of a pattern may have spaces in them. Alone they are terms as others, with the order of their bytes; with
// n-grams, whose names have spaces too, they are refused.
func TestTokensWithSpaces(t *testing.T) {
	options := func(ngrams string) vocabulary.Options {
		return vocabulary.Options{Analysis: analysis.Options{Tokens: "pattern:[a-z! ]+", NGrams: ngrams}}
	}
	texts := [][]byte{[]byte("b c,a,a b"), []byte("a!,a b,a")}
	v, _, err := vocabulary.Fit(t.Context(), texts, options("1"))
	testkit.OK(err)
	var got []string
	for term := range v.Terms {
		got = append(got, fmt.Sprint(term.Name, " ", term.Column))
	}
	testkit.EqualSlices(t, got, []string{"b c 3", "a 0", "a b 1", "a! 2"}, "terms")
	testkit.Equal(t, testkit.Must(v.Transform(t.Context(), texts[1:], 1)).Stored(), 3)
	if _, _, err := vocabulary.Fit(t.Context(), texts, options("1-2")); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "tokens may have spaces") {
		t.Error(err)
	}
}

// Small bytes in tokens come before the space between words.
func TestOrderOfSmallBytes(t *testing.T) {
	o := vocabulary.Options{Analysis: analysis.Options{Tokens: "pattern:[a-z\\x01\\t]+", NGrams: "1-2"}}
	v, _, err := vocabulary.Fit(t.Context(), [][]byte{[]byte("a b,a\x01 b,a\t")}, o)
	testkit.OK(err)
	var names []string
	for term := range v.Terms {
		names = append(names, term.Name)
	}
	for term := range v.Terms {
		testkit.Equal(t, term.Column, slices.Index(slices.Sorted(slices.Values(names)), term.Name), term.Name,
			"has column")
	}
}

// Texts whose characters are newer than those of this program are refused where the version asked for has them.
func TestNewerCharacters(t *testing.T) {
	o := vocabulary.Options{Analysis: analysis.Options{Unicode: "17.0"}}
	if _, _, err := vocabulary.Fit(t.Context(), [][]byte{[]byte("plain old text")}, o); err != nil {
		t.Fatal(err)
	}
	_, _, err := vocabulary.Fit(t.Context(), [][]byte{[]byte("plain"), []byte("new \U000323B0 text")}, o)
	testkit.Refused(t, err, usage.ErrData, "text 1 has characters that are newer")
}

// Counting ends with the context's cause.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	v, _, err := vocabulary.Fit(ctx, listOf(randomTexts(1, 5)), vocabulary.Options{})
	testkit.OK(err)
	reason := errors.New("enough")
	cancel(reason)
	texts := listOf(randomTexts(1, 50))
	for threads := 1; threads <= 2; threads++ {
		if _, _, err := vocabulary.Fit(ctx, texts, vocabulary.Options{Threads: threads}); !errors.Is(err, reason) {
			t.Error(err)
		}
		testkit.Is(t, testkit.Err(v.Transform(ctx, texts, threads)), reason)
		testkit.Is(t, testkit.Err(vocabulary.Hash(ctx, texts, vocabulary.HashOptions{Features: 10, Threads: threads})),
			reason)
	}
}

// The reference knows the hashes of METHODS: those of others' programs.
func TestReferenceHashes(t *testing.T) {
	for text, want := range map[string]uint32{"": 0, "test": 0xba6bd213, "Hello, world!": 0xc0363e43, "The quick brown fox jumps over the lazy dog": 0x2e4ff723} {
		testkit.Equal(t, uint32(naive.Hash(text)), want, text)
	}
}

// hash is what Hash must give.
func (r rules) hash(texts []string, o vocabulary.HashOptions) (rows [][]element) {
	for _, text := range texts {
		counts := map[int]int64{}
		for _, term := range r.terms(text) {
			column, add := int(naive.Column(term, int64(o.Features))), int64(1)
			if o.AlternateSign && naive.Hash(term) < 0 {
				add = -1
			}
			counts[column] += add
		}
		for c := range counts {
			if o.Binary {
				counts[c] = 1
			}
		}
		rows = append(rows, ascending(counts))
	}
	return rows
}

// Rows of hashes are those of the rules, on any number of threads, and when counters are given up.
func TestHashIsTheReference(t *testing.T) {
	vocabulary.SmallShares(t, 1<<30)
	for name, r := range settings() {
		texts := randomTexts(3, 120)
		for _, features := range []int{1, 7, 1000, 1 << 20, math.MaxInt32} {
			for _, alternate := range []bool{true, false} {
				o := vocabulary.HashOptions{Analysis: r.options.Analysis, Features: features, AlternateSign: alternate, Binary: r.options.Binary}
				want := r.hash(texts, o)
				for o.Threads = range 4 {
					rows, err := vocabulary.Hash(t.Context(), listOf(texts), o)
					testkit.Is(testkit.Stop(t), err, nil, name)
					checkRows(t, fmt.Sprint(name, o), rowsOf(t, rows), want)
				}
			}
		}
	}
	vocabulary.SmallGrowth(t)
	r := settings()["pairs too"]
	o := vocabulary.HashOptions{Analysis: r.options.Analysis, Features: 50, AlternateSign: true, Threads: 1}
	texts := randomTexts(4, 100)
	rows := testkit.Must(vocabulary.Hash(t.Context(), listOf(texts), o))
	checkRows(t, "given up", rowsOf(t, rows), r.hash(texts, o))
}

// A hash of 0, as these words have it, is not below 0: scikit-learn adds their terms.
func TestSignOfAHashOfZero(t *testing.T) {
	text := "ajrfjpbr blfewjxv blfewjxv"
	for word := range strings.FieldsSeq(text) {
		testkit.Equal(t, naive.Hash(word), 0, word)
	}
	rows := testkit.Must(vocabulary.Hash(t.Context(), listOf([]string{text}), vocabulary.HashOptions{Features: 8, AlternateSign: true}))
	checkRows(t, "signs", rowsOf(t, rows), [][]element{{{0, 3}}})
}

// Names that differ by the zeros at their ends are distinct, the shorter one first, in one part and in several.
func TestNamesThatEndWithZeros(t *testing.T) {
	texts := []string{"ab\x00\x00", "abcdefgh\x00", "ab", "abcdefgh", "ab\x00", "abcdefgh\x00\x00", "ab\x00"}
	want := []string{"ab", "ab\x00", "ab\x00\x00", "abcdefgh", "abcdefgh\x00", "abcdefgh\x00\x00"}
	for threads, most := range map[int]int64{1: 1 << 30, 3: 1, 7: 1} { // one part, and several
		vocabulary.SmallShares(t, most)
		o := vocabulary.Options{Analysis: analysis.Options{Tokens: "pattern:(?s).+"}, Threads: threads}
		v, rows, err := vocabulary.Fit(t.Context(), listOf(texts), o)
		testkit.OK(err)
		names := make([]string, v.Len())
		for term := range v.Terms {
			names[term.Column] = term.Name
		}
		testkit.EqualSlices(t, names, want, threads, "threads")
		for i, row := range rowsOf(t, rows) {
			if len(row) != 1 || want[row[0].column] != texts[i] {
				t.Errorf("%d threads: text %q has %v", threads, texts[i], row)
			}
		}
	}
}

func TestHashErrors(t *testing.T) {
	tooMany := math.MaxInt32
	tooMany++ // below 0 where an int has 32 bits
	for _, features := range []int{0, -1, tooMany} {
		testkit.Says(t, testkit.Err(vocabulary.Hash(t.Context(), [][]byte{}, vocabulary.HashOptions{Features: features})),
			"number of features", features)
	}
}

// Terms that are hashed already have no names.
func TestHashedTermsAreRefused(t *testing.T) {
	hashed := analysis.Options{HashBits: 20}
	_, asked := vocabulary.Hash(t.Context(), [][]byte{}, vocabulary.HashOptions{Analysis: hashed, Features: 8})
	_, _, fitted := vocabulary.Fit(t.Context(), [][]byte{}, vocabulary.Options{Analysis: hashed})
	for _, err := range []error{asked, fitted} {
		testkit.Says(t, err, "HashBits")
	}
}
