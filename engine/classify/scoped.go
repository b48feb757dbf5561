package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// scoped has a model for each scope, of one class and of the columns of the scope.
// The score of a class is that of its model, and -Inf for a row that its scope leaves
// out, as for a class without a scope. A row that no scope takes gives no evidence.
//
// Behind Best Terms (see [ScopesOf]) it is the classifier of Fragoudis, Meretakis and
// Likothanassis (KAIS 8(1), 2005): a document without a term for the class is outside
// it at once.
type scoped struct {
	header
	scopes []Scope
	models []Model
	router router
}

// TrainScoped learns every scope's class from the rows that the scope takes, cut to its
// columns. A scope none of whose rows has the class is left out: its class is never
// predicted. train learns one class from the rows of its scope, those in it with the class
// 0, the others with none; it is called from several goroutines. The model is the same for
// any number of threads if those of train are.
func TrainScoped(ctx context.Context, m *Matrix, scopes []Scope, threads int, train func(ctx context.Context, m *Matrix) (Model, error)) (Model, error) {
	return model(trainScoped(ctx, m, scopes, threads, train))
}

func trainScoped(ctx context.Context, m *Matrix, scopes []Scope, threads int, train func(ctx context.Context, m *Matrix) (Model, error)) (*scoped, error) {
	if err := m.checkTraining(); err != nil {
		return nil, err
	}
	if err := checkScopes(scopes, m.Columns, len(m.Classes)); err != nil {
		return nil, err
	}
	models := make([]Model, len(scopes))
	lists := listRows(m, scopes)
	cutters := make([]scopeCutter, pool.Threads(threads))
	err := pool.Stage(ctx, "scopes", func(ctx context.Context) error {
		return pool.Run(ctx, threads, len(scopes), func(worker, i int) (err error) {
			cutters[worker].m = m
			rows := cutters[worker].cut(&scopes[i], scopes[i].rows(lists, m))
			if len(rows.LabelOf) == 0 {
				return nil
			}
			if models[i], err = train(ctx, rows); err != nil {
				return fmt.Errorf("class %q: %w", m.Classes[scopes[i].Class], err)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	s := &scoped{header: headerOf(kindScoped, m, false)}
	for i, model := range models {
		if model != nil {
			s.scopes, s.models = append(s.scopes, scopes[i]), append(s.models, model)
		}
	}
	s.router = newRouter(s.scopes, s.columns)
	return s, nil
}

// Kind is "scoped", and the kind of the models where there are any.
func (s *scoped) Kind() string {
	if len(s.models) == 0 {
		return s.kind
	}
	return s.kind + " " + s.models[0].Kind()
}

// Shortfall returns how many classes are never predicted, and how many are not learnt to
// the end.
func (s *scoped) Shortfall() (never, unconverged int) {
	for _, m := range s.models {
		if m, ok := m.(*linear); ok {
			_, n := m.Shortfall()
			unconverged += n
		}
	}
	return len(s.classes) - len(s.scopes), unconverged
}

func (s *scoped) Warnings() (warnings []string) {
	if n, _ := s.Shortfall(); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d classes have no terms of their own or no training documents with one: they are never predicted", n, len(s.classes)))
	}
	return append(warnings, unconverged(s.models...)...)
}

// Assign appends the classes whose scope takes the row and whose model assigns it.
func (s *scoped) Assign(dst []uint32, scores []float64, _ bool) []uint32 {
	from := len(dst)
	var one [1]uint32
	for i, scope := range s.scopes {
		score := scores[scope.Class : scope.Class+1]
		if !math.IsInf(score[0], -1) && len(s.models[i].Assign(one[:0], score, true)) > 0 {
			dst = append(dst, scope.Class)
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// leastScope is the fewest bytes that a scope takes in a file: its class, the lengths of two
// lists and of the model, and a truth value.
const leastScope = 4*8 + 1

// code codes how many scopes each column has, so that a file has as many bytes as its
// reader needs, and the scopes, each with its model as a file of its own.
func (s *scoped) code(c *coder) {
	var sizes []uint32
	if !c.reads {
		sizes = s.router.sizes()
	}
	c.uint32s(&sizes)
	if c.reads && len(sizes) != s.columns {
		c.fail("scopes of %d columns of %d", len(sizes), s.columns)
		return
	}
	n := c.length(len(s.scopes), leastScope)
	if c.reads {
		s.scopes, s.models = make([]Scope, n), make([]Model, n)
	}
	for i := range s.scopes {
		if s.codeScope(c, &s.scopes[i], &s.models[i]); c.err != nil {
			return
		}
	}
	if !c.reads {
		return
	}
	if err := checkScopes(s.scopes, s.columns, len(s.classes)); err != nil {
		c.fail("%v", err)
		return
	}
	s.router = newRouter(s.scopes, s.columns)
	for column, n := range s.router.sizes() {
		if sizes[column] != n {
			c.fail("column %d is not in %d scopes", column, sizes[column])
			return
		}
	}
}

func (s *scoped) codeScope(c *coder, x *Scope, m *Model) {
	class, needs := int(x.Class), x.Needs != nil
	c.count(&class)
	c.uint32s(&x.Columns)
	c.bool(&needs)
	c.uint32s(&x.Needs)
	c.model(m)
	if !c.hasRead() {
		return
	}
	if x.Class = uint32(class); !needs {
		x.Needs = nil
	}
	if len((*m).Classes()) != 1 || (*m).Columns() != len(x.Columns) {
		c.fail("the model of a scope of %d columns has %d, and %d classes", len(x.Columns), (*m).Columns(), len((*m).Classes()))
	}
}

// A scopeCutter makes the training rows of scopes. It is one goroutine's.
type scopeCutter struct {
	m     *Matrix
	place []uint32 // of a column within the scope, from 1 on; 0 is none
}

// listRows lists the rows that have a column, for those columns that some scope needs.
func listRows(m *Matrix, scopes []Scope) grouping {
	needed := make([]bool, m.Columns)
	for _, s := range scopes {
		for _, c := range s.Needs {
			needed[c] = true
		}
	}
	var some []uint32
	return group(m.Columns, m.Rows(), func(row int) []uint32 {
		some = some[:0]
		index, _ := m.Row(row)
		for _, c := range index {
			if needed[c] {
				some = append(some, c)
			}
		}
		return some
	})
}

// rows returns the rows of a scope, ascending: all of them if the scope needs no column.
func (s *Scope) rows(lists grouping, m *Matrix) (rows []uint32) {
	if s.Needs == nil {
		for i := range m.Rows() {
			rows = append(rows, uint32(i))
		}
		return rows
	}
	for _, c := range s.Needs {
		rows = append(rows, lists.of(int(c))...)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// cut returns the matrix of a scope: the rows cut to its columns, with its class alone.
func (w *scopeCutter) cut(s *Scope, rows []uint32) *Matrix {
	if w.place == nil {
		w.place = make([]uint32, w.m.Columns)
	}
	for i, c := range s.Columns {
		w.place[c] = uint32(i) + 1
	}
	out := newMatrix(len(s.Columns), w.m.Classes[s.Class:s.Class+1])
	for _, r := range rows {
		index, value := w.m.Row(int(r))
		for j, c := range index {
			if at := w.place[c]; at > 0 {
				out.Index, out.Value = append(out.Index, at-1), append(out.Value, value[j])
			}
		}
		if slices.Contains(w.m.Labels(int(r)), s.Class) {
			out.LabelOf = append(out.LabelOf, 0)
		}
		out.endRow()
	}
	for _, c := range s.Columns {
		w.place[c] = 0
	}
	return out
}

// A Scope is what one class is learnt from and told by: columns of its own and rows of
// its own.
type Scope struct {
	Class   uint32
	Columns []uint32 // ascending
	// Needs are those of the Columns, ascending, of which a row must have one: without
	// any it is outside the class, and no model is asked. nil needs none.
	Needs []uint32
}

// ScopesOf gives the scopes of Best Terms over the features of a selection: a class is
// told by its positive and negative terms, and a document without a positive one is
// outside it. A class without a positive term has no scope, and no document can be in
// it. A selection that lacks a term or a class is refused with
// [usage.ErrContradiction].
func ScopesOf(b *bestterms.Choice, s *selection.Selection) (scopes []Scope, err error) {
	if b == nil || s == nil {
		return nil, usage.Errorf("a nil choice or selection was given")
	}
	scopes = []Scope{}
	column := make(map[string]uint32, len(s.Features))
	for i, f := range s.Features {
		column[f.Term] = uint32(i)
	}
	for _, c := range b.Classes {
		class, found := slices.BinarySearch(s.Classes, c.Class)
		if !found {
			return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, c.Class)
		}
		scope := Scope{Class: uint32(class)}
		if scope.Needs, err = columnsOf(c.Positive, column); err != nil {
			return nil, err
		}
		against, err := columnsOf(c.Negative, column)
		if err != nil {
			return nil, err
		}
		if len(scope.Needs) > 0 {
			scope.Columns = slices.Concat(scope.Needs, against)
			slices.Sort(scope.Columns)
			scope.Columns = slices.Compact(scope.Columns)
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// columnsOf gives the columns of terms, ascending.
func columnsOf(terms []bestterms.Term, column map[string]uint32) ([]uint32, error) {
	columns := make([]uint32, len(terms))
	for i, t := range terms {
		at, ok := column[t.Term]
		if !ok {
			return nil, fmt.Errorf("%w: it lacks %q, which Best Terms chose; take both from the same corpus", usage.ErrContradiction, t.Term)
		}
		columns[i] = at
	}
	slices.Sort(columns)
	return columns, nil
}

// checkScopes returns an error unless scopes fit columns and classes: lists ascend, needs
// are among the columns, and no class has two scopes.
func checkScopes(scopes []Scope, columns, classes int) error {
	seen := make([]bool, classes)
	for i, s := range scopes {
		switch {
		case uint64(s.Class) >= uint64(classes):
			return fmt.Errorf("%w: scope %d is of class %d of %d", ErrBadRows, i, s.Class, classes)
		case seen[s.Class]:
			return fmt.Errorf("%w: class %d has two scopes", ErrBadRows, s.Class)
		case !ascend(s.Columns, columns) || !ascend(s.Needs, columns):
			return fmt.Errorf("%w: the columns of class %d do not ascend below %d", ErrBadRows, s.Class, columns)
		case len(s.Columns) == 0:
			return fmt.Errorf("%w: the scope of class %d has no columns", ErrBadRows, s.Class)
		}
		for _, c := range s.Needs {
			if _, found := slices.BinarySearch(s.Columns, c); !found {
				return fmt.Errorf("%w: class %d needs column %d, which it does not have", ErrBadRows, s.Class, c)
			}
		}
		seen[s.Class] = true
	}
	return nil
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

// sizes returns the number of scopes of each column.
func (r *router) sizes() []uint32 {
	sizes := make([]uint32, len(r.start)-1)
	for c := range sizes {
		sizes[c] = r.start[c+1] - r.start[c]
	}
	return sizes
}

func (s *scoped) NewScorer() Scorer {
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
	s       *scoped
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
