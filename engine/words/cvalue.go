package words

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file ranks terms of several words by C-value.

// CValue is the name of the ranking by [CValues], which is no measure of [Measures]: it looks at other n-grams,
// not at the words inside.
const CValue Measure = "cvalue"

// CValueOptions say which n-grams are candidates. The zero value takes those of two to four words that
// occur twice or more.
type CValueOptions struct {
	// Least and Most are the numbers of words, from 1 to 5; 0 is 2 and 4.
	Least, Most int
	// Words puts 1 + log2 of the length for log2 of it, so that single words have a value too
	// (Barrón-Cedeño and others 2009).
	Words  bool
	Choice // MinFreq 0 is 2
}

// A Candidate is an n-gram with its C-value.
type Candidate struct {
	Term      string // the words, with one space between
	Words     int
	Frequency int
	Documents int
	Longer    int // longer candidates that contain it
	Nested    int // its occurrences in them, each counted in the shortest one that has it
	CValue    float64
}

// Candidates are n-grams with their C-values, best first: by value, then frequency, then bytes.
type Candidates struct {
	Class      string // "" is the whole corpus
	Passed     int    // all candidates
	Candidates []Candidate
}

// WithDefaults returns the options with the defaults filled in, or a [usage.ErrUsage] for options that are wrong
// whatever the counts.
func (o CValueOptions) WithDefaults() (CValueOptions, error) {
	if o.Least == 0 && o.Most == 0 {
		o.Least, o.Most = 2, 4
	}
	o.MinFreq = cmp.Or(o.MinFreq, 2)
	switch {
	case o.Least < 1 || o.Most < o.Least || o.Most > mostWords:
		return o, usage.Errorf("candidates have from 1 to %d words, not %d to %d", mostWords, o.Least, o.Most)
	case o.Most < 2:
		return o, usage.Errorf("C-values compare n-grams with longer ones: take candidates of several words")
	case o.Least == 1 && !o.Words:
		return o, usage.Errorf("the C-value of a single word is 0: take candidates of two words or more, or lengths with 1 added")
	case o.MinFreq < 1:
		return o, usage.Errorf("the least frequency must be positive, not %d", o.MinFreq)
	}
	return o, o.check()
}

// CValues returns the n-grams that may be terms, with their C-values: log2|a|·(f(a) - t(a)/P(a)), where P is the
// number of longer candidates that contain a, and t the occurrences of a in them, without those where the longer
// one is in a still longer one itself; log2|a|·f(a) if there are none (Frantzi, Ananiadou and Mima
// 2000). There is a list for each class that was asked for and has candidates. If there is no candidate at all,
// the error is [ErrNone].
func CValues(ctx context.Context, from *Source, o CValueOptions) (lists []Candidates, err error) {
	if o, err = o.WithDefaults(); err != nil {
		return nil, err
	}
	s, err := o.search(from, o.Least, o.Most, Positions)
	if err != nil {
		return nil, err
	}
	lists = make([]Candidates, len(s.classes))
	err = pool.Stage(ctx, "c-values", func(ctx context.Context) error {
		return s.eachPassing(ctx, func(g *ngram) {
			of := &lists[g.class].Candidates
			*of = append(*of, Candidate{Term: string(g.name), Words: g.words, Frequency: int(g.occurrences), Documents: int(g.documents)})
		})
	})
	if err != nil {
		return nil, err
	}
	for i := range lists {
		l := &lists[i]
		l.Class, l.Passed = s.classes[i], len(l.Candidates)
		o.judge(l.Candidates)
		if o.Top > 0 {
			l.Candidates = l.Candidates[:min(o.Top, l.Passed)]
		}
	}
	if lists = slices.DeleteFunc(lists, func(l Candidates) bool { return l.Passed == 0 }); len(lists) == 0 {
		return nil, ErrNone
	}
	return lists, nil
}

// judge sets the C-values, and sorts the candidates by them. Longer ones come first: the occurrences of their own
// are known when those inside them are judged.
func (o *CValueOptions) judge(all []Candidate) {
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), strings.Compare(a.Term, b.Term))
	})
	place := make(map[string]int, len(all))
	for i := range all {
		place[all[i].Term] = i
	}
	var inside []int
	for i := range all {
		a := &all[i]
		a.CValue = o.value(a)
		inside = o.runsIn(inside[:0], a, place)
		for _, j := range inside {
			all[j].Longer++
			all[j].Nested += a.Frequency - a.Nested
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.CValue, a.CValue), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Term, b.Term))
	})
}

// runsIn appends the places of the shorter candidates that are in a, each once.
func (o *CValueOptions) runsIn(inside []int, a *Candidate, place map[string]int) []int {
	words := strings.Split(a.Term, " ")
	for n := o.Least; n < len(words); n++ {
		for from := 0; from+n <= len(words); from++ {
			if j, ok := place[strings.Join(words[from:from+n], " ")]; ok && !slices.Contains(inside, j) {
				inside = append(inside, j)
			}
		}
	}
	return inside
}

// value returns the C-value of a candidate whose longer ones are known.
func (o *CValueOptions) value(a *Candidate) float64 {
	length := kernels.Log2(float64(a.Words))
	if o.Words {
		length++
	}
	frequency := float64(a.Frequency)
	if a.Longer > 0 {
		frequency -= float64(a.Nested) / float64(a.Longer)
	}
	return float64(length * frequency)
}
