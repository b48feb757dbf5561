package ingest_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// randomTexts returns texts of several words, classes and none, and a few documents that came as features.
func randomTexts(seed uint64, n int) (docs []document.Document) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		var d document.Document
		for class := range r.IntN(3) {
			d.Labels = append(d.Labels, fmt.Sprint("class", r.IntN(9)+class))
		}
		if r.IntN(10) == 0 {
			d.Features = []document.Feature{{Term: "word1 word2", Value: 2}, {Term: "word1", Value: 1}}
		}
		for range r.IntN(60) * min(1, 1-len(d.Features)/2) {
			d.Text = fmt.Appendf(d.Text, "word%d ", int(r.ExpFloat64()*40))
		}
		docs = append(docs, d)
	}
	return docs
}

// textOf describes the terms of a file of statistics.
func textOf(t *testing.T, f *store.TableFile) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, f.Classes, f.Margins, f.Terms)
	testkit.OK(f.Each(t.Context(), func(t *store.Term) error {
		_, err := fmt.Fprintf(&b, "%s %v %v %v %v %v\n", t.Name, t.DF, t.CF, t.Class, t.A, t.S)
		return err
	}))
	return b.String()
}

// A count within a bound has the terms of one in memory, in however many parts and on however many
// threads, and its record.
func TestCountInPartsIsOneCount(t *testing.T) {
	docs := randomTexts(3, 400)
	opt := ingest.Options{Analysis: analysis.Options{NGrams: "1-2"}}
	want := testkit.Must(ingest.Count(t.Context(), enginetest.InBatches(docs, 7), opt))
	for _, way := range []struct {
		threads   int
		footprint int64
		parts     int // at least
	}{{1, 0, 1}, {1, 1 << 20, 2}, {3, 1 << 20, 2}, {2, 1 << 40, 1}} {
		opt.Threads = way.threads
		f, parts, err := ingest.CountToFileWithin(t.Context(), nil, enginetest.InBatches(docs, 20), opt, way.footprint)
		if err != nil || parts < way.parts {
			t.Fatalf("%+v: %d parts, %v", way, parts, err)
		}
		whole := testkit.Must(store.TemporaryTable(nil, t.TempDir(), func(w io.Writer) error {
			_, err := store.WriteTable(w, want.Table, nil)
			return err
		}))
		testkit.Equal(t, textOf(t, f.TableFile), textOf(t, whole), way)
		if f.Provenance.InputHash != want.Provenance().InputHash || f.EmptyDocuments != want.EmptyDocuments || int(f.Documents) != len(docs) {
			t.Errorf("%+v: %+v, want %+v", way, f.Provenance, want.Provenance())
		}
		testkit.OK(errors.Join(f.Close(), whole.Close()))
	}
}

// Every failure of a temporary file is told, and leaves nothing.
func TestFaultsOfCountsInParts(t *testing.T) {
	docs, opt := randomTexts(4, 60), ingest.Options{Threads: 1, Analysis: analysis.Options{NGrams: "1-2"}}
	text := func(sys *faults.Temporary, dir string, w io.Writer) error {
		o := opt
		o.TempDir = dir
		f, _, err := ingest.CountToFileWithin(t.Context(), sys, enginetest.InBatches(docs, 20), o, 1<<20)
		if err != nil {
			return err
		}
		err = f.Each(t.Context(), func(t *store.Term) error {
			_, err := fmt.Fprintf(w, "%s %v\n", t.Name, t.CF)
			return err
		})
		return errors.Join(err, f.Close())
	}
	var want strings.Builder
	if err := text(&faults.Temporary{At: 1 << 40}, t.TempDir(), &want); err != nil || want.Len() == 0 {
		t.Fatal(err)
	}
	first, step := testkit.CaseSteps(t, 7)
	faults.EachTemporaryFault(t, first, step, []byte(want.String()), text)
}

// What a count does not do, in memory or within a bound, is an error that names the option, and what is wrong with the
// documents is the error of a count in memory.
func TestErrorsOfCountsInParts(t *testing.T) {
	one := []document.Document{{Text: []byte("a word"), Labels: []string{"x"}}}
	for name, opt := range map[string]ingest.Options{
		"Dedupe": {Dedupe: true}, "MinDF": {MinDF: 2}, "MaxDF": {MaxDF: .5}, "Segment": {Segment: 3}, "MaxMemory": {MaxMemory: 1},
	} {
		testkit.Refused(t, testkit.Err(ingest.CountToFile(t.Context(), enginetest.InBatches(one, 1), opt)), usage.ErrUsage, name)
		testkit.Refused(t, testkit.Err(ingest.Count(t.Context(), enginetest.InBatches(one, 1), opt)), usage.ErrUsage, name)
		testkit.Equal(t, opt.Tallies(), false, name)
	}
	testkit.Is(t, testkit.Err(ingest.CountToFile(t.Context(), nil, ingest.Options{})), usage.ErrUsage)
	testkit.Refused(t, testkit.Err(ingest.Count(t.Context(), nil, ingest.Options{})), usage.ErrUsage, "batches")
	for name, docs := range map[string][]document.Document{
		"no documents": nil, "no labels": {{Text: []byte("a text")}}, "no terms": {{Text: []byte("- -"), Labels: []string{"a"}}},
		"a wrong label": slices.Concat(one, []document.Document{{Labels: []string{"\xff"}}}),
	} {
		_, want := ingest.Count(t.Context(), enginetest.InBatches(docs, 1), ingest.Options{})
		_, err := ingest.CountToFile(t.Context(), enginetest.InBatches(docs, 1), ingest.Options{MaxMemory: ingest.MinMemory})
		if want == nil || err == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// A build that spills, to a file or to an index, survives the fault of any call of its
// temporary files: it returns the error or gives the right bytes.
func TestFaultsWhileSpilling(t *testing.T) {
	docs := enginetest.ManyTexts(40)
	built := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), ingest.Options{}))
	for _, inMemory := range []bool{false, true} {
		first, step := testkit.CaseSteps(t, 7)
		faults.EachTemporaryFault(t, first, step, enginetest.BytesOf(t, built), func(sys *faults.Temporary, dir string, w io.Writer) error {
			opt := ingest.Options{Threads: 1, TempDir: dir}
			return ingest.BuildFailing(t.Context(), w, sys, enginetest.InBatches(docs, 20), opt, 130<<10, inMemory)
		})
	}
}
