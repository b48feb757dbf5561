package learn

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A Learner is a classifier with its options, before it has learnt anything. Make one
// with [ParseLearner], or set Kind and the options of that kind.
type Learner struct {
	// Name is what results call it; "" is the Kind.
	Name string
	// Kind is one of [LearnerKinds].
	Kind string
	// Weight is the weighting of the rows that it wants; "" leaves it to the caller.
	// See [Learner.WeightOr].
	Weight string
	SVM    SVMOptions
	// Neighbours is the number of nearest ones that vote; 0 is 10. More than there are rows means all.
	Neighbours int
	// Alpha is what naive Bayes adds to every count; 0 is 1.
	Alpha float64
	// Thresholds says how neighbours and centroids, which have no decision of their
	// own, decide about each class of rows with several labels: "scut", a threshold for each
	// class, which is "", or "best", the one class with the highest score.
	Thresholds string
	// Folds is the number of parts of the rows by which thresholds are chosen; 0 is 5.
	Folds int
}

const (
	sCut      = "scut"
	bestClass = "best"
)

// LearnerKinds lists the kinds of learners: svm, knn, centroid, nb (multinomial naive
// Bayes), bernoulli, and rule, the class with the largest weight, of cluster vectors
// alone (see [TrainOptions.Clusters]).
func LearnerKinds() []string { return []string{"svm", "knn", "centroid", "nb", "bernoulli", kindRule} }

// ParseLearner reads a learner: its kind, and options behind a colon.
//
//	svm:loss=l1,c=10,positive=2,eps=0.001,bias=1,sweeps=1000
//	svm:loss=l1,c=svmlight
//	knn:k=10,thresholds=scut,folds=5
//	nb:alpha=0.5
//	bernoulli:alpha=1
//	centroid:thresholds=best
//	rule
//
// All of them take weight=, a weighting of the rows. Errors wrap [usage.ErrUsage].
func ParseLearner(text string) (Learner, error) {
	text = strings.TrimSpace(text)
	kind, options, _ := strings.Cut(text, ":")
	l := Learner{Name: text, Kind: kind}
	if !slices.Contains(LearnerKinds(), kind) {
		return l, usage.Unknown("classifier", kind, LearnerKinds())
	}
	if err := usage.ReadOptions(options, l.settings()); err != nil {
		return l, fmt.Errorf("classifier %q: %w", text, err)
	}
	return l, l.Validate()
}

// ParseLearners reads several learners, separated by commas. A part such as c=1 is a
// further option of the learner before it.
func ParseLearners(list string) (learners []Learner, err error) {
	for _, text := range usage.SplitNames(list) {
		l, err := ParseLearner(text)
		if err != nil {
			return nil, err
		}
		learners = append(learners, l)
	}
	return learners, nil
}

func (l *Learner) settings() []usage.Setting {
	decision := []usage.Setting{{Name: "thresholds", To: &l.Thresholds}, {Name: "folds", To: &l.Folds}}
	own := map[string][]usage.Setting{
		"svm": {
			{Name: "loss", To: &l.SVM.Loss},
			{Name: "c", To: &l.SVM.C, Named: map[string]*bool{"svmlight": &l.SVM.SVMlightC}},
			{Name: "positive", To: &l.SVM.Positive},
			{Name: "eps", To: &l.SVM.Eps},
			{Name: "bias", To: &l.SVM.Bias, NotNegative: true},
			{Name: "sweeps", To: &l.SVM.MaxSweeps},
		},
		"knn":       append([]usage.Setting{{Name: "k", To: &l.Neighbours}}, decision...),
		"centroid":  decision,
		"nb":        {{Name: "alpha", To: &l.Alpha}},
		"bernoulli": {{Name: "alpha", To: &l.Alpha}},
	}[l.Kind]
	return append(own, usage.Setting{Name: "weight", To: &l.Weight})
}

// Validate reports options that no data could satisfy.
func (l Learner) Validate() error {
	if !slices.Contains(LearnerKinds(), l.Kind) {
		return usage.Unknown("classifier", l.Kind, LearnerKinds())
	}
	if _, err := selection.FactorOf(table.Weighting(l.Weight)); err != nil {
		return usage.Errorf("classifier %q: %w", l.String(), err)
	}
	known := []string{sCut, bestClass}
	switch {
	case l.Kind == "svm":
		return l.SVM.withDefaults().check()
	case l.Neighbours < 0:
		return usage.Errorf("the number of neighbours must be positive, not %d", l.Neighbours)
	case math.IsNaN(l.Alpha) || math.IsInf(l.Alpha, 0) || l.Alpha < 0:
		return usage.Errorf("alpha must be positive, not %v", l.Alpha)
	case l.Thresholds != "" && !slices.Contains(known, l.Thresholds):
		return usage.Unknown("thresholds", l.Thresholds, known)
	case l.Folds < 0 || l.Folds == 1:
		return usage.Errorf("folds must be 2 or more, not %d", l.Folds)
	}
	return nil
}

