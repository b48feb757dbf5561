package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// An askedMeasure is a plan, or chi-square as scikit-learn has it.
type askedMeasure struct {
	plan    rank.Plan
	sklearn bool
}

// scoreOptions are the options of score, and, with byClass, of score_classes.
type scoreOptions struct {
	scoring
	byClass  bool
	by       []string
	target   []float64 // the numbers of the classes; nil for none
	measures []askedMeasure
}

func (o *scoreOptions) settings() []usage.Setting {
	combine := rank.Combination("")
	if o.byClass {
		combine = rank.ByClass
	}
	return append(o.scoring.settings(combine, "positive", "p-values", "exact"), []usage.Setting{
		{
			Name: "by", To: &o.by, Default: []string{"chi"},
			Help: `a measure or a list, each also as "ttest:avg", or a formula as "mine=A*D/(B*C)"; "sklearn-chi2" is scikit-learn's chi2, of sums of values, to 1e-12`,
		},
		{Name: "target", To: &o.target, Help: "the numbers of the classes by number, each different, for the measures of a target, which need it"},
	}...)
}

// validate resolves the measures.
func (o *scoreOptions) validate(map[string]bool) {
	if len(o.by) == 0 {
		panic(refused("option \"by\" has no measure"))
	}
	for _, measure := range o.by {
		c := o.asked(measure)
		switch combined := !c.sklearn && c.plan.Combination() == rank.ByClass; {
		case combined && !o.byClass:
			panic(refused("the combination class gives a value for each class, and one value for each term is needed here"))
		case o.byClass && !combined:
			panic(refused("%s has one value for a term here, and a value for each class is needed: omit the combination", measure))
		}
		if of := c.plan.OfTarget(); of != (o.target != nil) {
			panic(wrongTarget(measure, of))
		}
		o.measures = append(o.measures, c)
	}
}

// rows returns the rows of values: one a measure, or one a measure and class.
func (o *scoreOptions) rows(classes int) int {
	if o.byClass {
		return len(o.measures) * classes
	}
	return len(o.measures)
}

// wrongTarget is the error for a measure of a target without one, or for another measure with one.
func wrongTarget(measure string, ofTarget bool) refusal {
	if ofTarget {
		return refused("%s compares terms with a number of each document: option \"target\" must have those of the classes", measure)
	}
	var names []string
	for _, m := range rank.TargetMeasures() {
		names = append(names, m.Name)
	}
	return refused("%s compares classes, and option \"target\" makes numbers of them: take one of %s, or omit the target", measure, strings.Join(names, ", "))
}

// asked returns a measure, possibly with a combination behind a colon.
func (s *scoring) asked(measure string) askedMeasure {
	if measure == sklearnChi2 {
		return askedMeasure{sklearn: true}
	}
	o, err := methods.ParseMeasure(measure, s.options(measure))
	if unknown, ok := errors.AsType[*usage.UnknownError](err); ok && unknown.Kind == "measure" {
		more := rank.UnknownMeasure(unknown.Kind, unknown.Name, append(slices.Clone(unknown.Known), sklearnChi2))
		more.Remedy = cmp.Or(more.Remedy, unknown.Remedy)
		err = more
	}
	check(err)
	if o.Measure == rank.OCFS && o.Weight != "" && o.Weight != "tf" && o.Weight != "binary" {
		panic(refused("of a matrix ocfs reads the weights that are in it: option \"weight\" must be tf or binary, not %q", o.Weight))
	}
	if o.Measure == rank.Spearman && o.Weight != table.Binary {
		panic(refused("of a matrix spearman compares presence with the numbers: option \"weight\" must be \"binary\""))
	}
	if o.Weight == table.Share {
		panic(refused("of a matrix %s reads the values that are in it: divide each row by its sum for shares", measure))
	}
	return askedMeasure{plan: need(o.Resolve())}
}

// ofMatrix computes the values of all terms of a matrix, as score does.
func (o *scoreOptions) ofMatrix(ctx context.Context, x sparse, l *labels, terms int, scores, df []float64) (warnings []string) {
	if o.target != nil && len(o.target) != l.classes {
		panic(refused("option \"target\" has %d numbers for %d classes", len(o.target), l.classes))
	}
	var classes []string // names of those of a target
	for _, v := range o.target {
		classes = append(classes, strconv.FormatFloat(v+0, 'g', -1, 64))
	}
	y := &matrix.Labels{Classes: l.classes, Of: l.of, Start: l.start, ByNumber: true}
	if direct := o.direct(classes, terms, scores, df); direct != nil {
		if need(x.Score(ctx, y, direct)) {
			return nil
		}
	}
	s := need(x.Statistics(ctx, y, matrix.Options{Classes: classes, Threads: o.Threads}))
	return o.score(ctx, s, matrix.Columns(s), l, terms, scores, df)
}

