package enginetest

import (
	"context"
	"io"
	"maps"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/words"
)

// callInputs has what the calls take besides a corpus.
type callInputs struct {
	selection  *selection.Selection
	other      *corpus.Corpus
	statistics *table.Table
}

// Calls returns by name every call of the public API that starts goroutines or reads
// posting lists, applied to a corpus of [ManyTexts]. Each may be called any number of times.
func (a *callInputs) Calls(c *corpus.Corpus, threads int) map[string]func(context.Context) error {
	some := roaring.New()
	some.AddRange(0, 60)
	selection, other := a.selection, a.other
	calls := map[string]func(context.Context) error{
		"best terms": func(ctx context.Context) error {
			return testkit.Err(bestterms.Choose(ctx, c, bestterms.Options{Threads: threads}))
		},
		"names":  func(context.Context) error { return testkit.Err(c.DocumentIDs()) },
		"order":  func(context.Context) error { return testkit.Err(c.InputOrder()) },
		"list":   func(context.Context) error { return testkit.Err(c.Postings(0)) },
		"verify": func(context.Context) error { return c.Verify() },
		"write":  func(context.Context) error { return testkit.Err(c.WriteTo(io.Discard)) },
		"info":   func(ctx context.Context) error { return testkit.Err(c.Info(ctx)) },
		"write anew": func(ctx context.Context) error {
			return testkit.Err(c.Write(ctx, io.Discard, corpus.SaveOptions{Threads: threads}))
		},
		"projection": func(ctx context.Context) error {
			p, err := projection.Project(ctx, c, projection.Options{K: 20, Threads: threads})
			if err == nil {
				for _, err := range p.Corpus(ctx, c) {
					return err
				}
			}
			return err
		},
		"redundancy": func(ctx context.Context) error {
			return testkit.Err(methods.Redundancy{Threads: threads}.Select(ctx, c, 3))
		},
		"summary": func(ctx context.Context) error {
			return testkit.Err(c.Statistics(ctx, corpus.CountOptions{Threads: threads}))
		},
		"subset": func(ctx context.Context) error {
			return testkit.Err(c.Subset(ctx, some, corpus.SubsetOptions{Threads: threads}))
		},
		"against": func(ctx context.Context) error {
			return testkit.Err(corpus.Contrast(ctx, c, other, corpus.ContrastOptions{Threads: threads}))
		},
		"merge": func(ctx context.Context) error {
			return corpus.Merge(ctx, io.Discard, corpus.MergeOptions{Threads: threads}, other, c)
		},
		"transform": func(ctx context.Context) error {
			tr := testkit.Must(vectors.New(selection, "tfidf"))
			for _, err := range tr.Corpus(ctx, c) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"rows as one matrix": func(ctx context.Context) error {
			return testkit.Err(testkit.Must(vectors.New(selection, "tfidf")).CSR(ctx, c, threads))
		},
		"rows as svmlight text": func(ctx context.Context) error {
			return testkit.Must(vectors.New(selection, "tfidf")).WriteSVMLight(ctx, io.Discard, c, threads)
		},
		"evaluate": func(ctx context.Context) error {
			g := learn.Grid{K: []int{5}, Classifiers: testkit.Must(learn.ParseLearners("svm,nb,knn,centroid")), Threads: threads}
			_, err := learn.Run(ctx, c, other, g, nil)
			return err
		},
		"train": func(ctx context.Context) error {
			tr := testkit.Must(vectors.New(selection, "tfidf"))
			m, err := learn.Collect(tr.Corpus(ctx, c), len(selection.Features), c.Classes())
			if err != nil {
				return err
			}
			model, err := learn.Learner{Kind: "knn"}.Train(ctx, m, learn.TrainOptions{})
			if err == nil {
				_, err = learn.Predict(ctx, model, m, learn.PredictOptions{Threads: threads})
			}
			return err
		},
	}
	maps.Copy(calls, a.studies(c, threads))
	for name, pass := range Passes(c, a.statistics, threads) {
		if name == "rank of counts" || name == "rank of class of counts" || name == "comparison" {
			continue // they do not look at the corpus
		}
		calls[name] = func(ctx context.Context) error { return testkit.Err(pass(ctx)) }
	}
	return calls
}

// studies are the calls of the rooms that compare corpora, show documents, and try out methods.
func (a *callInputs) studies(c *corpus.Corpus, threads int) map[string]func(context.Context) error {
	all := map[string]func(context.Context) error{
		"overview": func(ctx context.Context) error { return testkit.Err(corpus.Overview(ctx, c)) },
		"match": func(context.Context) error {
			_, err := c.Match(testkit.Must(corpus.ParseQuery("id=1*", nil)))
			return err
		},
		"explain": func(ctx context.Context) error {
			return testkit.Err(rank.Explain(ctx, c, "the", rank.Options{Threads: threads}))
		},
		"factors":  func(ctx context.Context) error { return testkit.Err(a.selection.WithFactors(ctx, c, threads, "tf-rf")) },
		"evidence": func(ctx context.Context) error { return testkit.Err(words.Documents(ctx, c, 3, "the", "w0", "w1")) },
		"gathered": func(ctx context.Context) error { return testkit.Err(vectors.Gather(ctx, a.selection, c)) },
		"clusters": func(ctx context.Context) error {
			method := testkit.Must(methods.Parse("project", methods.Options{}))
			return testkit.Err(learn.Run(ctx, c, c, learn.Grid{Methods: []selection.Method{method}, K: []int{20}, Threads: threads}, nil))
		},
		"trial": func(ctx context.Context) error {
			trial := learn.Trial{Method: testkit.Must(methods.Parse("chi", methods.Options{})), Classifier: testkit.Must(learn.ParseLearners("nb"))[0], K: []int{5}, Folds: 2, Threads: threads}
			_, err := trial.Run(ctx, c, nil)
			return err
		},
	}
	for _, text := range []string{"ttest", "jmi", "project"} {
		all["method "+text] = func(ctx context.Context) error {
			o := methods.Options{Scoring: rank.Options{Threads: threads}}
			_, err := testkit.Must(methods.Parse(text, o)).Select(ctx, c, 5)
			return err
		}
	}
	for name, sides := range map[string][2]*corpus.Corpus{"target": {c, a.other}, "reference": {a.other, c}} {
		o := words.KeynessOptions{Threads: threads, Top: 5}
		all["keyness, "+name] = func(ctx context.Context) error {
			found, err := words.Keyness(ctx, sides[0], sides[1], o)
			if err == nil {
				_, err = found.Of(ctx, "the")
			}
			return err
		}
	}
	return all
}