// String is the Name, or the Kind.
func (l Learner) String() string {
	if l.Name != "" {
		return l.Name
	}
	return l.Kind
}

// WeightOr gives the weighting of the rows that the learner wants: its own, or else tf
// for naive Bayes, which counts, and the one given for the others.
func (l Learner) WeightOr(weight string) string {
	switch {
	case l.Weight != "":
		return l.Weight
	case l.Kind == "nb" || l.Kind == "bernoulli":
		return "tf"
	}
	return weight
}

// TrainOptions are what learners of all kinds share.
type TrainOptions struct {
	// Sets makes a model that decides about each class, for rows of several labels:
	// naive Bayes learns every class against the rest, as an SVM always does, and
	// neighbours and centroids have a threshold for each class (see
	// [Learner.Thresholds]).
	Sets bool
	// Scopes, unless nil, give every class columns and rows of its own to learn from
	// (see [TrainScoped]), such as those of Best Terms ([ScopesOf]).
	Scopes []Scope
	// Clusters, unless nil, is the map of a projection, from whose cluster vectors is
	// learnt (see [projected]); rows are of weight tf then.
	Clusters *projection.Map
	Seed     uint64
	Threads  int // 0 is GOMAXPROCS
}

// A trainer makes a model of rows.
type trainer = func(ctx context.Context, m *Matrix) (Model, error)

// Train learns from rows.
func (l Learner) Train(ctx context.Context, m *Matrix, o TrainOptions) (Model, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	learn := func(ctx context.Context, m *Matrix) (Model, error) { return l.learn(ctx, m, o) }
	switch {
	case o.Scopes != nil && o.Clusters != nil:
		return nil, usage.Errorf("a class has terms of its own, or a part in a projection, not both")
	case o.Scopes != nil:
		// Every class is decided about against the rest.
		each := TrainOptions{Sets: o.Sets || l.Kind == "nb" || l.Kind == "bernoulli", Seed: o.Seed, Threads: 1}
		return TrainScoped(ctx, m, o.Scopes, o.Threads, func(ctx context.Context, m *Matrix) (Model, error) { return l.Train(ctx, m, each) })
	case o.Clusters != nil:
		clusters, train := o.Clusters, trainer(nil)
		if o.Clusters = nil; l.Kind != kindRule {
			train = func(ctx context.Context, m *Matrix) (Model, error) { return l.Train(ctx, m, o) }
		}
		return model(trainProjected(ctx, m, clusters, train))
	case o.Sets && (l.Kind == "knn" || l.Kind == "centroid") && l.Thresholds != bestClass:
		return model(trainThresholds(ctx, m, l.Folds, o, learn))
	}
	return learn(ctx, m)
}

// learn makes the model that scores.
func (l Learner) learn(ctx context.Context, m *Matrix, o TrainOptions) (Model, error) {
	l.SVM.Seed, l.SVM.Threads = o.Seed, o.Threads
	alpha := cmp.Or(l.Alpha, 1)
	switch l.Kind {
	case "svm":
		return model(trainSVM(ctx, m, l.SVM))
	case "knn":
		return model(trainKNN(ctx, m, l.Neighbours))
	case "centroid":
		return model(trainCentroid(ctx, m))
	case "nb":
		return model(trainMultinomial(ctx, m, alpha, o.Sets))
	case "bernoulli":
		return model(trainBernoulli(ctx, m, alpha, o.Sets))
	}
	return nil, usage.Errorf("the classifier %s is that of a projection", l)
}

// A Pipeline is a model with what leads from text to its rows: one file says all that
// prediction needs.
type Pipeline struct {
	Selection *selection.Selection // the columns, how text becomes terms, and idf
	Weight    string               // of the rows
	Sets      bool                 // classes are decided about one by one
	Model     Model
}

// TrainPipeline learns from rows, which are those of a transformer of the selection and
// the weighting. Classes are decided about one by one if o says so or a row has several
// labels.
func TrainPipeline(ctx context.Context, s *selection.Selection, weight string, rows iter.Seq2[vectors.Row, error], l Learner, o TrainOptions) (*Pipeline, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if err := s.Provenance.RequireClasses(len(s.Classes), "a classifier"); err != nil {
		return nil, err
	}
	m, err := Collect(rows, len(s.Features), s.Classes)
	if err != nil {
		return nil, err
	}
	for i := range m.Rows() {
		o.Sets = o.Sets || len(m.Labels(i)) > 1
	}
	model, err := l.Train(ctx, m, o)
	if err != nil {
		return nil, err
	}
	return &Pipeline{s, weight, o.Sets, model}, nil
}

