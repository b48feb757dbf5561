package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/words"
)

// editedDocuments are documents of a few classes with names, counts and values of all kinds.
func editedDocuments(seed uint64, real, several bool) []document.Document {
	r := rand.New(rand.NewPCG(seed, 36))
	var docs []document.Document
	for d := range 90 {
		doc := document.Document{ID: fmt.Sprint(seed, " ", d)}
		for c, name := range []string{"a", "bb", "ca", "cb"} {
			if r.IntN(4) == 0 && (several || len(doc.Labels) == 0) || c == d%9 && len(doc.Labels) == 0 {
				doc.Labels = append(doc.Labels, name)
			}
		}
		for t := range 30 {
			if r.IntN(t+2) > 2 {
				continue
			}
			v := float64(1 + r.IntN(3))
			if r.IntN(40) == 0 {
				v = float64(200 + r.IntN(200))
			}
			if real {
				v += float64(r.IntN(4)) / 3
			}
			doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprintf("%c%d", 'a'+t%7, t), Value: v})
		}
		docs = append(docs, doc)
	}
	return docs
}

func editedCorpus(t *testing.T, seed uint64, real, several bool) *corpus.Corpus {
	return testkit.Must(corpus.Build(t.Context(), document.Of(editedDocuments(seed, real, several)...), corpus.Options{}))
}

// A user does with a corpus or with statistics what programs do with them. Errors are fine, panics
// and files that do not open are not.
type user struct {
	ctx   context.Context
	other *corpus.Corpus
	with  *table.Table
	rand  *rand.Rand
	path  string // of files to be opened
	sound bool   // the corpus passed verify
}

// fine returns an error for one that tells of a panic.
func fine(err error) error {
	if err != nil && strings.Contains(err.Error(), "panicked") {
		return err
	}
	return nil
}

// opens writes something and returns an error if it is written and does not open.
func opens(what string, write func(w *bytes.Buffer) error, open func(data []byte) error) error {
	var file bytes.Buffer
	if err := write(&file); err != nil {
		return fine(err)
	}
	if err := open(file.Bytes()); err != nil {
		return fmt.Errorf("%s were written and do not open: %w", what, err)
	}
	return nil
}

// opensCorpus opens an index, and verifies it if it was made of one that is sound.
func (u *user) opensCorpus(data []byte) error {
	if err := os.WriteFile(u.path, data, 0o600); err != nil {
		return err
	}
	c, err := corpus.Open(u.path, corpus.OpenOptions{Read: true, Verify: u.sound})
	if err != nil {
		return err
	}
	return c.Close()
}

func opensStatistics(data []byte) error { _, err := corpus.DecodeStatistics(data); return err }

// ranks scores and selects by all measures, or by some.
func (u *user) ranks(c rank.Counted) error {
	scorings := enginetest.EveryScoring(1)
	for range 6 {
		o := scorings[u.rand.IntN(len(scorings))]
		if _, err := rank.Terms(u.ctx, c, o); fine(err) != nil {
			return err
		}
		if u.rand.IntN(3) > 0 {
			continue
		}
		s, err := selection.Select(u.ctx, c, selection.Options{By: o, Keep: selection.Best(1 + u.rand.IntN(40)), PerClass: u.rand.IntN(3) == 0})
		if err != nil {
			if fine(err) != nil {
				return err
			}
			continue
		}
		err = opens("features", func(w *bytes.Buffer) error { return s.WriteTSV(w) }, func(data []byte) error {
			_, err := selection.Read(bytes.NewReader(data), "features")
			return err
		})
		if err != nil {
			return err
		}
	}
	plain := slices.DeleteFunc(scorings, func(o rank.Options) bool { return o.PValues || o.Weight != "" })
	_, err := rank.Several(u.ctx, c, plain...)
	if fine(err) != nil {
		return err
	}
	for _, o := range scorings {
		if o.Combine == "" || o.Weight != "" {
			continue
		}
		o.Combine = "class"
		if _, err := rank.Class(u.ctx, c, "a", o); fine(err) != nil {
			return err
		}
	}
	return nil
}

