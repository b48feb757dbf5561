package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// namedDocuments are documents of terms in one to three of them, with names of all lengths.
func namedDocuments(id string) []document.Document {
	terms := [][]string{{"", "a", "bc", "dd", "ee", "xyz"}, {"a", "dd", "zzz", "yy"}, {"a", "bc", "zzz", "qq"}, {"ee", "", "m"}}
	var docs []document.Document
	for i, words := range terms {
		d := document.Document{ID: fmt.Sprint(id, i), Labels: []string{"xy"[i%2 : i%2+1]}}
		for _, w := range words {
			d.Features = append(d.Features, document.Feature{Term: w, Value: float64(1 + i)})
		}
		docs = append(docs, d)
	}
	return docs
}

// renamed are index files of namedDocuments with a term twice, in any two places, or out of order.
func renamed(t *testing.T, c *corpus.Corpus) map[string][]byte {
	t.Helper()
	var file bytes.Buffer
	testkit.Must(c.Write(t.Context(), &file, corpus.SaveOptions{}))
	text, lengths, all, names := "", []byte{}, map[string][]byte{}, []string{}
	for i := range c.Terms() {
		text, lengths, names = text+c.Term(i), append(lengths, byte(len(c.Term(i)))), append(names, c.Term(i))
	}
	edit := func(what string, old, changed []byte) {
		testkit.Equal(testkit.Stop(t), bytes.Count(file.Bytes(), old), 1, old, "is not in the file once")
		data := bytes.Replace(file.Bytes(), old, changed, 1)
		faults.Seal(data)
		all[what] = data
	}
	rename := func(what string, changes func(names []string)) {
		other := slices.Clone(names)
		changes(other)
		edit(what, []byte(text), []byte(strings.Join(other, "")))
	}
	for i, x := range names {
		for j, y := range names {
			if i != j && len(x) == len(y) {
				rename(fmt.Sprintf("%q as %q", x, y), func(names []string) { names[i] = y })
			}
			if i < j && len(x) == len(y) && c.DF(i) == c.DF(j) {
				rename(fmt.Sprintf("%q and %q", x, y), func(names []string) { names[i], names[j] = y, x })
			}
		}
	}
	empty, one := slices.Index(lengths, 0), slices.Index(lengths, 1)
	two := one + 1 + slices.IndexFunc(lengths[one+1:], func(n byte) bool { return n > 0 })
	changed := slices.Clone(lengths)
	changed[one], changed[two], changed[empty] = 0, lengths[one]+lengths[two], 0
	edit("two of no bytes", append(lengths, 0), append(changed, 0))
	return all
}

// An index that has a term twice, or terms out of order, is not sound, whatever their frequencies, and
// nothing is made of it that does not open.
func TestEqualTermsAreRefused(t *testing.T) {
	ctx := t.Context()
	c, other := build(t, namedDocuments("c")), build(t, namedDocuments("o"))
	half := roaring.BitmapOf(0, 1, 2)
	edited := renamed(t, c)
	if len(edited) < 20 {
		t.Fatalf("%d files", len(edited))
	}
	for what, data := range edited {
		testkit.Is(t, testkit.Err(corpus.Decode(data)), files.ErrFormat, what)
		path := testkit.Write(filepath.Join(t.TempDir(), "renamed.idx"), data)
		bad := testkit.Must(corpus.Open(path, corpus.OpenOptions{}))
		testkit.Is(t, testkit.Err(bad.Subset(ctx, half, corpus.SubsetOptions{})), files.ErrFormat, what, "a subset")
		testkit.Is(t, testkit.Err(corpus.Contrast(ctx, other, bad, corpus.ContrastOptions{})), files.ErrFormat, what,
			"a contrast")
		if strings.Contains(what, " and ") {
			continue // all else puts terms in order
		}
		for _, shards := range [][]*corpus.Corpus{{bad, other}, {other, bad}, {bad}} {
			testkit.Is(t, corpus.Merge(ctx, &bytes.Buffer{}, corpus.MergeOptions{AllowRepeats: true}, shards...),
				files.ErrFormat, what, "merging")
		}
		s := testkit.Must(bad.Statistics(ctx, corpus.CountOptions{}))
		testkit.Is(t, testkit.Err(corpus.WriteStatistics(&bytes.Buffer{}, s)), store.ErrUnwritable, what,
			"statistics")
		chosen := testkit.Must(selection.Select(ctx, bad, selection.Options{Keep: selection.Best(c.Terms())}))
		testkit.Is(t, chosen.WriteTSV(&bytes.Buffer{}), selection.ErrUnwritable, what, "features")
		model, err := learn.TrainPipeline(ctx, chosen, "tf", testkit.Must(vectors.New(chosen, "tf")).Corpus(ctx, other), testkit.Must(learn.ParseLearner("nb")), learn.TrainOptions{})
		if err == nil {
			err = model.Save(&bytes.Buffer{})
		}
		testkit.Equal(t, usage.KindOf(err), usage.ErrData, what, "a model", err)
		testkit.OK(bad.Close())
	}
}

