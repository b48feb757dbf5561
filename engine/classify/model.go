package classify

// A Model gives every class a score for a row. It is immutable and safe for
// concurrent use.
type Model interface {
	// Kind names the classifier: "multinomial", "svm", ...
	Kind() string
	// Classes are the names of the classes in the order of their bytes.
	Classes() []string
	// Columns is the number of columns that rows may have.
	Columns() int
	// NewScorer makes a scorer for one goroutine.
	NewScorer() Scorer
}

// The kinds of models.
const (
	kindSVM         = "svm"
	kindMultinomial = "multinomial"
	kindBernoulli   = "bernoulli"
	kindCentroid    = "centroid"
	kindKNN         = "knn"
	kindScoped      = "scoped"
	kindRule        = "rule"
	kindProjected   = "projected"
	kindThresholds  = "thresholds" // of files alone
)

// A Scorer computes scores with scratch of its own.
type Scorer interface {
	// Score sets scores[c] for every class c: the larger, the more the row belongs to
	// the class. What a score means is the model's matter: a decision value above 0
	// assigns the class where the model has one decision for each class. There is no
	// evidence where nothing in the row speaks for or against any class.
	Score(index []uint32, value []float32, scores []float64) (evidence bool)
}
