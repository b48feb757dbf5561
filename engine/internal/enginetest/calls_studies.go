package enginetest

import (
	"context"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/vectors"
)

// studies are the calls of the rooms that compare corpora, show documents, and try out methods.
func (a *callInputs) studies(c *corpus.Corpus, threads int) map[string]func(context.Context) error {
	all := map[string]func(context.Context) error{
		"overview": func(ctx context.Context) error { return second(corpus.Overview(ctx, c)) },
		"match": func(context.Context) error {
			_, err := c.Match(Must(corpus.ParseQuery("id=1*", nil)))
			return err
		},
		"explain": func(ctx context.Context) error {
			return second(rank.Explain(ctx, c, "the", rank.Options{Threads: threads}))
		},
		"factors":  func(ctx context.Context) error { return second(a.selection.WithFactors(ctx, c, threads, "tf-rf")) },
		"evidence": func(ctx context.Context) error { return second(evidence.Documents(ctx, c, 3, "the", "w0", "w1")) },
		"gathered": func(ctx context.Context) error { return second(vectors.Gather(ctx, a.selection, c)) },
		"clusters": func(ctx context.Context) error {
			p, err := projection.Project(ctx, c, projection.Options{K: 20, Threads: threads})
			if err == nil {
				_, _, err = classify.CollectClusters(ctx, p, c)
			}
			return err
		},
		"trial": func(ctx context.Context) error {
			trial := evaluate.Trial{Method: Must(methods.Parse("chi", methods.Options{})), Classifier: Must(classify.ParseLearners("nb"))[0], K: []int{5}, Folds: 2, Threads: threads}
			_, err := trial.Run(ctx, c, nil)
			return err
		},
	}
	for _, text := range []string{"ttest", "jmi", "project"} {
		all["method "+text] = func(ctx context.Context) error {
			o := methods.Options{Scoring: rank.Options{Threads: threads}}
			_, err := Must(methods.Parse(text, o)).Select(ctx, c, 5)
			return err
		}
	}
	for name, sides := range map[string][2]*corpus.Corpus{"target": {c, a.other}, "reference": {a.other, c}} {
		o := keyness.Options{Threads: threads, Top: 5}
		all["keyness, "+name] = func(ctx context.Context) error {
			found, err := keyness.Compare(ctx, sides[0], sides[1], o)
			if err == nil {
				_, err = found.Of(ctx, "the")
			}
			return err
		}
		all["drift, "+name] = func(ctx context.Context) error { return second(keyness.Drift(ctx, sides[0], sides[1], o)) }
	}
	return all
}
