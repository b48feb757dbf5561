package evaluate

import (
	"context"
	"fmt"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
)

// A Point is what one method, k and classifier are worth.
type Point struct {
	Method, Classifier string
	Weight             string // of the rows
	K                  int    // as it was asked for, 0 for all terms
	Features           int    // terms: fewer than K where there are not so many
	// EmptyTrain and EmptyTest are the documents without any value in their rows.
	EmptyTrain, EmptyTest int
	Result                *Result
	Times                 Times
}

// Times say how long the steps to a point took, by the clock. Select and Gather are
// those of the method, once for all its points, and Transform that of k and the
// weighting, once for all classifiers: the sum over the points is more than the run
// took; [Outcome.Times] is not.
type Times struct {
	Select    time.Duration // count the training part, rank, select
	Gather    time.Duration // the lists of the terms to the documents of both parts
	Transform time.Duration // cut to k terms, weigh
	Train     time.Duration
	Predict   time.Duration // and compare
}

func (t *Times) add(u Times) {
	t.Select += u.Select
	t.Gather += u.Gather
	t.Transform += u.Transform
	t.Train += u.Train
	t.Predict += u.Predict
}

// Sum is that of all steps.
func (t Times) Sum() time.Duration { return t.Select + t.Gather + t.Transform + t.Train + t.Predict }

// An Outcome is what a run measured.
type Outcome struct {
	Points []Point // methods x k x classifiers, in the order of the grid
	// Classes are those of the training part, the taxonomy.
	Classes []string
	// Sets says that classifiers decided about each class; without, they gave every
	// document one class.
	Sets bool
	// Train and Test are numbers of documents, Compared the test documents that count.
	Train, Test, Compared int
	// UnseenClasses of the test part are not in the training part; UnseenLabels counts
	// the labels that name one of them. No prediction can be right for these.
	UnseenClasses []string
	UnseenLabels  int
	Times         Times // of all steps, each once
	Warnings      []string
}

// A Progress says how far a run is.
type Progress struct {
	Done, Points int
	Step         string // that begins
}

// Run selects terms of the training part by each method, trains each classifier on the
// first k of them for each k, and compares what it predicts for the test part.
//
// Nothing that can be shared is done twice: a method ranks once, for its largest k;
// the lists of its terms become the documents' rows once, in both parts; rows are cut
// to k terms and weighed once for each weighting. idf is that of the training part and
// documents are scaled to unit length over the selected terms.
//
// If every labelled training document has one label, each test document is given the
// class with the highest score, and those without a label do not count. Otherwise
// classes are decided about one by one: an SVM assigns those above 0, naive Bayes those
// more probable than not, and neighbours and centroids those that reach a threshold,
// which folds of the training part choose (see [classify.TrainThresholds]); test
// documents without a label count as having none of the classes. The classes of
// the results are those of the training part: a label that it does not have is a
// decision that is wanting, of micro-recall alone, once for each document.
//
// progress, if it is not nil, is called from the caller's goroutine before every point.
func Run(ctx context.Context, train, test *engine.Corpus, g Grid, progress func(Progress)) (*Outcome, error) {
	return run(ctx, train, test, g, severalLabels(train), progress)
}

// severalLabels says whether a document has more than one label.
func severalLabels(c *engine.Corpus) bool {
	for d := range c.Documents() {
		if len(c.Labels(d)) > 1 {
			return true
		}
	}
	return false
}

func run(ctx context.Context, train, test *engine.Corpus, g Grid, sets bool, progress func(Progress)) (*Outcome, error) {
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
	if err := r.compare(); err != nil {
		return nil, err
	}
	for _, m := range g.Methods {
		if err := r.method(ctx, m); err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
	}
	r.warn()
	return r.out, nil
}

// A runner is one call of Run.
type runner struct {
	grid        Grid
	train, test *engine.Corpus
	right       answers
	progress    func(Progress)
	out         *Outcome
	beyond      []int // k above the number of terms
	notes       notes
}

// step measures the time of a part of the work.
func step(into *time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	*into += time.Since(start)
	return err
}

