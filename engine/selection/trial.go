package selection

import "slices"

// A Trial records how the number of terms of a stage was found: by what a classifier made
// of several numbers, on folds of the documents.
type Trial struct {
	Classifier string  `json:"classifier"`
	Weight     string  `json:"weight"`
	Metric     string  `json:"metric"`
	Folds      int     `json:"folds"`
	Seed       uint64  `json:"seed"`
	Rule       string  `json:"rule"`      // which values are as good as the best
	Tolerance  float64 `json:"tolerance"` // how far they are below it at most
	// Points are the numbers that were tried.
	Points []TrialPoint `json:"points"`
}

// A TrialPoint is a number of terms with the mean of the metric over the folds, and its
// standard deviation.
type TrialPoint struct {
	K         int     `json:"k"` // 0 for all terms
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"sd"`
}

// WithTrial returns a copy of the selection that records how the number of terms of its
// last stage was found.
func (s *Selection) WithTrial(t Trial) *Selection {
	out := *s
	out.Stages = slices.Clone(s.stages())
	out.Stages[len(out.Stages)-1].Trial = &t
	return &out
}
