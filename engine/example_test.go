package engine_test

import (
	"context"
	"fmt"
	"os"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
)

// letters yields a few labelled documents; any iterator will do.
func letters(yield func(document.Document, error) bool) {
	for _, d := range []struct{ label, text string }{
		{"sea", "The anchor dragged and the wind rose."},
		{"sea", "Wind and tide took the boat past the anchor buoy."},
		{"garden", "Plant the beans out of the wind."},
		{"garden", "The beans climb, the roses do not."},
	} {
		if !yield(document.Document{Labels: []string{d.label}, Text: []byte(d.text)}, nil) {
			return
		}
	}
}

func Example() {
	ctx := context.Background()
	corpus, err := engine.Build(ctx, letters, engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	selection, err := corpus.Select(ctx, engine.Selecting{K: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range selection.Features {
		fmt.Printf("%d %s %.3f\n", f.Rank, f.Term, f.Score)
	}
	// Output:
	// 1 anchor 4.000
	// 2 and 4.000
	// 3 beans 4.000
}

func ExampleStatistics_RankClass() {
	ctx := context.Background()
	corpus, err := engine.Build(ctx, letters, engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	statistics, err := corpus.Statistics(ctx, engine.StatisticsOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ranking, err := statistics.RankClass(ctx, "sea", engine.Scoring{By: "mi"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range ranking.Top(2) {
		fmt.Printf("%s %.4f A=%d B=%d C=%d D=%d\n", e.Term, e.Value, e.A, e.B, e.C, e.D)
	}
	// Output:
	// anchor 0.6931 A=2 B=0 C=0 D=2
	// and 0.6931 A=2 B=0 C=0 D=2
}

func ExampleTransformer_Documents() {
	ctx := context.Background()
	corpus, err := engine.Build(ctx, letters, engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	selection, err := corpus.Select(ctx, engine.Selecting{K: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	transformer, err := engine.NewTransformer(selection, "binary")
	if err != nil {
		fmt.Println(err)
		return
	}
	w := engine.NewSVMLightWriter(os.Stdout)
	for row, err := range transformer.Documents(ctx, letters) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := w.Write(row); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 1:1 2:1 4:1
	// 1 1:1 2:1 4:1
	// 0 3:1 4:1
	// 0 3:1
}

func ExampleCompareLists() {
	ours := []string{"anchor", "wind", "tide", "boat"}
	theirs := []string{"wind", "anchor", "boat", "buoy"}
	c, err := engine.CompareLists(context.Background(), engine.Comparing{K: []int{2, 4}}, ours, theirs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range c.Pairs[0].At {
		fmt.Printf("the best %d: %d shared, Jaccard %.2f, RBO %.2f\n", at.K, at.Shared, at.Jaccard, at.RBO)
	}
	fmt.Printf("tau %.2f, only ours %v\n", c.Pairs[0].Tau, c.Only(4, 0, 1))
	// Output:
	// the best 2: 2 shared, Jaccard 1.00, RBO 0.90
	// the best 4: 3 shared, Jaccard 0.60, RBO 0.69
	// tau 0.40, only ours [{tide 3}]
}

func ExampleBestTerms() {
	ctx := context.Background()
	corpus, err := engine.Build(ctx, letters, engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := corpus.BestTerms(ctx, engine.BestTermsOptions{Function: "chi", P: .25})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range best.Classes {
		fmt.Printf("%s: %d documents, %d kept", c.Class, c.Documents, c.KeptDocuments)
		for _, t := range c.Positive {
			fmt.Printf(" +%s", t.Term)
		}
		for _, t := range c.Negative {
			fmt.Printf(" -%s", t.Term)
		}
		fmt.Println()
	}
	// Output:
	// garden: 2 documents, 2 kept +beans
	// sea: 2 documents, 2 kept +anchor
}
