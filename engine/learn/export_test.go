package learn

// What tests of both packages look into.
type (
	Linear     = linear
	Thresholds = thresholds
	NaiveBayes = naiveBayes
	Search     = search
	Neighbour  = neighbour
	KNN        = neighbours
)

var (
	TrainSVM         = trainSVM
	TrainMultinomial = trainMultinomial
	TrainBernoulli   = trainBernoulli
	TrainKNN         = trainKNN
	TrainCentroid    = trainCentroid
	TrainProjected   = trainProjected
	TrainThresholds  = trainThresholds
	ErrNoClass       = errNoClass
)

func Score(m Model, index []uint32, value []float32, scores []float64) bool {
	return m.newScorer()(index, value, scores)
}

func Largest(m Model) int { return m.common().largest }

func (x *thresholds) Model() Model                { return x.model }
func (x *thresholds) Threshold(class int) float64 { return x.threshold[class] }

// ThresholdOf returns the threshold of a class that the first so many rows have, by the scores of all rows.
func ThresholdOf(size int, scores ...float64) float64 {
	tallies := []tally{{}}
	for i, score := range scores {
		tallies = append(tallies, tally{score: score, rows: 1})
		if i < size {
			tallies[len(tallies)-1].right = 1
		}
	}
	return bestThreshold(tallies, int64(size))
}

func (b *naiveBayes) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	return b.assign(dst, scores, evidence)
}

func (x *neighbours) K() int { return x.k }
func (x *neighbours) NewSearch() *search {
	return &search{x: x, query: make([]float32, x.m.Columns), sums: make([]float64, x.m.Rows())}
}

func (s *search) Neighbours(index []uint32, value []float32) []neighbour {
	return s.neighbours(index, value)
}

func (l *linear) Options() SVMOptions         { return l.options }
func (l *linear) Intercept(class int) float64 { return l.intercept[class] }

func (l *linear) Weights(dst []float64, class int) {
	clear(dst)
	for t := range l.columns {
		for i := l.weights.start[t]; i < l.weights.start[t+1]; i++ {
			if int(l.weights.class[i]) == class {
				dst[t] = l.weights.value[i]
			}
		}
	}
}

func (g Grid) Points() int {
	g, _ = g.withDefaults()
	return g.points()
}

func (t Trial) Numbers(terms int) []int { return t.numbers(terms) }
func (e Enough) Rule() string           { return e.rule() }
