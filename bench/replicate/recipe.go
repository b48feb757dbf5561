package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/reader"
)

// A Recipe says how documents are read, analysed and divided.
type Recipe struct {
	File    string `json:"file"` // in the folder of the collections
	Format  string `json:"format,omitempty"`
	Charset string `json:"charset,omitempty"`
	// Train and Test are splits of the collection. With Divide there are none.
	Train string `json:"train,omitempty"`
	Test  string `json:"test,omitempty"`
	// SingleLabel, Labelled and Classes are those of [reader.Options]; Common
	// keeps the classes that both splits have.
	SingleLabel bool     `json:"single_label,omitempty"`
	Labelled    bool     `json:"labelled,omitempty"`
	Classes     []string `json:"classes,omitempty"`
	Common      bool     `json:"common,omitempty"`
	// Merge gives new classes, each of the labels that become it: a document gets the
	// first that it has a label of, and is left out without one.
	Merge    []Merged         `json:"merge,omitempty"`
	Analysis analysis.Options `json:"analysis"`
	MinDF    float64          `json:"min_df,omitempty"` // of the training documents
	Dedupe   bool             `json:"dedupe,omitempty"`
	// Divide divides all documents at random.
	Divide *Divide `json:"divide,omitempty"`
	// Mislabel gives this share of the training documents another class, at random.
	Mislabel float64 `json:"mislabel,omitempty"`
}

// Merged is a class made of others.
type Merged struct {
	Class string   `json:"class"`
	Of    []string `json:"of"`
}

// Divide says how documents are divided at random: a share of them to test on, so many
// times; or into folds, each of them once to test on.
type Divide struct {
	Test  float64 `json:"test,omitempty"`
	Times int     `json:"times,omitempty"`
	Folds int     `json:"folds,omitempty"`
}

func (d *Divide) splits(n int) []evaluate.Split {
	if d.Folds > 0 {
		return lab.Need(evaluate.Folds(n, d.Folds, evaluate.Dividing{Seed: 1}))
	}
	return lab.Need(evaluate.Repeated(n, d.Times, d.Test, evaluate.Dividing{Seed: 1}))
}

// A division is documents to train and to test on.
type division struct{ train, test *corpus.Corpus }

// with is the recipe with changes: JSON that has some of its keys.
func (r Recipe) with(changes json.RawMessage) Recipe {
	return changed(r, changes)
}

// divisions reads the documents of a recipe; the last ones are kept.
func (r *runner) divisions(ctx context.Context, recipe Recipe) []division {
	key := lab.Need(json.Marshal(recipe))
	if d, ok := r.cached[string(key)]; ok {
		return d
	}
	var d []division
	lab.In(recipe.File, func() { d = r.divide(ctx, recipe) })
	if len(r.cached) >= mostCached {
		clear(r.cached)
	}
	r.cached[string(key)] = d
	return d
}

// mostCached bounds how many recipes' documents are in memory: a step and its
// sensitivity go back and forth between two.
const mostCached = 3

func (r *runner) divide(ctx context.Context, recipe Recipe) []division {
	if recipe.Divide == nil {
		d := division{train: r.corpus(ctx, recipe, recipe.Train, recipe.MinDF, recipe.Mislabel)}
		if recipe.Test != "" {
			d.test = r.corpus(ctx, recipe, recipe.Test, 0, 0)
		}
		return []division{d}
	}
	all := r.corpus(ctx, recipe, "", 0, 0)
	splits := recipe.Divide.splits(all.Documents())
	out := make([]division, len(splits))
	for i, s := range splits {
		for _, part := range []struct {
			docs []int
			to   **corpus.Corpus
		}{{s.Train, &out[i].train}, {s.Test, &out[i].test}} {
			docs := roaring.New()
			for _, d := range part.docs {
				docs.AddInt(d)
			}
			o := corpus.SubsetOptions{KeepClasses: true, Docs: "divided at random"}
			*part.to = lab.Need(all.Subset(ctx, docs, o))
		}
	}
	return out
}

// corpus reads and counts one split.
func (r *runner) corpus(ctx context.Context, recipe Recipe, split string, minDF, mislabel float64) *corpus.Corpus {
	o := reader.Options{
		Format: reader.Format(recipe.Format), Charset: recipe.Charset, Split: split,
		SingleLabel: recipe.SingleLabel, Labelled: recipe.Labelled, Classes: recipe.Classes,
	}
	inputs := []string{r.file(recipe.File)}
	if recipe.Common {
		o.Classes = lab.Need(reader.CommonClasses(ctx, inputs, o))
	}
	source := lab.Need(reader.Read(ctx, inputs, o))
	e := corpus.Options{Analysis: recipe.Analysis, MinDF: minDF, Dedupe: recipe.Dedupe, Charset: recipe.Charset}
	switch {
	case mislabel > 0:
		return lab.Need(corpus.Build(ctx, mislabelled(source.Documents(), recipe.Classes, mislabel), e))
	case len(recipe.Merge) > 0:
		return lab.Need(corpus.Build(ctx, merged(source.Documents(), recipe.Merge), e))
	}
	return lab.Need(corpus.BuildBatches(ctx, source.Batches(), e))
}

// merged gives documents their new classes.
func merged(docs document.Stream, classes []Merged) document.Stream {
	of := map[string]int{}
	for i, m := range classes {
		for _, label := range m.Of {
			of[label] = i
		}
	}
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			class := len(classes)
			for _, label := range d.Labels {
				if i, ok := of[label]; ok {
					class = min(class, i)
				}
			}
			if err == nil && class == len(classes) {
				continue
			}
			if err == nil {
				d.Labels = []string{classes[class].Class}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// mislabelled gives a share of the documents another of the classes instead of their
// own, each document on its own, the same ones in every run.
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
