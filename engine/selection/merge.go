package selection

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// ErrNotMergeable is wrapped by the errors of [MergeFeatures] for selections whose union is
// not the selection from the whole.
var ErrNotMergeable = usage.NewError(usage.ErrContradiction, "selections that do not merge")

// MergeFeatures merges selections from parts of the same statistics (see
// [table.Table.Split]), in any order and grouping. From all parts it is the selection
// from the whole, to the byte of its features file: the k best of all terms are among the k
// best of each part, in the order of values, document frequencies and bytes.
//
// That holds for a single stage with [Best], [AtLeast] or [FPR], over all classes. What a
// part cannot know of the others is an [ErrNotMergeable]: shares of all terms or of their
// energy (which ocfs records), corrections for all tests, quotas of classes, terms that are
// always kept. Selections that were made in different ways are one as well. Parts that do not
// fit together are an table.ErrParts.
func MergeFeatures(parts ...*Selection) (*Selection, error) {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil, usage.Errorf("no selections, or nil, were given")
	}
	for _, p := range parts {
		if err := p.mergeable(); err != nil {
			return nil, err
		}
		if err := parts[0].sameWay(p); err != nil {
			return nil, err
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	out := *parts[0]
	records := make([]table.Provenance, len(parts))
	stage := out.Stages[0]
	stage.Candidates = 0
	for i, p := range parts {
		records[i] = p.Provenance
		stage.Candidates += p.Stages[0].Candidates
	}
	var err error
	if out.Provenance, err = table.JoinPartRecords(records); err != nil {
		return nil, err
	}
	out.mergeRows(parts, stage.most())
	stage.Terms = len(out.Features)
	out.Stages, out.Warnings = []Stage{stage}, nil
	return &out, nil
}

// Mergeable reports whether [MergeFeatures] merges selections with these options from parts of
// statistics to the selection from the whole.
func (o Options) Mergeable() bool {
	return o.Among == nil && !o.PerClass && !o.RoundRobin && len(o.AlwaysKeep) == 0 && slices.Contains(mergeable, o.Keep.name) &&
		o.By.Measure != rank.OCFS // which records the energy of all terms
}

// mergeable are the names of the criteria by which a term is kept whatever the other parts
// have, or is among the best of its part.
var mergeable = []string{"k", "min-score", "fpr"}

// mergeable returns an error for a selection whose terms depend on more than their values.
func (s *Selection) mergeable() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s; join the statistics of the parts and select from the whole", ErrNotMergeable, fmt.Sprintf(format, args...))
	}
	if len(s.Stages) != 1 {
		return bad("they have %d stages, and a part cannot know the terms of the others", len(s.Stages))
	}
	stage := s.Stages[0]
	name, _, _ := strings.Cut(stage.Criterion, " ")
	switch {
	case !slices.Contains(mergeable, name):
		return bad("what %s keeps depends on the terms of all parts", stage.Criterion)
	case stage.Quota != "" || stage.Trial != nil:
		return bad("what each class, or a classifier, takes depends on the terms of all parts")
	case len(stage.Energy) > 0:
		return bad("%s records the energy of all terms", stage.Measure)
	case !slices.IsSortedFunc(s.Features, Feature.before) || s.keptMore(name, stage):
		return bad("some terms were kept whatever their value")
	}
	return nil
}

// keptMore reports whether the selection has terms that its criterion, called name, does not
// keep.
func (s *Selection) keptMore(name string, stage Stage) bool {
	if name == "k" {
		return len(s.Features) > stage.most()
	}
	bound, err := strconv.ParseFloat(strings.TrimPrefix(stage.Criterion, name+" "), 64)
	return err != nil || slices.ContainsFunc(s.Features, func(f Feature) bool {
		if name == "fpr" {
			return f.Log10P > math.Log10(bound)
		}
		return f.Score < bound
	})
}

// sameWay returns an error unless two selections were made in the same way from parts of
// statistics with the same totals.
func (s *Selection) sameWay(o *Selection) error {
	a, b := s.Stages[0], o.Stages[0]
	for _, stage := range []*Stage{&a, &b} {
		stage.Candidates, stage.Terms, stage.Energy, stage.Trial = 0, 0, nil, nil
	}
	factors := slices.Equal(slices.Sorted(maps.Keys(s.Factors)), slices.Sorted(maps.Keys(o.Factors)))
	if fmt.Sprint(a) != fmt.Sprint(b) || s.PValues != o.PValues || !factors {
		return fmt.Errorf("%w: they were not selected in the same way: one by %s, %s, %s, another by %s, %s, %s, or with other options or columns",
			ErrNotMergeable, a.Measure, a.Combine, a.Criterion, b.Measure, b.Combine, b.Criterion)
	}
	if s.Documents != o.Documents || !slices.Equal(s.Classes, o.Classes) {
		return fmt.Errorf("%w: they are from %d and %d documents, or from other classes", ErrNotMergeable, s.Documents, o.Documents)
	}
	return nil
}

// most returns the k of a stage, or -1 if its criterion keeps as many as there are.
func (s Stage) most() int {
	if k, ok := strings.CutPrefix(s.Criterion, "k "); ok {
		if n, err := strconv.Atoi(k); err == nil {
			return n
		}
	}
	return -1
}

// before compares features by rank, the better one first.
func (f Feature) before(o Feature) int {
	x, y := rank.NewCandidate(0, f.Score).Key, rank.NewCandidate(0, o.Score).Key
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(o.DF, f.DF), strings.Compare(f.Term, o.Term))
}

// mergeRows sets the features of s, and their factors, to the best of those of all parts: at
// most so many, or all if most is negative.
func (s *Selection) mergeRows(parts []*Selection, most int) {
	type row struct {
		Feature
		from *Selection
	}
	var rows []row
	for _, p := range parts {
		for _, f := range p.Features {
			rows = append(rows, row{f, p})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return a.before(b.Feature) })
	if most >= 0 {
		rows = rows[:min(most, len(rows))]
	}
	factors := s.Factors
	s.Features, s.Factors, s.Names = make([]Feature, len(rows)), nil, nil // parts were not read for names
	if factors != nil {
		s.Factors = make(map[string][]float64, len(factors))
	}
	for name := range factors {
		s.Factors[name] = make([]float64, len(rows))
	}
	for i, r := range rows {
		for name := range factors {
			s.Factors[name][i] = r.from.Factors[name][r.Rank-1]
		}
		s.Features[i] = r.Feature
		s.Features[i].Rank = i + 1
	}
}
