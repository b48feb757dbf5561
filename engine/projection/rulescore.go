package projection

import "slices"

// A RuleScore counts how often the predictions of cluster vectors are right. The zero
// value has counted none.
type RuleScore struct {
	Documents int
	Guessed   int // documents without a projected term
	Labelled  int // documents with a label
	Labels    int // labels of all documents, those the projection does not know included
	Right     int // documents whose predicted class is one of their labels
}

// Add counts a document.
func (s *RuleScore) Add(v Vector) {
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

// Accuracy returns Right/Labelled, 0 if no document has a label.
func (s *RuleScore) Accuracy() float64 { return float64(s.Right) / float64(max(s.Labelled, 1)) }

// MicroF1 returns F1 over all (document, class) decisions, where one class is predicted for
// each document and Labels are to be found. With one label a document it is the accuracy.
func (s *RuleScore) MicroF1() float64 {
	return float64(2*s.Right) / float64(max(s.Labelled+s.Labels, 1))
}
