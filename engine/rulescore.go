package engine

import "slices"

// A RuleScore counts how good the predictions of cluster vectors are. The zero value has
// seen none.
type RuleScore struct {
	Documents int
	Guessed   int // documents without a projected term
	Labelled  int // documents that say their classes
	Labels    int // of these documents, unseen ones included
	Right     int // labelled documents with a label that was predicted
}

// Add counts a document.
func (s *RuleScore) Add(v ClusterVector) {
	s.Documents++
	if v.Guessed {
		s.Guessed++
	}
	labels := len(v.Labels) + len(v.Unseen)
	if labels == 0 {
		return
	}
	s.Labelled++
	s.Labels += labels
	if slices.Contains(v.Labels, v.Predicted) {
		s.Right++
	}
}

// Accuracy is the share of the labelled documents that are right, 0 of none.
func (s *RuleScore) Accuracy() float64 { return float64(s.Right) / float64(max(s.Labelled, 1)) }

// MicroF1 is F1 over all (document, class) decisions: one class is predicted for each
// document, and Labels are to be found. With one label each it is the accuracy.
func (s *RuleScore) MicroF1() float64 {
	return float64(2*s.Right) / float64(max(s.Labelled+s.Labels, 1))
}