// direct returns a request for values without statistics, or nil if some measure may have
// warnings or needs more.
func (o *scoreOptions) direct(classes []string, terms int, scores, df []float64) *matrix.Request {
	request := &matrix.Request{Classes: classes, DF: df, Threads: o.Threads}
	for j, c := range o.measures {
		combine := c.plan.Combination()
		if c.sklearn || !c.plan.FromCells() || c.plan.OfTarget() || c.plan.UsesTokens() || c.plan.Formula() != "" || combine != "" && combine != rank.Max {
			return nil
		}
		request.Choices = append(request.Choices, c.plan.Choice())
		request.Values = append(request.Values, scores[j*terms:][:terms])
	}
	return request
}

// score computes the values of all terms: those of measure j are scores[j*terms:][:terms], or by class those
// of measure j and class k scores[(j*classes+k)*terms:][:terms].
// place has the column of each term of the statistics. A column without a document has the
// value NaN, and df 0.
func (o *scoreOptions) score(ctx context.Context, s *table.Table, place []uint32, l *labels, terms int, scores, df []float64) (warnings []string) {
	var plans []rank.Plan
	for _, c := range o.measures {
		if !c.sklearn && !o.byClass {
			plans = append(plans, c.plan)
		}
	}
	rankings := need(rank.ByPlans(ctx, s, plans...))
	size := o.rows(l.classes) / len(o.measures) * terms
	for j, c := range o.measures {
		rows := scores[j*size:][:size]
		if len(place) < terms || o.byClass {
			fill(rows, math.NaN())
		}
		switch {
		case o.byClass:
			warnings = append(warnings, c.plan.Warnings(s)...)
			check(scoreClasses(ctx, c.plan, s, place, l.present(), terms, rows))
		case c.sklearn:
			chiOfSums(s, place, rows)
		default:
			put(rows, place, rankings[0].Values())
			warnings = append(warnings, rankings[0].Warnings...)
			rankings = rankings[1:]
		}
	}
	if df != nil {
		fill(df, 0)
		for t, n := range s.Cells.DF {
			df[place[t]] = float64(n)
		}
	}
	slices.Sort(warnings)
	return slices.Compact(warnings)
}

// scoreClasses stores the values of terms for each class: those of the i-th class of the
// statistics in the row of its number in the labels, numbers[i].
func scoreClasses(ctx context.Context, p rank.Plan, s *table.Table, place []uint32, numbers []int32, terms int, rows []float64) error {
	classes := make([]int, len(numbers))
	for i := range classes {
		classes[i] = i
	}
	return p.EachByClass(ctx, s, classes, func(t int, values []float64) {
		for i, v := range values {
			rows[int(numbers[i])*terms+int(place[t])] = v
		}
	})
}

// measures returns the list of ts_measures.
func measures() []byte {
	var list []map[string]any
	for _, m := range rank.EveryMeasure() {
		list = append(list, map[string]any{
			"name": m.Name, "title": m.Title, "formula": m.Formula, "source": m.Source, "default": m.Default,
			"classes": m.Combinable, "tokens": m.UsesTokens, "p-values": rank.HasPValues(rank.Measure(m.Name)), "target": m.Target,
		})
	}
	return need(json.Marshal(list))
}

// put stores the values of terms in their columns.
func put(row []float64, place []uint32, values []float64) {
	for t, v := range values {
		row[place[t]] = v
	}
}

func fill(row []float64, v float64) {
	for i := range row {
		row[i] = v
	}
}

// sklearnChi2 is the name of chi-square as scikit-learn's function chi2 computes it.
const sklearnChi2 = "sklearn-chi2"

// chiOfSums stores the chi-square statistic of scikit-learn for each term: it compares the
// sums of the term's values in the classes with those that the shares of the classes among
// the documents let expect,
//
//	Σ_c (S_c - E_c)² / E_c,  E_c = S·n_c/N,
//
// where the statistic of a contingency table of documents, the measure chi, counts documents
// with and without the term. Classes without the term add E_c, so it costs a term its cells.
func chiOfSums(s *table.Table, place []uint32, row []float64) {
	labelled := 0.0
	for _, n := range s.Cells.ClassDocs {
		labelled += n
	}
	var tile table.Tile
	s.Cells.Tiles(&tile, 0, s.Cells.Terms(), true, func(t *table.Tile) {
		for i, cf := range t.CF[:len(t.DF)] {
			mean, sum, absent := cf/s.Cells.Documents, 0.0, labelled
			from, to := t.Range(i)
			for j, c := range t.Class[from:to] {
				documents := s.Cells.ClassDocs[c]
				expected := float64(mean * documents)
				d := t.S[from+j] - expected
				sum += float64(d*d) / expected
				absent -= documents
			}
			row[place[t.First+i]] = sum + float64(mean*absent)
		}
	})
}

