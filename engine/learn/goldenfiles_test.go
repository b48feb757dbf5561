package learn_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

var updateGolden = flag.Bool("update", false, "write the golden features file and model again: only for a new version of their forms")

// The golden features file and model open for ever, and the golden index makes the same bytes of them for
// as long as their versions stay.
func TestGoldenFeaturesAndModelStay(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata")
	c := testkit.Must(corpus.Open(filepath.Join(dir, "index-v5.idx"), corpus.OpenOptions{}))
	chosen := testkit.Must(selection.Select(t.Context(), c, selection.Options{By: rank.Options{Measure: "chi"}, Keep: selection.Best(20)}))
	var features, model bytes.Buffer
	testkit.OK(chosen.WriteTSV(&features))
	rows := testkit.Must(vectors.New(chosen, "tf"))
	m := testkit.Must(learn.Collect(rows.Corpus(t.Context(), c), len(chosen.Features), chosen.Classes))
	testkit.OK(learn.Save(&model, testkit.Must(learn.Learner{Kind: "bernoulli"}.Train(t.Context(), m, learn.TrainOptions{Sets: true}))))
	for name, made := range map[string][]byte{"features-v2.tsv": features.Bytes(), "model-v1.mdl": model.Bytes()} {
		path := filepath.Join(dir, name)
		if *updateGolden {
			testkit.Write(path, made)
		}
		testkit.EqualSlices(t, testkit.Must(os.ReadFile(path)), made, name, "the golden index makes other bytes")
	}
	read := testkit.Must(selection.Read(&features, "features-v2.tsv"))
	testkit.Equal(t, len(read.Features), len(chosen.Features), "features", read.Warnings)
	testkit.Equal(t, len(read.Warnings), 0, len(read.Features), "features")
	testkit.Must(learn.Load(&model))
	testkit.OK(c.Close())
}
