package main

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// rankOptions are the options of ts_rank.
type rankOptions struct {
	scoring
	by      []string
	classes []string // nil for all
	top     rowCount
	correct string
	plans   []rank.Plan
}

func (o *rankOptions) settings() []usage.Setting {
	return append(o.scoring.settings(rank.ByClass), []usage.Setting{
		{Name: "by", To: &o.by, Default: []string{"chi"}, Help: "a measure or a list, as of score"},
		{Name: "class", To: &o.classes, Help: "these classes alone, a name or a list"},
		{Name: "top", To: &o.top, Help: "the most terms of each list"},
		{Name: "correct", To: &o.correct, Default: words.Holm, Help: `how they are corrected for all terms of a list: "holm", "bh", "none"`},
	}...)
}

// validate finds errors in the options before any term is ranked.
func (o *rankOptions) validate(map[string]bool) {
	switch {
	case len(o.by) == 0:
		panic(refused("option \"by\" has no measure"))
	case o.classes != nil && len(o.classes) == 0:
		panic(refused("option \"class\" has no class"))
	}
	need(words.KeynessOptions{Correction: o.correct}.WithDefaults())
	for _, measure := range o.by {
		m := need(methods.ParseMeasure(measure, o.options(measure)))
		p := need(m.Resolve())
		if o.classes != nil && p.Combination() != rank.ByClass {
			panic(refused("option \"class\" is for values of classes, and %s has one for a term", measure))
		}
		o.plans = append(o.plans, p)
	}
}

// A ranking is terms with their values by measures, one measure after the other, and for each
// one class after the other, best first.
type ranking struct {
	measures, classes, terms []int32 // by number; -1 for no class
	numbers                  [rankingColumns][]float64
}

// The columns of the numbers of a ranking.
const (
	valueColumn = iota
	dfColumn
	aColumn
	bColumn
	cColumn
	dColumn
	signColumn
	log10PColumn
	correctedColumn
	rankingColumns
)

// rankTerms ranks the terms of a corpus or of statistics. It returns warnings, too.
func rankTerms(ctx context.Context, c *counted, o *rankOptions) (*ranking, []string) {
	out, s := &ranking{}, c.counts(ctx)
	var warnings []string
	for i, p := range o.plans {
		lists := &rankedLists{ranking: out, o: o, measure: int32(i)}
		if p.Combination() == rank.ByClass {
			lists.byClass(ctx, s, p)
		} else {
			for _, r := range need(rank.ByPlans(ctx, c.whole(), p)) {
				lists.add(ctx, r)
			}
		}
		warnings = append(warnings, lists.doubts.Warnings()...)
		warnings = append(warnings, lists.warnings...)
	}
	slices.Sort(warnings)
	return out, slices.Compact(warnings)
}

// rankedLists are the lists of one measure.
type rankedLists struct {
	*ranking
	o        *rankOptions
	measure  int32
	doubts   rank.Reliability
	warnings []string
}

// mostAtOnce is the number of values of terms for classes that are held at once.
const mostAtOnce = 1 << 23

// byClass adds the list of each class that is asked for.
func (l *rankedLists) byClass(ctx context.Context, s *table.Table, p rank.Plan) {
	classes := l.numbersOf(s.Classes())
	for some := range slices.Chunk(classes, max(1, mostAtOnce/max(1, s.Cells.Terms()))) {
		for _, r := range need(p.Classes(ctx, s, some...)) {
			l.add(ctx, r)
		}
	}
}

// numbersOf returns the numbers of the classes that are asked for.
func (l *rankedLists) numbersOf(known []string) (numbers []int) {
	if l.o.classes == nil {
		for k := range known {
			numbers = append(numbers, k)
		}
	}
	for _, name := range l.o.classes {
		k, ok := slices.BinarySearch(known, name)
		if !ok {
			check(usage.Unknown("class", name, known))
		}
		numbers = append(numbers, k)
	}
	return numbers
}

// add adds the best terms of a ranking, and gives its memory back.
func (l *rankedLists) add(ctx context.Context, r *rank.Ranking) {
	top := r.Len()
	if l.o.Positive {
		top -= r.Undefined()
	}
	if l.o.top > 0 {
		top = min(top, int(l.o.top))
	}
	best := rank.TopK(r.Values(), top)
	check(l.doubts.Add(ctx, r, best, l.o.Threads))
	p, corrected := l.pvalues(ctx, r)
	entry, classes := r.Entries(), r.Statistics().Classes()
	for _, t := range best {
		e := entry(t)
		class := classOf(classes, e.Class)
		row := [rankingColumns]float64{
			e.Value, float64(e.DF), float64(e.A), float64(e.B), float64(e.C), float64(e.D), float64(e.Sign), math.NaN(), math.NaN(),
		}
		if class < 0 {
			for column := aColumn; column <= signColumn; column++ {
				row[column] = math.NaN()
			}
		}
		if p != nil {
			row[log10PColumn], row[correctedColumn] = rank.Log10(p[t]), rank.Log10(corrected[t])
		}
		l.measures, l.classes, l.terms = append(l.measures, l.measure), append(l.classes, class), append(l.terms, int32(t))
		for column, v := range row {
			l.numbers[column] = append(l.numbers[column], v)
		}
	}
	l.warnings = append(l.warnings, r.Warnings...)
}

// classOf returns the number of a class, -1 for none.
func classOf(classes []string, name string) int32 {
	k, ok := slices.BinarySearch(classes, name)
	if !ok {
		return -1
	}
	return int32(k)
}

// pvalues returns the natural logarithms of the p-values of all terms of a ranking, and those corrected for their
// number; nil without tests.
func (l *rankedLists) pvalues(ctx context.Context, r *rank.Ranking) (p, corrected []float64) {
	if r.Test == "" {
		return nil, nil
	}
	p, corrected = make([]float64, r.Len()), make([]float64, r.Len())
	check(rank.EachTest(ctx, r.Len(), l.o.Threads, func(i int) { p[i] = r.LnP(i) }))
	switch l.o.correct {
	case words.Holm:
		pvalue.AdjustHolm(corrected, p)
	case words.BH:
		pvalue.AdjustFDR(corrected, p)
	default:
		copy(corrected, p)
	}
	return p, corrected
}

// columns are the numbers of the measures, classes and terms, and the columns of numbers one behind the other.
func (r *ranking) columns() []column {
	return []column{
		numbers(r.measures...), numbers(r.classes...), numbers(r.terms...),
		columnOf(rankingColumns*len(r.terms), func(to []float64) {
			for i, column := range r.numbers {
				copy(to[i*len(r.terms):], column)
			}
		}),
	}
}
