package naive

import "math"

// Relabel is the corpus in which document d has the labels of document order[d].
func Relabel(c Corpus, order []int) Corpus {
	out := Corpus{Terms: c.Terms, Classes: c.Classes}
	for d, from := range order {
		out.Docs = append(out.Docs, Doc{Labels: c.Docs[from].Labels, Counts: c.Docs[d].Counts})
	}
	return out
}

// Resample is the corpus in which document d is there times[d] times. It keeps terms and
// classes that have lost all documents.
func Resample(c Corpus, times []int) Corpus {
	out := Corpus{Terms: c.Terms, Classes: c.Classes}
	for d, n := range times {
		for range n {
			out.Docs = append(out.Docs, c.Docs[d])
		}
	}
	return out
}

// Reached says for a term how many permutations reach its value: at least so many by
// itself and by the largest value of all terms, and at most so many, as values within
// the rounding of this reference may be equal or not.
type Reached struct{ Least, Most, LeastMax, MostMax int }

// PermutationTest tests the terms by relabelled corpora, one for each order. class is -1
// for a combination of the classes' values, else that of the values.
func PermutationTest(c Corpus, measure, combine string, class int, opt Options, orders [][]int) []Reached {
	observed := valuesOf(c, measure, combine, class, opt)
	out := make([]Reached, len(observed))
	for _, order := range orders {
		values := valuesOf(Relabel(c, order), measure, combine, class, opt)
		largest := math.Inf(-1)
		for _, v := range values {
			largest = math.Max(largest, v)
		}
		for t, v := range observed {
			// A sum of class values near 0 is rounded to their size, which is up to
			// this many times its own.
			slack := 1e-9*math.Abs(v) + 1e-9
			if math.IsInf(v, 0) {
				slack = 0
			}
			count(&out[t].Least, &out[t].Most, values[t], v, slack)
			count(&out[t].LeastMax, &out[t].MostMax, largest, v, slack)
		}
	}
	return out
}

// count adds 1 where a value reaches another surely, and where it may.
func count(least, most *int, value, other, slack float64) {
	exact := value == other // perhaps both infinite
	if !exact && value >= other+slack {
		*least++
	}
	if exact || value >= other-slack {
		*most++
	}
}

func valuesOf(c Corpus, measure, combine string, class int, opt Options) []float64 {
	tb := Tabulate(c)
	if class < 0 {
		return tb.Global(measure, combine, opt)
	}
	var values []float64
	for _, row := range tb.Class(measure, opt) {
		values = append(values, row[class])
	}
	return values
}
