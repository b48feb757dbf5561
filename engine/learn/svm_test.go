package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// matrixOf makes the rows of a naive corpus by its weights, and the dense rows with
// the values that float32 has.
func matrixOf(t testing.TB, c naive.Corpus, weights [][]float64) (*Matrix, [][]float64) {
	m := &Matrix{Columns: len(c.Terms), Classes: c.Classes, Start: []int{0}, LabelStart: []int{0}}
	dense := make([][]float64, len(c.Docs))
	for d, doc := range c.Docs {
		dense[d] = make([]float64, len(c.Terms))
		for term, w := range weights[d] {
			if v := float32(w); v != 0 {
				m.Index, m.Value = append(m.Index, uint32(term)), append(m.Value, v)
				dense[d][term] = float64(v)
			}
		}
		labels := slices.Clone(doc.Labels)
		slices.Sort(labels)
		for _, l := range labels {
			m.LabelOf = append(m.LabelOf, uint32(l))
		}
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
	}
	testkit.OK(m.check(anyValue))
	return m, dense
}

func train(t testing.TB, m *Matrix, o SVMOptions) *Linear {
	return testkit.Must(TrainSVM(t.Context(), m, o))
}

func weightsOf(l *Linear, class int) []float64 {
	w := make([]float64, l.Columns())
	l.Weights(w, class)
	return w
}