// statistics adds, subtracts, compares and saves statistics.
func (u *user) statistics(s *table.Table) error {
	results := []*table.Table{s}
	for _, f := range []func(*table.Table) (*table.Table, error){s.Add, s.Sub, u.with.Sub} {
		for _, o := range []*table.Table{s, u.with} {
			got, err := f(o)
			if fine(err) != nil {
				return err
			}
			if err == nil {
				results = append(results, got)
			}
		}
	}
	for _, r := range results {
		if err := opens("statistics", func(w *bytes.Buffer) error { _, err := corpus.WriteStatistics(w, r); return err }, opensStatistics); err != nil {
			return err
		}
	}
	if err := u.ranks(results[u.rand.IntN(len(results))]); err != nil {
		return err
	}
	for _, o := range []words.KeynessOptions{{Top: 5, Threads: 1}, {Top: 5, Threads: 1, Measure: "chi", Exact: true}} {
		if _, err := words.Keyness(u.ctx, s, u.with, o); fine(err) != nil {
			return err
		}
	}
	return nil
}

// corpus does everything with a corpus.
func (u *user) corpus(c *corpus.Corpus) error {
	s, err := c.Statistics(u.ctx, corpus.CountOptions{Threads: 1})
	if err == nil {
		err = u.statistics(s)
	}
	if fine(err) != nil || err != nil && s != nil {
		return err
	}
	half := roaring.New()
	half.AddRange(0, uint64(c.Documents()+1)/2)
	sub, err := c.Subset(u.ctx, half, corpus.SubsetOptions{Threads: 1})
	if fine(err) != nil {
		return err
	}
	against, err := corpus.Contrast(u.ctx, c, u.other, corpus.ContrastOptions{Threads: 1})
	if fine(err) != nil {
		return err
	}
	for _, made := range []*corpus.Corpus{c, sub, against} {
		if made == nil {
			continue
		}
		o := corpus.SaveOptions{NoCells: u.rand.IntN(3) == 0, Threads: 1}
		if err := opens("an index", func(w *bytes.Buffer) error { _, err := made.Write(u.ctx, w, o); return err }, u.opensCorpus); err != nil {
			return err
		}
	}
	for _, shards := range [][]*corpus.Corpus{{c, u.other}, {u.other, c}, {c, c}, {c}} {
		o := corpus.MergeOptions{AllowRepeats: true, Threads: 1, NoCells: u.rand.IntN(3) == 0}
		if err := opens("a merged index", func(w *bytes.Buffer) error { return corpus.Merge(u.ctx, w, o, shards...) }, u.opensCorpus); err != nil {
			return err
		}
	}
	if err := u.ranks(c); err != nil {
		return err
	}
	return errors.Join(u.trains(c), u.chooses(c))
}

// trains saves models of all kinds.
func (u *user) trains(c *corpus.Corpus) error {
	s, err := selection.Select(u.ctx, c, selection.Options{Keep: selection.Best(10)})
	if err != nil {
		return fine(err)
	}
	kinds := []string{"nb", "centroid", "bernoulli", "knn"}
	l, weight := testkit.Must(learn.ParseLearner(kinds[u.rand.IntN(len(kinds))])), []string{"tf", "tfidf", "ltc"}[u.rand.IntN(3)]
	tr, err := vectors.New(s, table.Weighting(weight))
	if err != nil {
		return fine(err)
	}
	p, err := learn.TrainPipeline(u.ctx, s, weight, tr.Corpus(u.ctx, c), l, learn.TrainOptions{Threads: 1})
	if err != nil {
		return fine(err)
	}
	return opens("a model", func(w *bytes.Buffer) error { return p.Save(w) }, func(data []byte) error {
		_, err := learn.LoadPipeline(bytes.NewReader(data), "model")
		return err
	})
}

// chooses runs the methods of selection that read lists.
func (u *user) chooses(c *corpus.Corpus) error {
	_, err := bestterms.Choose(u.ctx, c, bestterms.Options{Threads: 1})
	if fine(err) != nil {
		return err
	}
	if _, err := projection.Project(u.ctx, c, projection.Options{K: 10, Threads: 1}); fine(err) != nil {
		return err
	}
	_, err = methods.Redundancy{Threads: 1}.Select(u.ctx, c, 3)
	return fine(err)
}

// guarded turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v", r)
		}
	}()
	return f()
}

// fileError reports whether an error says what is wrong with a file.
func fileError(err error) bool {
	return errors.Is(err, usage.ErrCorrupt) || errors.Is(err, usage.ErrData)
}

