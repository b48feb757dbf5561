package learn

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A Point is the result of one method, k and classifier.
type Point struct {
	Method, Classifier string
	Weight             string // of the rows
	K                  int    // as in the Grid; 0 for all terms
	Features           int    // number of selected terms; fewer than K if there are not so many
	// EmptyTrain and EmptyTest are the numbers of documents without any value in their
	// rows.
	EmptyTrain, EmptyTest int
	Result                *Result
	Times                 Times
}

// Times are the durations of the steps to a point, in elapsed time. Select and Gather are
// done once for all points of a method, and Transform once for all classifiers of a k and
// weighting, but every such point has them. The sum over the points is therefore longer
// than the run; [Outcome.Times] counts each step once.
type Times struct {
	Select    time.Duration // count the training part, rank, select
	Gather    time.Duration // turn posting lists into rows of documents, in both parts
	Transform time.Duration // cut rows to k terms and weigh them
	Train     time.Duration
	Predict   time.Duration // predict and compare
}

// addTimes adds the durations of u, step by step.
func (t *Times) addTimes(u Times) {
	t.Select += u.Select
	t.Gather += u.Gather
	t.Transform += u.Transform
	t.Train += u.Train
	t.Predict += u.Predict
}

// An Outcome is what a run measured.
type Outcome struct {
	Points []Point // methods x k x classifiers, in the order of the grid
	// Classes are those of the training part.
	Classes []string
	// Sets reports whether classifiers decided about each class separately; if not, they
	// predicted exactly one class for every document.
	Sets bool
	// Train and Test are the numbers of documents of the parts, Compared that of the test
	// documents that were compared.
	Train, Test, Compared int
	// UnseenClasses are classes of the test part that the training part does not have.
	// UnseenLabels is the number of labels that name one of them; no prediction can be
	// right for these.
	UnseenClasses []string
	UnseenLabels  int
	Times         Times // of all steps, each once
	Warnings      []string
}

// A Progress reports how far a run is.
type Progress struct {
	Done, Points int
	Step         string // the step that begins
}

// Run selects terms of the training part by each method, trains each classifier on the
// first k of them for each k, and compares its predictions for the test part with the
// labels there.
//
// Shared work is done once: a method ranks the terms for its largest k; posting lists
// become rows of both parts once per method; rows are cut to k terms and weighed once per
// weighting. The idf is that of the training part, and documents are scaled to unit length
// over the selected terms.
//
// If no training document has more than one label, the class with the highest score is
// predicted for each test document, and test documents without a label are not compared.
// Otherwise each class is decided separately: an SVM assigns classes with a score above 0,
// naive Bayes those more probable than not, and neighbours and centroids those that reach
// a threshold, which folds of the training part determine. Test documents without a label then count as having none of
// the classes. The classes of the results are those of the training part: labels of other
// classes count once per document as missed, in micro-recall only.
//
// progress, if it is not nil, is called on the goroutine of the caller before every point.
func Run(ctx context.Context, train, test *corpus.Corpus, g Grid, progress func(Progress)) (*Outcome, error) {
	if train == nil || test == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := train.RequireClasses("a classifier"); err != nil {
		return nil, err
	}
	return run(ctx, train, test, g, severalLabels(train), progress)
}

// severalLabels reports whether any document has more than one label.
func severalLabels(c *corpus.Corpus) bool {
	for d := range c.Documents() {
		if len(c.Labels(d)) > 1 {
			return true
		}
	}
	return false
}

func run(ctx context.Context, train, test *corpus.Corpus, g Grid, sets bool, progress func(Progress)) (*Outcome, error) {
	g, err := g.withDefaults()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	r := &runner{
		grid: g, train: train, test: test, progress: progress,
		out: &Outcome{Classes: train.Classes(), Sets: sets, Train: train.Documents(), Test: test.Documents()},
	}
	if err := r.readAnswers(); err != nil {
		return nil, err
	}
	for _, m := range g.Methods {
		if err := r.measureMethod(ctx, m); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name(), err)
		}
	}
	r.warn()
	return r.out, nil
}