// method measures the points of a method.
func (r *runner) method(ctx context.Context, m Method) error {
	if m.Project != nil {
		return r.projections(ctx, m)
	}
	r.tell("select by " + m.String())
	var t Times
	var s choice
	err := step(&t.Select, func() (err error) {
		s, err = m.choose(ctx, r.train, r.grid.largestK(r.train.Terms()), r.grid.Threads)
		if err == nil {
			s.Selection, err = s.WithFactors(ctx, r.train, r.grid.Threads, r.grid.weights()...)
		}
		return err
	})
	if err != nil {
		return err
	}
	r.notes.add(s.Warnings...)
	var train, test *engine.Vectors
	err = step(&t.Gather, func() (err error) {
		if train, err = s.Vectors(ctx, r.train); err == nil {
			test, err = s.Vectors(ctx, r.test)
		}
		return err
	})
	if err != nil {
		return err
	}
	r.out.Times.add(t)
	for _, k := range m.numbers(r.grid.K) {
		if err := r.cut(ctx, m, k, parts{s, train, test}, t); err != nil {
			return err
		}
	}
	return nil
}

// parts are both parts over the terms of a choice.
type parts struct {
	choice
	train, test *engine.Vectors
}

// matrices are both parts over the first k terms, and what of them the classes are
// learnt from, if it is not everything.
type matrices struct {
	train, test *classify.Matrix
	scopes      []classify.Scope
	took        time.Duration
}

// cut measures the points of a method and k.
func (r *runner) cut(ctx context.Context, m Method, k int, p parts, t Times) error {
	features := len(p.Features)
	if k > features {
		r.beyond = append(r.beyond, k)
	}
	if k > 0 {
		features = min(k, features)
	}
	weighed := map[string]matrices{}
	for _, weight := range r.grid.weights() {
		x := matrices{scopes: p.scopes}
		err := step(&x.took, func() (err error) {
			if x.train, err = classify.Collect(p.train.Rows(ctx, features, weight), features, p.Classes); err == nil {
				x.test, err = classify.Collect(p.test.Rows(ctx, features, weight), features, p.Classes)
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
		x := weighed[weight]
		point := Point{
			Method: m.String(), Classifier: l.String(), Weight: weight, K: k, Features: features,
			EmptyTrain: empty(x.train), EmptyTest: empty(x.test), Times: t,
		}
		point.Times.Transform = x.took
		if err := r.point(ctx, l, x, &point); err != nil {
			return fmt.Errorf("%d terms, %s: %w", features, l, err)
		}
		r.out.Points = append(r.out.Points, point)
	}
	return nil
}

// empty counts the rows without values.
func empty(m *classify.Matrix) (n int) {
	for i := range m.Rows() {
		if m.Start[i] == m.Start[i+1] {
			n++
		}
	}
	return n
}

// point trains and predicts.
func (r *runner) point(ctx context.Context, l classify.Learner, x matrices, p *Point) error {
	r.tell(fmt.Sprintf("%s, %d terms, %s", p.Method, p.Features, p.Classifier))
	var model classify.Model
	var own Times
	err := step(&own.Train, func() (err error) {
		model, err = l.Train(ctx, x.train, classify.TrainOptions{Sets: r.out.Sets, Scopes: x.scopes, Seed: r.grid.Seed, Threads: r.grid.Threads})
		return err
	})
	if err != nil {
		return err
	}
	err = step(&own.Predict, func() error {
		said, err := classify.Predict(ctx, model, x.test, classify.PredictOptions{Sets: r.out.Sets, Threads: r.grid.Threads})
		if err != nil {
			return err
		}
		p.Result, err = r.right.compare(r.out.Classes, said)
		return err
	})
	if err != nil {
		return err
	}
	if !r.grid.Confusion {
		p.Result.Confusion = nil
	}
	if s, ok := model.(*classify.Scoped); ok && len(s.Scopes()) < len(r.out.Classes) {
		r.notes.add(fmt.Sprintf("%s: %d of %d classes have no positive term: they are never predicted", p.Method, len(r.out.Classes)-len(s.Scopes()), len(r.out.Classes)))
	}
	if n := unconverged(model); n > 0 {
		r.notes.add(fmt.Sprintf("%s, %d terms, %s: %d classes did not come within eps: raise sweeps or eps", p.Method, p.Features, p.Classifier, n))
	}
	r.out.Times.add(own)
	p.Times.Train, p.Times.Predict = own.Train, own.Predict
	return nil
}

// unconverged counts the machines of a model that gave up.
func unconverged(m classify.Model) (n int) {
	switch m := m.(type) {
	case *classify.Linear:
		for _, x := range m.Machines() {
			if !x.Converged {
				n++
			}
		}
	case *classify.Scoped:
		for i := range m.Scopes() {
			n += unconverged(m.Model(i))
		}
	}
	return n
}

func (r *runner) tell(what string) {
	r.progress(Progress{Done: len(r.out.Points), Points: r.grid.Points(), Step: what})
}
