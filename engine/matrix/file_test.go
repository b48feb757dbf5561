package matrix

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// Statistics of matrices go into files and add up, as those of indexes do.
func TestStatisticsAddUpAndGoIntoFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	var stats, want [2]*table.Table
	for i := range stats {
		s := shapes["bytes"].sample(r)
		stats[i] = testkit.Must(matrixOf[int32, int64](s, i == 1, nil).Statistics(t.Context(), labelsOf(s), Options{}))
		want[i] = testkit.Must(corpusOf(t, s).Statistics(t.Context(), corpus.CountOptions{}))
		var file bytes.Buffer
		testkit.Must(corpus.WriteStatistics(&file, stats[i]))
		stats[i] = testkit.Must(corpus.DecodeStatistics(file.Bytes()))
		sameStatistics(t, "from a file", stats[i], want[i])
	}
	sameStatistics(t, "the sum", testkit.Must(stats[0].Add(stats[1])), testkit.Must(want[0].Add(want[1])))
}
