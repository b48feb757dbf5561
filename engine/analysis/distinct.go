package analysis

import (
	"math"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Distinct estimates how many distinct terms there are, by adaptive sampling (Wegman; Flajolet, "On adaptive
// sampling", Computing 43, 1990): it keeps the 64-bit fingerprints of terms below a bound, which it halves
// when they become too many. What is kept depends neither on the order of terms nor on how they
// are divided among samples that are joined. The zero value is empty.
type Distinct struct {
	slots    []uint64 // the fingerprints, 0 where it is free: twice as many as are kept at most
	kept     int
	halvings int
}

// mostSampled is the greatest number of fingerprints that are kept, between half of which and all are in use:
// the standard error is 0.8 to 1.1 %.
const mostSampled = 1 << 14

// fingerprint returns that of a term's bytes.
func fingerprint(term []byte) uint64 { return xxh3.Hash(term) }

// joinPrints returns the fingerprint of an n-gram, from that of the n-gram before its last word and that word's.
func joinPrints(front, word uint64) uint64 {
	high, low := bits.Mul64(front^0x9e3779b97f4a7c15, word^0xd1b54a32d192ed03)
	return high ^ low
}

// bound returns the least fingerprint that is not kept, less one.
func (d *Distinct) bound() uint64 { return math.MaxUint64 >> d.halvings }

// add adds the fingerprint of a term. One in 2^64 terms has none.
func (d *Distinct) add(print uint64) {
	if print > d.bound() || print == 0 {
		return
	}
	if d.slots == nil {
		d.slots = make([]uint64, 2*mostSampled)
	}
	for i := print; ; i++ {
		switch s := &d.slots[i&(2*mostSampled-1)]; *s {
		case print:
			return
		case 0:
			*s = print
			for d.kept++; d.kept > mostSampled; {
				d.below(d.halvings + 1)
			}
			return
		}
	}
}

// below keeps the fingerprints below the bound after so many halvings.
func (d *Distinct) below(halvings int) {
	all := d.slots
	d.slots, d.kept, d.halvings = nil, 0, halvings
	for _, print := range all {
		d.add(print)
	}
}

// Join adds the terms of another sample.
func (d *Distinct) Join(o *Distinct) {
	d.below(max(d.halvings, o.halvings))
	for _, print := range o.slots {
		d.add(print)
	}
}

// Terms returns the number of distinct terms and its standard error, which is 0 where all were kept.
func (d *Distinct) Terms() (terms, deviation float64) {
	scale := math.Ldexp(1, d.halvings)
	n := float64(d.kept)
	return n * scale, math.Sqrt(n*(1-1/scale)) * scale
}

// Collisions say how terms fall together in columns. The errors are standard errors: those of the number of
// terms, and of where chance puts them.
type Collisions struct {
	Terms, TermsError                 float64 // distinct terms
	Columns                           float64 // columns that have a term
	SharedTerms, SharedTermsError     float64 // share of the terms that are not alone in their column, 0 to 1
	SharedColumns, SharedColumnsError float64 // share of Columns that have several terms, 0 to 1
}

// Collisions estimates how the terms fall together in 2^bits columns, each of which a hash takes with the same
// probability. The variances are those of numbers of urns that balls have been thrown into: Johnson and Kotz,
// "Urn Models and Their Application" (1977), chapter 3.
func (d *Distinct) Collisions(hashBits int) Collisions {
	all := math.Ldexp(1, hashBits)
	c := Collisions{}
	c.Terms, c.TermsError = d.Terms()
	if c.Terms == 0 {
		return c
	}
	load, missed := c.Terms/all, math.Log1p(-1/all) // ln of the probability that a term is not in a column
	none, alone := math.Exp(c.Terms*missed), math.Exp((c.Terms-1)*missed)
	used, single := 1-none, load*alone
	several := max(0, used-single)
	c.Columns = all * used
	c.SharedTerms, c.SharedColumns = 1-alone, several/used
	slope := alone - single // of single, by load
	chance := math.Sqrt(max(0, all*(single*(1-single)-load*slope*slope)))
	c.SharedTermsError = math.Hypot(c.TermsError/all*alone, chance/c.Terms)
	slope = none - slope // of several
	chance = math.Sqrt(max(0, all*(several*(1-several)-load*slope*slope)))
	c.SharedColumnsError = math.Hypot(c.TermsError/all*(slope-several/used*none)/used, chance/c.Columns)
	return c
}