// A Prediction is what a pipeline says of a document.
type Prediction struct {
	ID       string
	Class    int     // with the highest score, or what a model falls back on
	Score    float64 // of Class
	Evidence bool    // something in the document spoke for or against a class
	Set      []int   // of a pipeline of Sets: the classes assigned, ascending; may be empty
	Scores   []float64
	// Labels are the document's own, as places in the model's classes, and UnseenLabels
	// the number of those that the model does not know.
	Labels       []int
	UnseenLabels int
}

// predictBatch is how many documents are predicted at a time.
const predictBatch = 4096

// Predict yields predictions for rows, in their order: those of the transformer of the
// pipeline's selection and weight. Memory is bounded by that of 4,096 rows.
func (p *Pipeline) Predict(ctx context.Context, rows iter.Seq2[vectors.Row, error], threads int) iter.Seq2[Prediction, error] {
	return func(yield func(Prediction, error) bool) {
		wait := newMatrix(p.Model.Columns(), p.Model.Classes())
		var heads []Prediction
		for r, err := range rows {
			if err != nil {
				yield(Prediction{}, err)
				return
			}
			heads = append(heads, Prediction{ID: r.ID, Labels: slices.Clone(r.Labels), UnseenLabels: len(r.Unseen)})
			wait.append(r)
			if len(heads) == predictBatch {
				if !p.predict(ctx, wait, heads, threads, yield) {
					return
				}
				wait, heads = newMatrix(p.Model.Columns(), p.Model.Classes()), heads[:0]
			}
		}
		p.predict(ctx, wait, heads, threads, yield)
	}
}

// predict yields the predictions for rows, which have heads, and says whether more is wanted.
func (p *Pipeline) predict(
	ctx context.Context, m *Matrix, heads []Prediction, threads int, yield func(Prediction, error) bool,
) bool {
	said, err := Predict(ctx, p.Model, m, PredictOptions{Scores: true, Sets: p.Sets, Threads: threads})
	if err != nil {
		yield(Prediction{}, err)
		return false
	}
	for i, x := range heads {
		x.Class, x.Evidence, x.Scores = int(said.Best[i]), said.Evidence[i], said.Row(i)
		x.Score = x.Scores[x.Class]
		if p.Sets {
			x.Set = make([]int, 0, 1)
			for _, c := range said.Sets[i] {
				x.Set = append(x.Set, int(c))
			}
		}
		if !yield(x, nil) {
			return false
		}
	}
	return true
}

const pipelineMagic = "TERMSPIP"

// Save writes the file of a pipeline (FORMAT.md). The same pipeline gives the same
// bytes.
func (p *Pipeline) Save(w io.Writer) error {
	var features strings.Builder
	if err := p.Selection.WriteTSV(&features); err != nil {
		return err
	}
	return seal(w, pipelineMagic, func(c *coder) {
		text := features.String()
		c.string(&p.Weight)
		c.bool(&p.Sets)
		c.string(&text)
		c.model(&p.Model)
	})
}

// LoadPipeline reads the file of a pipeline; name is what errors call it. Errors are
// those of [Load] and [selection.Read].
func LoadPipeline(r io.Reader, name string) (*Pipeline, error) {
	fail := func(err error) (*Pipeline, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	p := &Pipeline{}
	var features, model string
	err := unseal(r, pipelineMagic, func(c *coder) {
		c.string(&p.Weight)
		c.bool(&p.Sets)
		c.string(&features)
		c.string(&model)
	})
	if err != nil {
		return fail(err)
	}
	if _, err := selection.FactorOf(table.Weighting(p.Weight)); err != nil {
		return fail(fmt.Errorf("%w: %w", ErrNoModel, err))
	}
	if p.Selection, err = selection.Read(strings.NewReader(features), "features of "+name); err != nil {
		return fail(err)
	}
	p.Selection.Warnings = nil // the whole file has a sum, the features need no seal
	if p.Model, err = Load(strings.NewReader(model)); err != nil {
		return fail(err)
	}
	if n := len(p.Selection.Features); !isOf(p.Model, n, p.Selection.Classes) {
		return fail(fmt.Errorf("%w: it has %d columns and %d classes, its selection %d and %d", ErrNoModel,
			p.Model.Columns(), len(p.Model.Classes()), n, len(p.Selection.Classes)))
	}
	return p, nil
}

// IsPipeline says whether a file that begins with these bytes claims to be one.
func IsPipeline(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(pipelineMagic)) }
