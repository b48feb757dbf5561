package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// ScopedOptions say how [TrainScoped] learns.
type ScopedOptions struct {
	// Train learns one class from the rows of its scope, those in it with the class 0,
	// the others with none; nil is a linear SVM. It is called from several goroutines.
	Train   func(ctx context.Context, m *Matrix) (Model, error)
	Threads int // 0 is GOMAXPROCS
}

// A Scoped has a model for each scope, of one class and of the columns of the scope.
// The score of a class is that of its model, and -Inf for a row that its scope leaves
// out, as for a class without a scope. A row that no scope takes gives no evidence.
//
// Behind Best Terms (see [ScopesOf]) it is the classifier of Fragoudis, Meretakis and
// Likothanassis (KAIS 8(1), 2005): a document without a term for the class is outside
// it at once.
type Scoped struct {
	header
	scopes []Scope
	models []Model
	router router
}

// TrainScoped learns every scope's class from the rows that the scope takes, cut to its
// columns. A scope none of whose rows has the class is left out: its class is never
// predicted. The model is the same for any number of threads if those of Train are.
func TrainScoped(ctx context.Context, m *Matrix, scopes []Scope, o ScopedOptions) (*Scoped, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	if err := checkScopes(scopes, m.Columns, len(m.Classes)); err != nil {
		return nil, err
	}
	if o.Train == nil {
		o.Train = func(ctx context.Context, m *Matrix) (Model, error) {
			return model(TrainSVM(ctx, m, SVMOptions{Threads: 1}))
		}
	}
	models := make([]Model, len(scopes))
	lists := listRows(m, scopes)
	cutters := make([]scopeCutter, pool.Threads(o.Threads))
	err := pool.Stage(ctx, "scopes", func(ctx context.Context) error {
		return pool.Run(ctx, o.Threads, len(scopes), func(worker, i int) (err error) {
			cutters[worker].m = m
			rows := cutters[worker].cut(&scopes[i], lists.of(&scopes[i], m))
			if len(rows.LabelOf) == 0 {
				return nil
			}
			if models[i], err = o.Train(ctx, rows); err != nil {
				return fmt.Errorf("class %q: %w", m.Classes[scopes[i].Class], err)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	s := &Scoped{header: headerOf(kindScoped, m, m.sizes())}
	for i, model := range models {
		if model != nil {
			s.scopes, s.models = append(s.scopes, scopes[i]), append(s.models, model)
		}
	}
	s.router = newRouter(s.scopes, s.columns)
	return s, nil
}

// Kind is "scoped", and the kind of the models where there are any.
func (s *Scoped) Kind() string {
	if len(s.models) == 0 {
		return s.kind
	}
	return s.kind + " " + s.models[0].Kind()
}

// Scopes are those that were learnt. The slice must not be modified.
func (s *Scoped) Scopes() []Scope { return s.scopes }

// Model is that of a scope, by its place in Scopes.
func (s *Scoped) Model(i int) Model { return s.models[i] }

// Warnings say what a user should know of the training, a sentence each.
func (s *Scoped) Warnings() (warnings []string) {
	if n := len(s.classes) - len(s.scopes); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d classes have no terms of their own or no training documents with one: they are never predicted", n, len(s.classes)))
	}
	return append(warnings, unconverged(s.models...)...)
}

// Assign appends the classes whose scope takes the row and whose model assigns it.
func (s *Scoped) Assign(dst []uint32, scores []float64, _ bool) []uint32 {
	from := len(dst)
	var one [1]uint32
	for i, scope := range s.scopes {
		if score := scores[scope.Class]; !math.IsInf(score, -1) && len(assignerOf(s.models[i]).Assign(one[:0], scores[scope.Class:scope.Class+1], true)) > 0 {
			dst = append(dst, scope.Class)
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// A router has, for every column, the scopes that it belongs to: a row is cut to all of
// them in one pass over its elements, however many scopes there are.
type router struct {
	start []uint32 // columns + 1
	to    []destination
	open  []uint32 // scopes that need nothing
}

type destination struct {
	scope, column uint32
	opens         bool // the scope takes a row that has the column
}

func newRouter(scopes []Scope, columns int) router {
	r := router{start: make([]uint32, columns+1)}
	for i, s := range scopes {
		for _, c := range s.Columns {
			r.start[c+1]++
		}
		if s.Needs == nil {
			r.open = append(r.open, uint32(i))
		}
	}
	for c := range columns {
		r.start[c+1] += r.start[c]
	}
	r.to = make([]destination, r.start[columns])
	next := slices.Clone(r.start)
	for i, s := range scopes {
		for j, c := range s.Columns {
			_, opens := slices.BinarySearch(s.Needs, c)
			r.to[next[c]] = destination{uint32(i), uint32(j), opens}
			next[c]++
		}
	}
	return r
}

// NewScorer makes a scorer for one goroutine. It leaves out columns that the model does
// not know.
func (s *Scoped) NewScorer() Scorer {
	x := &scopedScorer{s: s, rows: make([]scopedRow, len(s.scopes)), scorers: make([]Scorer, len(s.scopes))}
	for i, m := range s.models {
		x.scorers[i] = m.NewScorer()
	}
	for _, i := range s.router.open {
		x.rows[i].taken = true
	}
	return x
}

type scopedScorer struct {
	s       *Scoped
	scorers []Scorer
	rows    []scopedRow // by scope
	touched []uint32    // scopes that have an element of the row
	score   [1]float64
}

// A scopedRow is a row cut to a scope.
type scopedRow struct {
	index []uint32
	value []float32
	taken bool
}

func (x *scopedScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	for c := range scores {
		scores[c] = math.Inf(-1)
	}
	x.route(index, value)
	for _, i := range x.s.router.open {
		x.ask(i, scores)
		evidence = true
	}
	for _, i := range x.touched {
		row := &x.rows[i]
		if row.taken && x.s.scopes[i].Needs != nil {
			x.ask(i, scores)
			evidence, row.taken = true, false
		}
		row.index, row.value = row.index[:0], row.value[:0]
	}
	return evidence
}

// route cuts a row to the scopes.
func (x *scopedScorer) route(index []uint32, value []float32) {
	r := &x.s.router
	x.touched = x.touched[:0]
	for j, c := range index {
		if int(c) >= x.s.columns || value[j] == 0 {
			continue
		}
		for _, p := range r.to[r.start[c]:r.start[c+1]] {
			row := &x.rows[p.scope]
			if len(row.index) == 0 {
				x.touched = append(x.touched, p.scope)
			}
			row.index, row.value = append(row.index, p.column), append(row.value, value[j])
			row.taken = row.taken || p.opens
		}
	}
}

func (x *scopedScorer) ask(i uint32, scores []float64) {
	row := &x.rows[i]
	x.scorers[i].Score(row.index, row.value, x.score[:])
	scores[x.s.scopes[i].Class] = x.score[0]
}
