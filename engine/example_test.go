package engine_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// check ends a program that has met an error.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func letters() []document.Document {
	return []document.Document{
		{ID: "log", Labels: []string{"sea"}, Text: []byte("The anchor dragged and the wind rose.")},
		{ID: "chart", Labels: []string{"sea"}, Text: []byte("Wind and tide took the boat past the anchor buoy.")},
		{ID: "bed", Labels: []string{"garden"}, Text: []byte("Plant the beans out of the wind.")},
		{ID: "fence", Labels: []string{"garden"}, Text: []byte("The beans climb, the roses do not.")},
	}
}

// Documents of one's own: the three best terms by information gain, and vectors over the
// four best for other documents.
func Example() {
	ctx := context.Background()
	docs := letters()
	more := []document.Document{
		{Labels: []string{"sea"}, Text: []byte("Drop the anchor, the wind is up.")},
		{Labels: []string{"garden"}, Text: []byte("Beans do not like wind.")},
	}

	c, err := engine.Build(ctx, document.Of(docs...), engine.Options{})
	check(err)
	ranking, err := engine.Rank(ctx, c, rank.Options{Measure: rank.IG})
	check(err)
	for e := range ranking.Best(3) {
		fmt.Printf("%d %s %.4f, in %d documents\n", e.Rank, e.Term, e.Value, e.DF)
	}

	s, err := engine.Select(ctx, c, selection.Options{By: rank.Options{Measure: rank.IG}, Keep: selection.Best(4)})
	check(err)
	t, err := engine.Transform(s, "ltc")
	check(err)
	check(vectors.WriteSVMLight(os.Stdout, t.Documents(ctx, document.Of(more...))))
	// Output:
	// 1 anchor 0.6931, in 2 documents
	// 2 and 0.6931, in 2 documents
	// 3 beans 0.6931, in 2 documents
	// 1 1:0.92361027 4:0.38333288
	// 0 3:0.92361027 4:0.38333288
}

// Files: a folder for each class is indexed on all threads, saved, opened, and asked for
// the terms of a class.
func Example_files() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "termsift")
	check(err)
	defer os.RemoveAll(dir)
	var classes []string
	for _, d := range letters() {
		folder := filepath.Join(dir, "letters", d.Labels[0])
		check(os.MkdirAll(folder, 0o755))
		check(os.WriteFile(filepath.Join(folder, d.ID), d.Text, 0o600))
		classes = append(classes, d.Labels[0])
	}

	src, err := reader.Read(ctx, []string{filepath.Join(dir, "letters")}, reader.Options{})
	check(err)
	built, err := corpus.BuildBatches(ctx, src.Batches(), corpus.Options{})
	check(err)
	path := filepath.Join(dir, "letters.idx")
	check(built.Save(ctx, path, corpus.SaveOptions{}))

	c, err := engine.Open(path, engine.OpenOptions{})
	check(err)
	defer c.Close()
	fmt.Println(c.Documents(), "documents of", len(classes), "files;", c.Terms(), "terms;", c.Classes())
	ranking, err := rank.Class(ctx, c, "garden", rank.Options{Measure: rank.NGL})
	check(err)
	for e := range ranking.Best(2) {
		fmt.Printf("%s %.4f A=%d B=%d C=%d D=%d\n", e.Term, e.Value, e.A, e.B, e.C, e.D)
	}
	// Output:
	// 4 documents of 4 files; 19 terms; [garden sea]
	// beans 2.0000 A=2 B=0 C=0 D=2
	// climb 1.1547 A=1 B=0 C=1 D=2
}

