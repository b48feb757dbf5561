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