// What verify passes is scored, selected, merged, appended to, divided, trained from and saved without
// a panic, and what is saved of it opens. What it does not pass does the same as far as it opens.
func TestEditsOfIndexesThatAreUsed(t *testing.T) {
	type kind struct {
		data []byte
		user user
	}
	var kinds []kind
	dir := t.TempDir()
	for i := range 4 {
		real, several := i%2 == 1, i >= 2
		c, other := editedCorpus(t, 1, real, several), editedCorpus(t, 2, real, several)
		var file bytes.Buffer
		testkit.Must(c.Write(t.Context(), &file, corpus.SaveOptions{}))
		kinds = append(kinds, kind{file.Bytes(), user{ctx: t.Context(), other: other, with: enginetest.StatisticsOf(t, other, ""), path: filepath.Join(dir, "made")}})
	}
	passed, opened := 0, 0
	for i, r := range testkit.Cases(t, 6_000) {
		k := &kinds[i%len(kinds)]
		data := slices.Clone(k.data)
		k.user.rand = r
		for range 1 + r.IntN(2) {
			faults.Edit(r, data)
		}
		faults.Seal(data)
		err := guarded(func() error {
			_, err := corpus.Decode(data)
			if k.user.sound = err == nil; err == nil {
				passed++
			} else if !fileError(err) {
				return err
			} else if i/4%4 > 0 {
				return nil // some are opened without
			}
			path := filepath.Join(dir, "edited.idx")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				return err
			}
			c, err := corpus.Open(path, corpus.OpenOptions{Read: true})
			if err != nil {
				return nil
			}
			opened++
			return errors.Join(k.user.corpus(c), c.Close())
		})
		testkit.Is(testkit.Stop(t), err, nil, "edit", i)
	}
	t.Logf("%d indexes passed, %d opened", passed, opened)
	if passed == 0 || opened == passed {
		t.Errorf("%d indexes passed, %d opened", passed, opened)
	}
}

// The same of files of statistics.
func TestEditsOfStatisticsThatAreUsed(t *testing.T) {
	type kind struct {
		data []byte
		user user
	}
	var kinds []kind
	dir := t.TempDir()
	for i := range 4 {
		real, several := i%2 == 1, i >= 2
		s, other := enginetest.StatisticsOf(t, editedCorpus(t, 1, real, several), ""), editedCorpus(t, 2, real, several)
		var file bytes.Buffer
		testkit.Must(corpus.WriteStatistics(&file, s))
		kinds = append(kinds, kind{file.Bytes(), user{ctx: t.Context(), other: other, with: enginetest.StatisticsOf(t, other, ""), path: filepath.Join(dir, "made")}})
	}
	passed := 0
	paths := []string{filepath.Join(dir, "edited.stats"), filepath.Join(dir, "other.stats")}
	numbers := testkit.CaseNumbers(t, 12_000)
	for i, r := range testkit.Cases(t, 12_000) {
		k := &kinds[i%len(kinds)]
		data := slices.Clone(k.data)
		k.user.rand = r
		for range 1 + r.IntN(2) {
			faults.Edit(r, data)
		}
		faults.Seal(data)
		err := guarded(func() error {
			s, err := corpus.DecodeStatistics(data)
			if err != nil {
				if !fileError(err) {
					return err
				}
				return nil
			}
			passed++
			if err := k.user.statistics(s); err != nil {
				return err
			}
			if err := os.WriteFile(paths[0], data, 0o600); err != nil {
				return err
			}
			var with bytes.Buffer
			testkit.Must(corpus.WriteStatistics(&with, k.user.with))
			testkit.Write(paths[1], with.Bytes())
			return opens("merged statistics", func(w *bytes.Buffer) error {
				_, err := corpus.MergeStatistics(t.Context(), w, paths, corpus.StatisticsMergeOptions{AllowRepeats: true})
				if err != nil && !fileError(err) && !errors.Is(err, usage.ErrUsage) {
					return fmt.Errorf("it panicked, or it is no error of data: %w", err)
				}
				return err
			}, opensStatistics)
		})
		testkit.Is(testkit.Stop(t), err, nil, "edit", i)
	}
	t.Logf("%d of %d files of statistics passed", passed, len(numbers))
	if passed == 0 || passed == len(numbers) {
		t.Errorf("%d of %d files of statistics passed", passed, len(numbers))
	}
}