// best returns the numbers of the k best terms, best first: by value, then by df, both
// descending, then by number. df is nil if it decides nothing. NaN ranks last.
func best(values, df []float64, k int) []int {
	top := rank.TopK(values, min(k, len(values))) // which takes the first of those that tie
	if df == nil || len(top) == 0 {
		return top
	}
	key := func(t int) uint64 { return rank.NewCandidate(t, values[t]).Key }
	k, last := len(top), key(top[len(top)-1])
	top = top[:0]
	for t := range values {
		if key(t) >= last {
			top = append(top, t)
		}
	}
	slices.SortFunc(top, func(a, b int) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(df[b], df[a]), cmp.Compare(a, b))
	})
	return top[:k]
}

// A sparse matrix is one of the types that a caller's can have.
type sparse interface {
	Statistics(ctx context.Context, y *matrix.Labels, o matrix.Options) (*table.Table, error)
	Score(ctx context.Context, y *matrix.Labels, r *matrix.Request) (bool, error)
	Sums(ctx context.Context, sums []float64) error
	Shares(ctx context.Context, threads int, weights []float64, root bool, to []float64) error
}

// matrixAt checks the caller's matrix.
func matrixAt(at uintptr) (*callerMatrix, sparse) {
	m := structAt[callerMatrix](at, "matrix")
	sized(m.structSize, unsafe.Sizeof(*m), "matrix", "ts_matrix")
	switch {
	case m.layout != layoutRows && m.layout != layoutColumns:
		panic(refused("matrix.layout is %d: it must be TS_ROWS or TS_COLUMNS", m.layout))
	case m.documents < 1 || m.documents > 1<<31-1:
		panic(refused("matrix.documents is %d: it must be in [1, 2^31)", m.documents))
	case m.terms < 1 || m.terms > 1<<31-1:
		panic(refused("matrix.terms is %d: it must be in [1, 2^31)", m.terms))
	case m.indexType == typeInt32:
		return m, sparseOfIndex[int32](m)
	case m.indexType == typeInt64:
		return m, sparseOfIndex[int64](m)
	}
	panic(refused("matrix.index_type is %d: it must be TS_INT32 or TS_INT64", m.indexType))
}

// sparseOfIndex is the matrix for a type of indices. Values of few bits are copied: the matrix is compiled for three
// types of values, each of 13 KB.
func sparseOfIndex[I matrix.Index](m *callerMatrix) sparse {
	switch m.valueType {
	case typeNone:
		if m.values != 0 {
			panic(refused("matrix.value_type is TS_NONE, so matrix.values must be NULL"))
		}
		return sparseOf[I](m, func(*callerMatrix) []int64 { return nil })
	case typeInt32:
		return sparseOf[I](m, widened[int32])
	case typeInt64:
		return sparseOf[I](m, valuesOf[int64])
	case typeFloat32:
		return sparseOf[I](m, valuesOf[float32])
	case typeFloat64:
		return sparseOf[I](m, valuesOf[float64])
	case typeUint8:
		return sparseOf[I](m, widened[uint8])
	}
	panic(refused("matrix.value_type is %d: it must be TS_NONE, TS_INT32, TS_INT64, TS_FLOAT32, TS_FLOAT64 or TS_UINT8", m.valueType))
}

func valuesOf[V any](m *callerMatrix) []V { return sliceOf[V](m.values, m.stored, "matrix.values") }

func widened[V uint8 | int32](m *callerMatrix) []int64 {
	narrow := valuesOf[V](m)
	values := make([]int64, len(narrow))
	for i, v := range narrow {
		values[i] = int64(v)
	}
	return values
}

// sparseOf is the matrix of a type of indices with values.
func sparseOf[I matrix.Index, V matrix.Value](m *callerMatrix, values func(m *callerMatrix) []V) sparse {
	x := &matrix.Matrix[I, V]{Documents: int(m.documents), Terms: int(m.terms), ByColumn: m.layout == layoutColumns}
	lines := m.documents
	if x.ByColumn {
		lines = m.terms
	}
	x.Start = sliceOf[I](m.start, lines+1, "matrix.start")
	x.Index = sliceOf[I](m.indices, m.stored, "matrix.indices")
	x.Values = values(m)
	return x
}
