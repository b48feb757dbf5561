package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
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
