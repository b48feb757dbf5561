package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/reader"
)

// collections say of the files that experiments read what they are, where they are to be had, and the size and sum of
// those that the figures were measured on.
var collections = map[string][3]string{
	"20news-bydate.tar.gz": {
		"20 Newsgroups, the version bydate, from qwone.com/~jason/20Newsgroups",
		"14,387,131", "07a476fecb57f04e42a7098068ab82d0b5ee38c5519ec382d885c19df37142fb",
	},
	"fudan-corpus.tar.zst": {
		"the Fudan corpus, the folder Corpus_Fudan of github.com/smoothnlp/DomainWords",
		"54,090,187", "be7b5417abf250f413da817e3dd86c412f6e68a28a7ffce18f34b3ee2e56487d",
	},
	"iris.data": {
		"Iris, from the UCI Machine Learning Repository, archive.ics.uci.edu",
		"4,551", "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0",
	},
	"rcv1-v2-subsets.tar.gz": {
		"the five topic subsets of RCV1-v2 as svmlight, made from additional-data/rcv1sub1.rda to rcv1sub5.rda of github.com/fcharte/mldr.datasets, tag 0.3.15, with the labels that stand in shifted columns there put back",
		"13,410,484", "ab794b8ebb152124e2301e361b2e0a620dc4e096e1c378f0c15cbde21b31e0ed",
	},
	"reuters21578.tar.gz": {
		"Reuters-21578, Distribution 1.0, from daviddlewis.com/resources/testcollections/reuters21578",
		"8,092,929", "61be3432dbef9214236a74360f45503a67d5670981dfd0e44d5f611d9a67299a",
	},
}

// file returns the path of a collection. If it is not there, the error says where it is to be had.
func (m *measuring) file(name string) string {
	path := filepath.Join(m.data, name)
	_, err := os.Stat(path)
	if c, known := collections[name]; known && errors.Is(err, fs.ErrNotExist) {
		fail("%w; it is %s; the figures were measured on a file of %s bytes with SHA-256 %s", err, c[0], c[1], c[2])
	}
	testkit.OK(err)
	return path
}

// A recipe says how documents are read, analysed and divided.
type recipe struct {
	file            string
	format, charset string
	train, test     string   // splits of the collection
	singleLabel     bool     // as in reader.Options, with the next two
	labelled        bool     //
	classes         []string //
	common          bool     // the classes that both splits have
	merge           []merging
	analysis        analysis.Options
	minDF           float64 // of the training documents
	dedupe          bool
	folds           int     // instead of splits: divided at random, each part once to test on
	times           int     // instead of splits: divided at random so many times,
	share           float64 // with this share to test on
	mislabel        float64 // the share of the training documents that get another class, at random
}

// A merging is a new class of the documents with one of some labels. A document gets the first that it has a label of,
// and is left out without one.
type merging struct {
	class string
	of    []string
}

// The recipes with other choices.
func (r recipe) stop(list string) recipe     { r.analysis.Stop = list; return r }
func (r recipe) stem(name string) recipe     { r.analysis.Stem = name; return r }
func (r recipe) tokens(name string) recipe   { r.analysis.Tokens = name; return r }
func (r recipe) headers(names string) recipe { r.analysis.Headers = names; return r }

// A division is documents to train and to test on.
type division struct{ train, test *corpus.Corpus }

// measuring is an experiment while it runs.
type measuring struct {
	record
	data     string // folder of the collections
	progress io.Writer
	kept     map[string][]division
	figures  figures // of the division at hand
}

func newMeasuring(data string, progress io.Writer) *measuring {
	return &measuring{data: data, progress: progress, kept: map[string][]division{}, record: record{Figures: figures{}, Lists: map[string]string{}}}
}

// A step measures something on a division of documents. Its figures begin with its name.
type step func(ctx context.Context, m *measuring, name string, d division)

// step runs a step on every division of the documents. Figures are the means, and with several divisions "sd ..." their
// standard deviations.
func (m *measuring) step(ctx context.Context, name string, from recipe, do step) {
	fmt.Fprintf(m.progress, "replicate: %s\n", name)
	var all []figures
	for _, d := range m.divisions(ctx, from) {
		m.figures = figures{}
		m.figures.set(float64(d.train.Documents()), name, "documents train")
		m.figures.set(float64(d.train.Terms()), name, "terms train")
		m.figures.set(float64(len(d.train.Classes())), name, "classes train")
		if d.test != nil {
			m.figures.set(float64(d.test.Documents()), name, "documents test")
		}
		do(ctx, m, name, d)
		all = append(all, m.figures)
	}
	m.Figures.average(all)
}

