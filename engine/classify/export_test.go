package classify

// What tests of both packages look into.
type (
	Linear           = linear
	Thresholds       = thresholds
	ThresholdOptions = thresholdOptions
	NaiveBayes       = naiveBayes
	Search           = search
	Neighbour        = neighbour
	KNN              = neighbours
)

var (
	TrainSVM         = trainSVM
	TrainMultinomial = trainMultinomial
	TrainBernoulli   = trainBernoulli
	TrainKNN         = trainKNN
	TrainCentroid    = trainCentroid
	TrainProjected   = trainProjected
	TrainThresholds  = trainThresholds
)

func (x *thresholds) Model() Model { return x.model }

func (x *neighbours) K() int             { return x.k }
func (x *neighbours) NewSearch() *search { return x.newSearch() }

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
