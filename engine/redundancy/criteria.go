package redundancy

// A candidate is a term with a bound of its value that needs only some of the chosen
// terms. Beside m of them the bound is base + m·slope, and is the value once the
// candidate has met all m.
type candidate struct {
	base  wide
	slope int64
	limit int64  // of the bounds, or where values are totals of the mth part of them
	met   uint32 // chosen terms, in their order; or taken
	term  uint32
	set   *set // nil until it meets one
}

// taken marks a candidate that was chosen.
const taken = 1<<32 - 1

// bound is at least the value that the candidate has beside m chosen terms.
func (c *candidate) bound(m int) wide { return c.base.plusProduct(int64(m), c.slope) }

// A criterion is what terms are chosen by, from the second on. The first is always
// the one of the largest I(f;C).
type criterion struct {
	// begin gives a candidate its bound, by I(f;C) and what is at least H(f).
	begin func(c *candidate, relevance, most int64)
	// meet takes in what the next chosen term gives: I(f;C|s) if classes, else I(f;s).
	meet    func(c *candidate, v int64)
	classes bool
	// total says that values are sums over the chosen terms s; joint that ΣI(s;C) is to
	// be added, and mean that their number divides the result.
	total, joint, mean bool
}

// The criteria, see [Select].
const (
	MRMR = "mrmr"
	JMI  = "jmi"
	CMIM = "cmim"
)

// Names lists the names of the criteria.
func Names() []string { return []string{MRMR, JMI, CMIM} }

// criterionOf finds a criterion; nil where there is none of that name.
func criterionOf(name string) *criterion {
	switch name {
	case MRMR:
		// m·I(f;C) - ΣI(f;s). I(f;s) >= 0, so some of the sum bound it.
		return &criterion{
			total: true, mean: true,
			begin: func(c *candidate, relevance, _ int64) { c.slope, c.limit = relevance, relevance },
			meet:  func(c *candidate, v int64) { c.base = c.base.plus(-v) },
		}
	case JMI:
		// ΣI(f,s;C) - ΣI(s;C) = ΣI(f;C|s). A term that was not met may give H(f).
		return &criterion{
			total: true, joint: true, classes: true,
			begin: func(c *candidate, _, most int64) { c.slope, c.limit = most, most },
			meet:  func(c *candidate, v int64) { c.base = c.base.plus(v - c.slope) },
		}
	case CMIM:
		// min I(f;C|s): the least so far bounds it.
		return &criterion{
			classes: true,
			begin:   func(c *candidate, _, most int64) { c.base, c.limit = whole(most), most },
			meet: func(c *candidate, v int64) {
				if w := whole(v); w.less(c.base) {
					c.base = w
				}
			},
		}
	}
	return nil
}