// A runner is the state of one call of Run.
type runner struct {
	grid        Grid
	train, test *corpus.Corpus
	right       answers
	progress    func(Progress)
	out         *Outcome
	beyond      []int // values of K above the number of terms
	notes       notes
}

// step calls f and adds its duration to into.
func step(into *time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	*into += time.Since(start)
	return err
}

// measureMethod measures the points of a method.
func (r *runner) measureMethod(ctx context.Context, m selection.Method) error {
	if p, ok := m.(methods.Projection); ok {
		for _, k := range r.grid.K {
			if err := r.projection(ctx, p, k); err != nil {
				return err
			}
		}
		return nil
	}
	r.reportStep("select by " + m.Name())
	var t Times
	var s choice
	k := min(slices.Max(r.grid.K), r.train.Terms())
	if slices.Contains(r.grid.K, 0) {
		k = r.train.Terms()
	}
	err := step(&t.Select, func() (err error) {
		s, err = choose(ctx, m, r.train, k)
		if err == nil {
			s.Selection, err = s.WithFactors(ctx, r.train, r.grid.Threads, r.grid.weights()...)
		}
		return err
	})
	if err != nil {
		return err
	}
	r.notes.addOnce(s.Warnings...)
	var train, test *vectors.Vectors
	err = step(&t.Gather, func() (err error) {
		if train, err = vectors.Gather(ctx, s.Selection, r.train); err == nil {
			test, err = vectors.Gather(ctx, s.Selection, r.test)
		}
		return err
	})
	if err != nil {
		return err
	}
	r.out.Times.addTimes(t)
	for _, k := range numbersOf(m, r.grid.K) {
		if err := r.measureCut(ctx, m, k, parts{s, train, test}, t); err != nil {
			return err
		}
	}
	return nil
}

// parts are the training and the test part as rows over the terms of a choice.
type parts struct {
	choice
	train, test *vectors.Vectors
}

// matrices are both parts cut to the first k terms, and the scopes that classes are learnt
// from if that is not everything.
type matrices struct {
	train, test *Matrix
	scopes      []Scope
	took        time.Duration // to make the matrices
}

// measureCut measures the points of a method at one k.
func (r *runner) measureCut(ctx context.Context, m selection.Method, k int, p parts, t Times) error {
	features := len(p.Features)
	if k > features {
		r.beyond = append(r.beyond, k)
	}
	if k > 0 {
		features = min(k, features)
	}
	weighed := map[table.Weighting]matrices{}
	for _, weight := range r.grid.weights() {
		x := matrices{scopes: p.scopes}
		err := step(&x.took, func() (err error) {
			if x.train, err = Collect(p.train.Rows(ctx, features, weight), features, p.Classes); err == nil {
				x.test, err = Collect(p.test.Rows(ctx, features, weight), features, p.Classes)
			}
			return err
		})
		if err != nil {
			return err
		}
		r.out.Times.Transform += x.took
		weighed[weight] = x
	}
	for _, l := range r.grid.Classifiers {
		weight := l.WeightOr(r.grid.Weight)
		x := weighed[table.Weighting(weight)]
		point := Point{
			Method: m.Name(), Classifier: l.String(), Weight: weight, K: k, Features: features,
			EmptyTrain: empty(x.train), EmptyTest: empty(x.test), Times: t,
		}
		point.Times.Transform = x.took
		if err := r.measurePoint(ctx, l, x, point); err != nil {
			return fmt.Errorf("%d terms, %s: %w", features, l, err)
		}
	}
	return nil
}

// empty counts the rows without values.
func empty(m *Matrix) (n int) {
	for i := range m.Rows() {
		if m.Start[i] == m.Start[i+1] {
			n++
		}
	}
	return n
}