// Statistics of a fold: terms are ranked by what is left of the corpus without each fold,
// which is the statistics of the whole less those of the fold. No text is read again.
func Example_folds() {
	ctx := context.Background()
	c, err := engine.Build(ctx, document.Of(letters()...), engine.Options{})
	check(err)
	whole, err := c.Statistics(ctx, corpus.CountOptions{})
	check(err)
	ids, err := c.DocumentIDs()
	check(err)
	for fold := range 2 {
		within := roaring.New()
		for number := range ids {
			if number%2 == fold {
				within.AddInt(number)
			}
		}
		part, err := c.Statistics(ctx, corpus.CountOptions{Within: within})
		check(err)
		rest, err := whole.Sub(part)
		check(err)
		ranking, err := engine.Rank(ctx, rest, rank.Options{Measure: rank.Chi})
		check(err)
		fmt.Printf("without")
		for number := range ids {
			if within.ContainsInt(number) {
				fmt.Printf(" %s", ids[number])
			}
		}
		for e := range ranking.Best(1) {
			fmt.Printf(": %s %.1f for %s\n", e.Term, e.Value, e.Class)
		}
	}
	// Output:
	// without bed log: anchor 2.0 for sea
	// without fence chart: anchor 2.0 for sea
}

// share is a measure of one's own: two methods are all that it needs. It is the share of a
// term's documents that a class has, less what frequent terms have by chance.
type share struct{}

func (share) Name() string { return "share" }

func (share) Class(t *score.Table) float64 {
	if t.DF == 0 {
		return 0
	}
	return (t.A/t.DF - t.NC/t.N) * math.Sqrt(t.DF)
}

// A measure of one's own is combined, ranked and selected by as the others are.
func Example_ownMeasure() {
	ctx := context.Background()
	c, err := engine.Build(ctx, document.Of(letters()...), engine.Options{})
	check(err)
	by := rank.Options{Measure: "share", Own: []score.Measure{share{}}}

	ranking, err := rank.Terms(ctx, c, by)
	check(err)
	for e := range ranking.Best(2) {
		fmt.Printf("%s %.4f for %s\n", e.Term, e.Value, e.Class)
	}
	by.Combine = rank.Sum
	ranking, err = rank.Terms(ctx, c, by)
	check(err)
	for e := range ranking.Best(1) {
		fmt.Printf("%s %.4f, the sum of its classes\n", e.Term, e.Value)
	}
	s, err := engine.Select(ctx, c, selection.Options{By: rank.Options{Measure: "share", Own: by.Own}, Keep: selection.Best(3)})
	check(err)
	for _, f := range s.Features {
		fmt.Printf("%d %s %.4f, in %d documents\n", f.Rank, f.Term, f.Score, f.DF)
	}
	// Output:
	// anchor 0.7071 for sea
	// and 0.7071 for sea
	// the 0.0000, the sum of its classes
	// 1 anchor 0.7071, in 2 documents
	// 2 and 0.7071, in 2 documents
	// 3 beans 0.7071, in 2 documents
}

// A matrix that another program has counted, as CountVectorizer gives it to scipy.
func ExampleMatrix() {
	m := &engine.Matrix[int32, int64]{
		Documents: 4, Terms: 3,
		Start:  []int32{0, 2, 3, 5, 6}, // where each document begins
		Index:  []int32{0, 1, 0, 1, 2, 2},
		Values: []int64{2, 1, 1, 1, 3, 1},
	}
	labels := &engine.MatrixLabels{Classes: 2, Of: []int32{0, 0, 1, 1}}
	names := engine.MatrixOptions{Terms: []string{"anchor", "and", "beans"}, Classes: []string{"sea", "kitchen"}}
	s, err := m.Statistics(context.Background(), labels, names)
	check(err)
	r, err := engine.Rank(context.Background(), s, rank.Options{Measure: rank.Chi})
	check(err)
	for e := range r.Best(3) {
		fmt.Printf("%s %.0f for %s, in %d documents\n", e.Term, e.Value, e.Class, e.DF)
	}
	// Output:
	// anchor 4 for sea, in 2 documents
	// beans 4 for kitchen, in 2 documents
	// and 0 for kitchen, in 2 documents
}