// choiceOf begins the names of the figures with one choice changed.
const choiceOf = "sensitivity of "

// A choice changes one thing of what is measured.
type choice struct {
	what string
	from recipe
	do   step
}

// sensitivity measures a figure as it is, and with one choice changed each time.
func (m *measuring) sensitivity(ctx context.Context, figure func(f figures) float64, as choice, others ...choice) {
	for _, c := range append([]choice{as}, others...) {
		part := newMeasuring(m.data, m.progress)
		part.kept = m.kept
		part.step(ctx, "point", c.from, c.do)
		name := choiceOf + c.what
		if c.what == "" {
			name = "sensitivity base"
		}
		m.Figures[name] = figure(part.Figures)
	}
}

// mostKept bounds how many recipes' documents are in memory: steps go back and forth between two.
const mostKept = 3

// divisions reads the documents of a recipe; the last ones are kept.
func (m *measuring) divisions(ctx context.Context, r recipe) []division {
	key := fmt.Sprintf("%+v", r)
	d, ok := m.kept[key]
	if !ok {
		if d = m.divide(ctx, r); len(m.kept) >= mostKept {
			clear(m.kept)
		}
		m.kept[key] = d
	}
	return d
}

func (m *measuring) divide(ctx context.Context, r recipe) (out []division) {
	if r.folds == 0 && r.times == 0 {
		d := division{train: m.corpus(ctx, r, r.train, r.minDF, r.mislabel)}
		if r.test != "" {
			d.test = m.corpus(ctx, r, r.test, 0, 0)
		}
		return []division{d}
	}
	all := m.corpus(ctx, r, "", 0, 0)
	var splits []learn.Split
	if r.folds > 0 {
		splits = testkit.Must(learn.Folds(all.Documents(), r.folds, learn.Dividing{Seed: 1}))
	} else {
		splits = testkit.Must(learn.Repeated(all.Documents(), r.times, r.share, learn.Dividing{Seed: 1}))
	}
	part := func(list []int) *corpus.Corpus {
		docs := roaring.New()
		for _, d := range list {
			docs.AddInt(d)
		}
		return testkit.Must(all.Subset(ctx, docs, corpus.SubsetOptions{KeepClasses: true, Docs: "divided at random"}))
	}
	for _, s := range splits {
		out = append(out, division{part(s.Train), part(s.Test)})
	}
	return out
}

// corpus reads and counts one split.
func (m *measuring) corpus(ctx context.Context, r recipe, split string, minDF, mislabel float64) *corpus.Corpus {
	o := reader.Options{
		Format: r.format, Charset: r.charset, Split: split,
		SingleLabel: r.singleLabel, Labelled: r.labelled, Classes: r.classes,
	}
	inputs := []string{m.file(r.file)}
	if r.common {
		o.Classes = testkit.Must(reader.CommonClasses(ctx, inputs, o))
	}
	source := testkit.Must(reader.Read(ctx, inputs, o))
	e := corpus.Options{Analysis: r.analysis, MinDF: minDF, Dedupe: r.dedupe, Charset: r.charset}
	switch {
	case mislabel > 0:
		return testkit.Must(corpus.Build(ctx, mislabelled(source.Documents(), r.classes, mislabel), e))
	case len(r.merge) > 0:
		return testkit.Must(corpus.Build(ctx, merged(source.Documents(), r.merge), e))
	}
	return testkit.Must(corpus.BuildBatches(ctx, source.Batches(), e))
}

// merged gives documents their new classes.
func merged(docs document.Stream, classes []merging) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				i := slices.IndexFunc(classes, func(c merging) bool {
					return slices.ContainsFunc(c.of, func(label string) bool { return slices.Contains(d.Labels, label) })
				})
				if i < 0 {
					continue
				}
				d.Labels = []string{classes[i].class}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// mislabelled gives a share of the documents another of the classes instead of their own, each document on its own, the
// same ones in every run.
func mislabelled(docs document.Stream, classes []string, share float64) document.Stream {
	return func(yield func(document.Document, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for d, err := range docs {
			if err == nil && random.Float64() < share {
				others := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return slices.Contains(d.Labels, c) })
				d.Labels = []string{others[random.IntN(len(others))]}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
