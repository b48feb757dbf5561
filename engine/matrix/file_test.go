package matrix

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
)

// Statistics of matrices go into files and add up, as those of indexes do.
func TestStatisticsAddUpAndGoIntoFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	var stats, want [2]*table.Table
	for i := range stats {
		s := shapes["bytes"].sample(r)
		stats[i] = enginetest.Must(matrixOf[int32, int64](s, i == 1, nil).Statistics(t.Context(), labelsOf(s), Options{}))
		want[i] = enginetest.Must(corpusOf(t, s).Statistics(t.Context(), corpus.CountOptions{}))
		var file bytes.Buffer
		if _, err := corpus.WriteStatistics(&file, stats[i]); err != nil {
			t.Fatal(err)
		}
		stats[i] = enginetest.Must(corpus.DecodeStatistics(file.Bytes()))
		sameStatistics(t, "from a file", stats[i], want[i])
	}
	sameStatistics(t, "the sum", enginetest.Must(stats[0].Add(stats[1])), enginetest.Must(want[0].Add(want[1])))
}