func nearly(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// The exact optima of the golden file; float32 rounds the rows.
func TestSVMGolden(t *testing.T) {
	type optimum struct {
		W []float64
	}
	var golden struct {
		Categories, Terms []string
		Counts            [][]float64
		Single            struct{ Labels [][]string } `json:"single_label"`
		Classifiers       map[string]json.RawMessage  `json:"classifiers_single"`
	}
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_small.json"), &golden)
	c := naive.Corpus{Terms: golden.Terms, Classes: golden.Categories}
	for d, labels := range golden.Single.Labels {
		doc := naive.Doc{Counts: map[int]float64{}}
		for term, tf := range golden.Counts[d] {
			if tf > 0 {
				doc.Counts[term] = tf
			}
		}
		for _, l := range labels {
			doc.Labels = append(doc.Labels, slices.Index(c.Classes, l))
		}
		c.Docs = append(c.Docs, doc)
	}
	m, _ := matrixOf(t, c, naive.Tabulate(c).Weights("ltc"))
	for _, loss := range []string{L1Loss, L2Loss} {
		var want map[string]optimum
		if err := json.Unmarshal(golden.Classifiers["svm_"+loss+"loss_C1_nobias_ltc_unit"], &want); err != nil || len(want) != 3 {
			t.Fatal(err, len(want))
		}
		l := train(t, m, SVMOptions{Loss: loss, Eps: 1e-10, MaxSweeps: 100_000})
		for k, class := range c.Classes {
			x := want[class]
			testkit.Equal(t, l.machines[k].converged, true, loss, class)
			for term, w := range weightsOf(l, k) {
				testkit.Equal(t, nearly(w, x.W[term], 1e-6), true, loss, class, "w of", c.Terms[term], "=", w, "want",
					x.W[term])
			}
		}
	}
}

// randomOptions are those that change the optimum.
func randomOptions(r *rand.Rand) SVMOptions {
	return SVMOptions{
		Loss: []string{"", L1Loss, L2Loss}[r.IntN(3)], C: []float64{0, .1, 1, 5}[r.IntN(4)],
		Bias: []float64{0, 1, 2.5}[r.IntN(3)], Positive: []float64{0, 1, 3}[r.IntN(3)],
		Eps: 1e-11, MaxSweeps: 200_000, Seed: r.Uint64(),
	}
}

// The models of hundreds of random problems, rows with several labels and with none among them, meet the conditions of
// their optimum, computed from dense rows.
func TestSVMIsOptimal(t *testing.T) {
	problems, zeros, several, none := 0, 0, 0, 0
	for i, shape := range naive.Shapes {
		r := rand.New(rand.NewPCG(uint64(i), 21))
		rounds := 12
		if shape.Docs[1] > 100 {
			rounds = 2
		}
		shape.Classes[0], shape.Classes[1] = min(shape.Classes[0], 60), min(shape.Classes[1], 60)
		for range rounds {
			c := naive.RandomCorpus(r, shape)
			m, dense := matrixOf(t, c, naive.Tabulate(c).Weights([]string{"ltc", "ltc", "tfidf-unit"}[r.IntN(3)]))
			l := train(t, m, randomOptions(r))
			for k := range min(len(c.Classes), 6) {
				problems++
				testkit.Equal(testkit.Stop(t), l.machines[k].converged, true, shape.Name, l.Options(), "class", k)
				optimal(t, l, m, dense, k)
			}
			for d := range m.Rows() {
				if m.Start[d] == m.Start[d+1] {
					zeros++
				}
				switch n := len(m.Labels(d)); {
				case n == 0:
					none++
				case n > 1:
					several++
				}
			}
		}
	}
	t.Logf("%d problems; rows: %d of zeros, %d with several labels, %d with none", problems, zeros, several, none)
	if problems < 300 || zeros == 0 || several == 0 || none == 0 {
		t.Error("the corpora do not reach every case")
	}
}

// optimal solves the problem of a class, ½ w·w + Σ C_i loss, and checks the conditions of Karush, Kuhn and Tucker with
// the dual variables: they are within their bounds, the weights of the model are their sum of rows, and a row has the
// margin that its variable asks for.
func optimal(t *testing.T, l *Linear, m *Matrix, dense [][]float64, class int) {
	t.Helper()
	o := l.Options()
	s := newSolver(m, squares(m, o.Bias), o)
	testkit.Must(s.train(t.Context(), class))
	w, bias := make([]float64, m.Columns), 0.0
	y, c := make([]float64, len(dense)), make([]float64, len(dense))
	for i, positive := range labelled(m, class) {
		y[i], c[i] = -1, o.C
		if positive {
			y[i], c[i] = 1, o.C*o.Positive
		}
		for term, v := range dense[i] {
			w[term] += s.alpha[i] * y[i] * v
		}
		bias += s.alpha[i] * y[i] * o.Bias
	}
	for term, got := range weightsOf(l, class) {
		if !nearly(got, w[term], 1e-9) {
			t.Fatalf("%+v, class %d: w of %d is %v, the dual variables give %v", o, class, term, got, w[term])
		}
	}
	if l.machines[class].rows > 0 {
		testkit.Close(testkit.Stop(t), l.Intercept(class), bias*o.Bias, 1e-9, 1e-9, o, "class", class, "intercept")
	}
	for i, row := range dense {
		margin, bound := y[i]*(inner(w, row)+bias*o.Bias), math.Inf(1)
		if o.Loss == L1Loss {
			bound = c[i]
		} else {
			margin += s.alpha[i] / (2 * c[i])
		}
		const tolerance = 1e-9
		switch alpha := s.alpha[i]; {
		case alpha < 0 || alpha > bound:
			t.Fatalf("%+v, class %d: the dual variable of row %d is %v", o, class, i, alpha)
		case alpha > 0 && margin > 1+tolerance || alpha < bound && margin < 1-tolerance:
			t.Fatalf("%+v, class %d: row %d has the margin %v and the dual variable %v of %v", o, class, i, margin, alpha, bound)
		}
	}
}

func inner(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func labelled(m *Matrix, class int) []bool {
	out := make([]bool, m.Rows())
	for i := range out {
		out[i] = slices.Contains(m.Labels(i), uint32(class))
	}
	return out
}

// sparseMatrix is a larger problem with words that tell the classes apart.
func sparseMatrix(rows, columns, classes int, seed uint64) *Matrix {
	r := rand.New(rand.NewPCG(seed, 5))
	m := &Matrix{Columns: columns, Start: []int{0}, LabelStart: []int{0}}
	for c := range classes {
		m.Classes = append(m.Classes, fmt.Sprintf("class%03d", c))
	}
	for range rows {
		class, row := r.IntN(classes), map[int]bool{}
		for range 3 + r.IntN(30) {
			t := int(float64(columns) * math.Pow(r.Float64(), 3))
			if r.IntN(4) == 0 {
				t = (t*classes + class) % columns
			}
			row[t] = true
		}
		for t := range columns {
			if row[t] {
				m.Index, m.Value = append(m.Index, uint32(t)), append(m.Value, float32(1/math.Sqrt(float64(len(row)))))
			}
		}
		m.LabelOf = append(m.LabelOf, uint32(class))
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
	}
	return m
}

func TestSVMSameBitsOnAnyThreads(t *testing.T) {
	m := sparseMatrix(700, 500, 9, 1)
	for _, loss := range []string{L1Loss, L2Loss} {
		o := SVMOptions{Loss: loss, Bias: 1, Seed: 3, Threads: 1}
		want := train(t, m, o)
		for _, threads := range []int{2, 5, 16} {
			o.Threads = threads
			got := train(t, m, o)
			testkit.Same(t, got, want, loss, "the model on", threads, "threads is another one")
		}
		o.Seed = 4
		testkit.Equal(t, reflect.DeepEqual(train(t, m, o).weights.value, want.weights.value), false, loss,
			"the seed changes nothing")
	}
}

// A class does not depend on the others: alone it gets the same weights.
func TestSVMClassesAreIndependent(t *testing.T) {
	m := sparseMatrix(300, 200, 6, 2)
	all := train(t, m, SVMOptions{})
	other := *m
	other.LabelOf = slices.Clone(m.LabelOf)
	for i, c := range other.LabelOf {
		if c > 2 {
			other.LabelOf[i] = 5 // those behind the class are one
		}
	}
	some := train(t, &other, SVMOptions{})
	for c := range 3 {
		testkit.EqualSlices(t, weightsOf(all, c), weightsOf(some, c), "class", c, "has other weights")
	}
}

// Two classes that share the rows out need one machine; the other is its negative, and
// as good as one of its own.
func TestSVMTwoClasses(t *testing.T) {
	m := sparseMatrix(200, 100, 2, 4)
	o := SVMOptions{Bias: 1, Eps: 1e-8, MaxSweeps: 100_000}
	l := train(t, m, o)
	a, b := weightsOf(l, 0), weightsOf(l, 1)
	for i := range a {
		testkit.Equal(testkit.Stop(t), a[i], -b[i], "column", i, "and", b[i])
	}
	testkit.Equal(t, l.Intercept(0), -l.Intercept(1), "intercept")
	testkit.Equal(t, l.machines[0].rows+l.machines[1].rows, 200, "rows")
	// One row without a label, and each class has a machine of its own.
	other := *m
	other.LabelStart = slices.Clone(m.LabelStart)
	other.LabelOf = m.LabelOf[:len(m.LabelOf)-1]
	other.LabelStart[m.Rows()]--
	own := train(t, &other, o)
	if own.Intercept(0) == -own.Intercept(1) {
		t.Error("one machine for both although a row has no class")
	}
}

// A class without rows is reported and never predicted, whatever the row.
func TestSVMClassWithoutRows(t *testing.T) {
	for _, classes := range [][]string{{"a", "b", "none"}, {"a", "none"}, {"none"}} {
		m := sparseMatrix(60, 40, max(len(classes)-1, 1), 6)
		m.Classes = classes
		if len(classes) == 1 {
			if _, err := TrainSVM(t.Context(), &Matrix{Columns: 40, Classes: classes, Start: m.Start, Index: m.Index, Value: m.Value, LabelStart: make([]int, 61)}, SVMOptions{}); !errors.Is(err, ingest.ErrNoLabels) {
				t.Errorf("no labels: %v", err)
			}
			continue
		}
		l := train(t, m, SVMOptions{Bias: 1})
		none := len(classes) - 1
		if w := strings.Join(l.Warnings(), "\n"); !strings.Contains(w, "(none): they are never predicted") || len(l.Warnings()) != 1 {
			t.Errorf("warnings: %q", w)
		}
		p := testkit.Must(Predict(t.Context(), l, m, PredictOptions{Scores: true, Sets: true}))
		for i := range m.Rows() {
			if int(p.Best[i]) == none || slices.Contains(p.Sets[i], uint32(none)) || !math.IsInf(p.Row(i)[none], -1) {
				t.Fatalf("row %d: %d %v %v", i, p.Best[i], p.Sets[i], p.Row(i))
			}
		}
	}
}

// Rows of zeros have a loss of 1 without bias, and no effect on the weights.
func TestSVMZeroRows(t *testing.T) {
	m := sparseMatrix(80, 50, 3, 7)
	for _, loss := range []string{L1Loss, L2Loss} {
		o := SVMOptions{Loss: loss, C: 2, Eps: 1e-9, MaxSweeps: 100_000}
		before := train(t, m, o)
		with := *m
		with.Start, with.LabelStart, with.LabelOf = slices.Clone(m.Start), slices.Clone(m.LabelStart), slices.Clone(m.LabelOf)
		for range 70 {
			with.Start = append(with.Start, len(m.Index))
			with.LabelOf = append(with.LabelOf, 1)
			with.LabelStart = append(with.LabelStart, len(with.LabelOf))
		}
		after := train(t, &with, o)
		if w := after.Warnings(); len(w) != 1 || w[0] != "70 of the training documents have no term of the selection" || before.Warnings() != nil {
			t.Errorf("%s: warnings %q", loss, w)
		}
		for c := range m.Classes {
			a, b := weightsOf(before, c), weightsOf(after, c)
			for i := range a {
				testkit.Close(t, b[i], a[i], 1e-6, 1e-6, loss, "class", c, "with rows of zeros, weight")
			}
		}
		only := &Matrix{Columns: 1, Classes: []string{"a", "b"}, Start: []int{0, 0, 0}, LabelStart: []int{0, 1, 2}, LabelOf: []uint32{0, 1}}
		x := train(t, only, SVMOptions{Loss: loss})
		testkit.Equal(t, len(x.weights.value), 0, loss, "weights of zeros only")
	}
}

func TestSVMReportsWhatDidNotConverge(t *testing.T) {
	l := train(t, sparseMatrix(300, 100, 3, 8), SVMOptions{Loss: L1Loss, Eps: 1e-12, MaxSweeps: 2})
	w := l.Warnings()
	if len(w) != 1 || !strings.Contains(w[0], "3 classes are not within eps 1e-12 after 2 sweeps (class000, class001, class002)") || l.machines[0].converged {
		t.Errorf("%q %+v", w, l.machines)
	}
}

// c=svmlight is the C that stands for it: the number of rows by the sum of their squares.
func TestSVMlightC(t *testing.T) {
	m := sparseMatrix(40, 30, 3, 11)
	sum := 0.0
	for _, v := range m.Value {
		sum += float64(v) * float64(v)
	}
	l := testkit.Must(ParseLearner("svm:loss=l1,c=svmlight"))
	got := train(t, m, l.SVM)
	testkit.Close(t, got.Options().C, float64(m.Rows())/sum, 1e-12, 0, "C")
	want := train(t, m, SVMOptions{Loss: L1Loss, C: got.Options().C})
	for class := range m.Classes {
		testkit.Same(t, weightsOf(got, class), weightsOf(want, class), "weights of", class)
	}
	testkit.Refused(t, testkit.Err(ParseLearner("svm:c=light")), usage.ErrUsage, "c must be a number above 0")
	testkit.Refused(t, testkit.Err(ParseLearner("svm:eps=svmlight")), usage.ErrUsage, "eps must be a number above 0")
}

func TestSVMOptionsOutOfRange(t *testing.T) {
	for _, o := range []SVMOptions{
		{C: -1},
		{C: math.NaN()},
		{C: math.Inf(1)},
		{Eps: -1e-3},
		{Eps: math.NaN()},
		{Bias: -1},
		{Bias: math.Inf(1)},
		{Positive: -2},
		{MaxSweeps: -1},
		{Loss: "hinge"},
	} {
		testkit.Is(t, Learner{Kind: "svm", SVM: o}.Validate(), usage.ErrUsage, o)
	}
}

func TestBadRows(t *testing.T) {
	nan := float32(math.NaN())
	for name, change := range map[string]func(m *Matrix){
		"column":        func(m *Matrix) { m.Index[3] = 99 },
		"order":         func(m *Matrix) { m.Index[1] = m.Index[0] },
		"not a number":  func(m *Matrix) { m.Value[2] = nan },
		"infinite":      func(m *Matrix) { m.Value[2] = float32(math.Inf(-1)) },
		"class":         func(m *Matrix) { m.LabelOf[0] = 2 },
		"labels":        func(m *Matrix) { m.LabelStart = m.LabelStart[1:] },
		"end":           func(m *Matrix) { m.Start[len(m.Start)-1]++ },
		"places":        func(m *Matrix) { m.Start[2] = m.Start[3] + 1 },
		"values":        func(m *Matrix) { m.Value = m.Value[1:] },
		"nothing":       func(m *Matrix) { *m = Matrix{Columns: 1, Classes: m.Classes} },
		"a label twice": func(m *Matrix) { m.LabelStart[1], m.LabelOf[0], m.LabelOf[1] = 2, 1, 1 },
	} {
		m := sparseMatrix(20, 10, 2, 9)
		model := train(t, m, SVMOptions{})
		change(m)
		testkit.Is(t, testkit.Err(TrainSVM(t.Context(), m, SVMOptions{})), ErrBadRows, name, "trained")
		m.Columns = model.Columns()
		testkit.Is(t, testkit.Err(Predict(t.Context(), model, m, PredictOptions{})), ErrBadRows, name, "predicted")
	}
	empty := &Matrix{Columns: 5, Classes: []string{"a"}, Start: []int{0}, LabelStart: []int{0}}
	testkit.Is(t, testkit.Err(TrainSVM(t.Context(), empty, SVMOptions{})), ingest.ErrEmpty)
}

func TestSVMStops(t *testing.T) {
	m := sparseMatrix(2000, 500, 8, 10)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, threads := range []int{1, 3} {
		testkit.Is(t, testkit.Err(TrainSVM(ctx, m, SVMOptions{Threads: threads})), why, threads, "threads")
		l := train(t, m, SVMOptions{})
		testkit.Is(t, testkit.Err(Predict(ctx, l, m, PredictOptions{Threads: threads})), why, threads, "threads")
	}
	// In the middle of a class, too.
	s := newSolver(m, squares(m, 0), SVMOptions{Loss: L1Loss, C: 1, Positive: 1, Eps: 1e-300, MaxSweeps: math.MaxInt})
	testkit.Is(t, testkit.Err(s.train(ctx, 0)), why)
}
