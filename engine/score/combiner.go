package score

import "math"

// A combiner makes one value of the class values of a term. A value that is undefined is NaN: the largest value leaves it
// out, and a sum with it is undefined.
type combiner struct {
	*Margins
	how         string // Max, Avg, Sum or Mean
	presentOnly bool   // sums leave out the classes without the term
	groups      *grouping
	left        []int // by group: its classes without the term
}

// needsAbsent reports whether classes without a term that so many classes have count.
func (c *combiner) needsAbsent(present int) bool {
	return present < len(c.NC) && !(c.presentOnly && c.how != Max)
}

// combine returns the value of a term from those of its cells and, by group, of the classes without it, if these count.
func (c *combiner) combine(classes []uint32, values, absent []float64) float64 {
	left := c.left[:0]
	if absent != nil {
		for _, g := range c.groups.groups {
			left = append(left, g.size)
		}
		for _, class := range classes {
			left[c.groups.of[class]]--
		}
		c.left = left
	}
	if c.how == Max {
		return largestOf(values, absent, left)
	}
	sum := 0.0
	for k, v := range values {
		sum += weighted(c.share(classes[k]), v)
	}
	for g, n := range left {
		sum += weighted(float64(c.share(c.groups.groups[g].class)*float64(n)), absent[g])
	}
	if c.how == Mean {
		sum /= float64(len(c.NC))
	}
	if sum != sum {
		return math.NaN()
	}
	return sum + 0
}

// largestOf returns the largest value that is defined, of a term without any NaN.
func largestOf(values, absent []float64, left []int) float64 {
	most := math.NaN()
	for _, v := range values {
		if v > most || most != most {
			most = v
		}
	}
	for g, n := range left {
		if v := absent[g]; n > 0 && (v > most || most != most) {
			most = v
		}
	}
	return most
}

// weighted returns w·v, and 0 for a weight of 0, whatever v is.
func weighted(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return float64(w * v)
}

// share returns the weight of a class in a sum.
func (c *combiner) share(class uint32) float64 {
	if c.how == Avg {
		return c.NC[class] / c.N
	}
	return 1
}