// measurePoint trains a classifier, predicts, and adds the point with the result.
func (r *runner) measurePoint(ctx context.Context, l Learner, x matrices, p Point) error {
	r.reportStep(fmt.Sprintf("%s, %d terms, %s", p.Method, p.Features, p.Classifier))
	var model Model
	var own Times
	err := step(&own.Train, func() (err error) {
		model, err = l.Train(ctx, x.train, TrainOptions{Sets: r.out.Sets, Scopes: x.scopes, Seed: r.grid.Seed, Threads: r.grid.Threads})
		return err
	})
	if err != nil {
		return err
	}
	err = step(&own.Predict, func() error {
		said, err := Predict(ctx, model, x.test, PredictOptions{Sets: r.out.Sets, Threads: r.grid.Threads})
		if err == nil {
			err = r.add(p, said)
		}
		return err
	})
	if err != nil {
		return err
	}
	never, unconverged := model.shortfall()
	if never > 0 {
		r.notes.addOnce(fmt.Sprintf("%s: %d of %d classes have no positive term: they are never predicted", p.Method, never, len(r.out.Classes)))
	}
	if unconverged > 0 {
		r.notes.addOnce(fmt.Sprintf("%s, %d terms, %s: %d classes did not come within eps: raise sweeps or eps", p.Method, p.Features, p.Classifier, unconverged))
	}
	r.out.Times.addTimes(own)
	added := &r.out.Points[len(r.out.Points)-1].Times
	added.Train, added.Predict = own.Train, own.Predict
	return nil
}

// add adds a point with the result of its predictions.
func (r *runner) add(p Point, said *Predictions) (err error) {
	if p.Result, err = r.right.compare(r.out.Classes, said); err != nil {
		return err
	}
	if !r.grid.Confusion {
		p.Result.Confusion = nil
	}
	r.out.Points = append(r.out.Points, p)
	return nil
}

// reportStep reports the step that begins.
func (r *runner) reportStep(what string) {
	r.progress(Progress{Done: len(r.out.Points), Points: r.grid.points(), Step: what})
}

// weightCluster is the Weight of points on cluster vectors.
const weightCluster = "cluster"

