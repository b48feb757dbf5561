package learn

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
	if err := m.checkTraining(anyValue); err != nil {
		return nil, err
	}
	if err := checkScopes(scopes, m.Columns, len(m.Classes)); err != nil {
		return nil, err
	}
	models := make([]Model, len(scopes))
	err := pool.Stage(ctx, "scopes", func(ctx context.Context) error {
		parts := partsOf(m, scopes)
		return pool.Run(ctx, threads, len(scopes), func(_, i int) (err error) {
			if len(parts[i].LabelOf) == 0 {
				return nil
			}
			if models[i], err = train(ctx, parts[i]); err != nil {
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

func (s *scoped) shortfall() (never, unconverged int) {
	for _, m := range s.models {
		_, n := m.shortfall()
		unconverged += n
	}
	return len(s.classes) - len(s.scopes), unconverged
}

func (s *scoped) Warnings() (warnings []string) {
	if n, _ := s.shortfall(); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d classes have no terms of their own or no training documents with one: they are never predicted", n, len(s.classes)))
	}
	return append(warnings, unconverged(s.models...)...)
}

// assign appends the classes whose scope takes the row and whose model assigns it.
func (s *scoped) assign(dst []uint32, scores []float64, _ bool) []uint32 {
	from := len(dst)
	var one [1]uint32
	for i, scope := range s.scopes {
		score := scores[scope.Class : scope.Class+1]
		if !math.IsInf(score[0], -1) && len(s.models[i].assign(one[:0], score, true)) > 0 {
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

// A cutter cuts rows to the scopes on one goroutine.
type cutter struct {
	*router
	rows    []scopedRow // by scope
	touched []uint32    // scopes that have an element of the row
	taken   []uint32
}

// A scopedRow is a row cut to a scope.
type scopedRow struct {
	index []uint32
	value []float32
	opens bool
}

// cut returns the scopes that take a row. Their rows, and the list, are valid until the next call.
func (x *cutter) cut(index []uint32, value []float32) (taken []uint32) {
	for _, i := range x.touched {
		row := &x.rows[i]
		row.index, row.value, row.opens = row.index[:0], row.value[:0], false
	}
	x.touched, x.taken = x.touched[:0], append(x.taken[:0], x.open...)
	for j, c := range index {
		if value[j] == 0 {
			continue
		}
		for _, p := range x.to[x.start[c]:x.start[c+1]] {
			row := &x.rows[p.scope]
			if len(row.index) == 0 {
				x.touched = append(x.touched, p.scope)
			}
			if p.opens && !row.opens {
				row.opens, x.taken = true, append(x.taken, p.scope)
			}
			row.index, row.value = append(row.index, p.column), append(row.value, value[j])
		}
	}
	return x.taken
}

// partsOf returns the training rows of each scope: those that it takes, cut to its columns, with its class
// alone.
func partsOf(m *Matrix, scopes []Scope) []*Matrix {
	parts := make([]*Matrix, len(scopes))
	for i, s := range scopes {
		parts[i] = newMatrix(len(s.Columns), m.Classes[s.Class:s.Class+1])
	}
	r := newRouter(scopes, m.Columns)
	x := cutter{router: &r, rows: make([]scopedRow, len(scopes))}
	for row := range m.Rows() {
		for _, i := range x.cut(m.Row(row)) {
			part, own := parts[i], &x.rows[i]
			part.Index, part.Value = append(part.Index, own.index...), append(part.Value, own.value...)
			if slices.Contains(m.Labels(row), scopes[i].Class) {
				part.LabelOf = append(part.LabelOf, 0)
			}
			part.endRow()
		}
	}
	return parts
}

func (s *scoped) newScorer() scorer {
	x := cutter{router: &s.router, rows: make([]scopedRow, len(s.scopes))}
	score := make([]scorer, len(s.models))
	for i, m := range s.models {
		score[i] = m.newScorer()
	}
	return func(index []uint32, value []float32, scores []float64) (evidence bool) {
		for c := range scores {
			scores[c] = math.Inf(-1)
		}
		for _, i := range x.cut(index, value) {
			class := s.scopes[i].Class
			score[i](x.rows[i].index, x.rows[i].value, scores[class:class+1])
			evidence = true
		}
		return evidence
	}
}