func build(t *testing.T, docs []document.Document) *corpus.Corpus {
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}

// A term that is in more documents than one outside a class has room for is refused with the file, and
// so is any other count that is possible in its cell alone.
func TestImpossibleStatisticsAreRefused(t *testing.T) {
	doc := func(id, word, label string) document.Document {
		return document.Document{ID: id, Labels: []string{label}, Features: []document.Feature{{Term: word, Value: 1}}}
	}
	s := enginetest.StatisticsOf(t, build(t, []document.Document{doc("1", "orbit", "a"), doc("2", "orbit", "a"), doc("3", "moon", "b")}), "")
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, s))
	names := bytes.Index(file.Bytes(), []byte("moonorbit"))
	columns := names + len("moonorbit") + 2 // behind the classes of both cells: lengths of the names, documents, ...
	for at, what := range []string{"", "", "documents of moon", "documents of orbit", "", "", "times of moon", "times of orbit", "documents of moon in b", "documents of orbit in a", "times of moon in b", "times of orbit in a", "squares of moon", "squares of orbit"} {
		for _, by := range []byte{1, 255} {
			data := bytes.Clone(file.Bytes())
			data[columns+at] += by
			faults.Seal(data)
			testkit.Is(t, testkit.Err(corpus.DecodeStatistics(data)), files.ErrFormat, "column", at, what, int8(by))
		}
	}
}

// Statistics whose input hash is none are bad data: nothing is wrong with the system.
func TestInputHashesOfOtherVersions(t *testing.T) {
	s := enginetest.StatisticsOf(t, build(t, namedDocuments("c")), "")
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, s))
	hash := s.Provenance().InputHash
	data := bytes.Replace(file.Bytes(), []byte(hash), []byte("z"+hash[1:]), 1)
	faults.Seal(data)
	other := testkit.Must(corpus.DecodeStatistics(data))
	if _, err := s.Add(other); usage.KindOf(err) != usage.ErrData {
		t.Error(err)
	}
}

// What is no part leaves counts that no documents have, even where none of them is negative.
func TestDifferencesOfNoPart(t *testing.T) {
	of := func(docs ...string) *table.Table {
		var all []document.Document
		for i, d := range docs {
			all = append(all, document.Document{ID: fmt.Sprint(i), Labels: []string{d[:1]}, Features: []document.Feature{{Term: d[1:], Value: 1}}})
		}
		return enginetest.StatisticsOf(t, build(t, all), "")
	}
	if rest, err := of("ax", "ax", "by", "bz").Sub(of("bw", "bz")); err == nil {
		testkit.Must(rank.Terms(t.Context(), rest, rank.Options{Measure: "g2"}))
		t.Error("documents with other terms are a part")
	}
	testkit.Fails(t, testkit.Err(of("ax", "ax", "by", "bx").Sub(of("by", "ay"))),
		"documents of another class are a part")
}

// What a features file cannot hold is not written.
func TestUnwritableSelections(t *testing.T) {
	good := func() *selection.Selection {
		return testkit.Must(selection.Select(t.Context(), build(t, namedDocuments("c")), selection.Options{Keep: selection.Best(3)}))
	}
	for what, change := range map[string]func(s *selection.Selection){
		"nothing":     func(*selection.Selection) {},
		"twice":       func(s *selection.Selection) { s.Features[2].Term = s.Features[0].Term },
		"no UTF-8":    func(s *selection.Selection) { s.Classes[0] = "\xff" },
		"class twice": func(s *selection.Selection) { s.Classes[1] = s.Classes[0] },
		"documents":   func(s *selection.Selection) { s.Features[0].DF = s.Documents + 1 },
		"p-value":     func(s *selection.Selection) { s.PValues, s.Features[0].Log10P = true, math.NaN() },
		"factor":      func(s *selection.Selection) { s.Factors = map[string][]float64{"tf-chi": {1, math.Inf(1), 1}} },
		"long":        func(s *selection.Selection) { s.Features[0].Term = strings.Repeat("\n", 33<<20) },
	} {
		s := good()
		change(s)
		var file bytes.Buffer
		err := s.WriteTSV(&file)
		if what == "nothing" {
			_, err = selection.Read(&file, what)
		} else if errors.Is(err, selection.ErrUnwritable) {
			err = nil
		} else {
			err = fmt.Errorf("it is written: %w", err)
		}
		testkit.Is(t, err, nil, what)
	}
}
