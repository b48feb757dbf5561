package classify

import (
	"context"
	"iter"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// CollectClusters makes a matrix of the cluster vectors of a corpus, with a column for
// each class of the projection, and gives what the projection predicts for each row: the
// class with the largest weight.
func CollectClusters(ctx context.Context, p *projection.Projection, c *corpus.Corpus) (*Matrix, *Predictions, error) {
	if p == nil {
		return nil, nil, usage.Errorf("a nil projection was given")
	}
	predicted := &Predictions{Classes: p.Classes}
	m, err := Collect(clusterRows(p.Corpus(ctx, c), predicted), len(p.Classes), p.Classes)
	if err != nil {
		return nil, nil, err
	}
	predicted.SetStart = append(predicted.SetStart, len(predicted.SetOf))
	return m, predicted, nil
}

// clusterRows gives the rows of cluster vectors, and appends what is predicted for each.
func clusterRows(clusters iter.Seq2[projection.Vector, error], predicted *Predictions) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		for v, err := range clusters {
			if err == nil {
				predicted.Best = append(predicted.Best, uint32(v.Predicted))
				predicted.Evidence = append(predicted.Evidence, !v.Guessed)
				predicted.SetStart = append(predicted.SetStart, len(predicted.SetOf))
				predicted.SetOf = append(predicted.SetOf, uint32(v.Predicted))
			}
			if !yield(v.Row, err) {
				return
			}
		}
	}
}