// projection measures the points of the projection of k terms: that of the rule, and those of
// the classifiers on cluster vectors, which have one column for each class.
func (r *runner) projection(ctx context.Context, m methods.Projection, k int) error {
	number := "all"
	if k > 0 {
		number = fmt.Sprint(k)
	}
	r.reportStep(fmt.Sprintf("project %s terms", number))
	point := Point{Method: m.Name(), Classifier: kindRule, Weight: weightCluster, K: k}
	start := time.Now()
	p, err := m.Project(ctx, r.train, k)
	if err != nil {
		return err
	}
	point.Times.Select = time.Since(start)
	point.Features = len(p.Terms)
	r.notes.addOnce(p.Warnings...)
	if k > len(p.Terms) {
		r.notes.addOnce(fmt.Sprintf("%s: k = %d is more than the %d terms that indicate a class: all of them are kept", m.Name(), k, len(p.Terms)))
	}
	var x matrices
	var rule *Predictions
	err = step(&point.Times.Transform, func() (err error) {
		if x.train, _, err = collectClusters(ctx, p, r.train); err == nil {
			x.test, rule, err = collectClusters(ctx, p, r.test)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%d terms: %w", len(p.Terms), err)
	}
	r.out.Times.addTimes(point.Times)
	point.EmptyTrain, point.EmptyTest = empty(x.train), empty(x.test)
	if err := r.add(point, rule); err != nil {
		return err
	}
	for _, l := range r.grid.Classifiers {
		point.Classifier = l.String()
		if err := r.measurePoint(ctx, l, x, point); err != nil {
			return fmt.Errorf("%d terms: %s: %w", len(p.Terms), l, err)
		}
	}
	return nil
}

// numbersOf returns the numbers of terms at which a method is measured: those of the grid,
// or only 0 if the method decides how many terms it selects.
func numbersOf(m selection.Method, ks []int) []int {
	if _, ok := m.(selection.SelfSized); ok {
		return []int{0}
	}
	return ks
}

// A choice is what a method selects: terms and, for Best Terms, the scopes that each class
// is learnt from.
type choice struct {
	*selection.Selection
	scopes []Scope
}

// choose selects the k best terms by a method, or as many as the method decides.
func choose(ctx context.Context, m selection.Method, train *corpus.Corpus, k int) (c choice, err error) {
	b, ok := m.(methods.BestTerms)
	if !ok {
		if _, ok := m.(selection.SelfSized); ok {
			k = 0
		}
		c.Selection, err = m.Select(ctx, train, k)
		return c, err
	}
	chosen, err := b.Choose(ctx, train)
	if err != nil {
		return c, err
	}
	if c.Selection, err = chosen.Selection(); err != nil {
		return c, err
	}
	c.scopes, err = ScopesOf(chosen, c.Selection)
	return c, err
}

// A Grid says what a run measures: each combination of a method, a k and a classifier.
type Grid struct {
	// Methods are the methods of selection, those of package methods or of the caller;
	// nil is chi.
	//
	// Two methods do more than select terms. [methods.Projection] turns rows into cluster
	// vectors; it has a further point for each k, with the classifier "rule", which
	// predicts the class with the largest weight. [methods.BestTerms] chooses terms and
	// documents for each class, and the class is learnt from these alone (see
	// [TrainScoped]). BestTerms, like every [selection.SelfSized] method, has one
	// point for each classifier, whatever K is.
	Methods []selection.Method
	// K are the numbers of terms; 0 is all terms, and so is nil.
	K []int
	// Classifiers are the learners to train; nil is a linear SVM.
	Classifiers []Learner
	// Weight is the weighting of the rows for classifiers that do not choose their own
	// (see [Learner.WeightOr]); "" is ltc.
	Weight string
	// Confusion keeps the confusion tables of all points.
	Confusion bool
	Seed      uint64
	Threads   int // bounds goroutines, also those of methods; 0 is GOMAXPROCS, and for a method its own bound
}

// withDefaults returns the grid with defaults for what is not set, or an error if it is
// invalid.
func (g Grid) withDefaults() (Grid, error) {
	if len(g.Methods) == 0 {
		g.Methods = []selection.Method{methods.Measure{}}
	}
	if len(g.K) == 0 {
		g.K = []int{0}
	}
	if len(g.Classifiers) == 0 {
		g.Classifiers = []Learner{{Kind: "svm"}}
	}
	g.Weight = cmp.Or(g.Weight, string(table.LTC))
	if _, err := selection.FactorOf(table.Weighting(g.Weight)); err != nil {
		return g, err
	}
	checked := make([]selection.Method, len(g.Methods))
	for i, m := range g.Methods {
		if m == nil {
			return g, usage.Errorf("method %d is nil", i)
		}
		if err := m.Validate(); err != nil {
			return g, err
		}
		checked[i] = methods.WithThreads(m, g.Threads)
	}
	g.Methods = checked
	for _, k := range g.K {
		if k < 0 {
			return g, usage.Errorf("k must be positive, or 0 for all terms, not %d", k)
		}
	}
	for _, l := range g.Classifiers {
		if err := l.Validate(); err != nil {
			return g, err
		}
		if l.Kind == kindRule {
			return g, usage.Errorf("the classifier %s comes with the method %s by itself", l, methods.NameProjection)
		}
	}
	return g, nil
}

// Validate returns an error for a grid that is wrong whatever the data.
func (g Grid) Validate() error {
	_, err := g.withDefaults()
	return err
}

// points returns the number of points that a run measures.
func (g Grid) points() (n int) {
	for _, m := range g.Methods {
		each := len(g.Classifiers)
		if _, ok := m.(methods.Projection); ok {
			each++ // the rule
		}
		n += each * len(numbersOf(m, g.K))
	}
	return n
}

// weights returns the weightings that the classifiers need, each once.
func (g Grid) weights() (weights []table.Weighting) {
	for _, l := range g.Classifiers {
		if w := table.Weighting(l.WeightOr(g.Weight)); !slices.Contains(weights, w) {
			weights = append(weights, w)
		}
	}
	return weights
}
