package store

// setCentred sets what the sums of the row lose, see [table.Centred], from the values of
// the documents in the sample.
func (c *SampleCounter) setCentred(s *Sample, docs []uint32, tf []float64) {
	if c.apart == nil {
		c.apart = make([]apart, len(c.x.Classes))
	}
	all := apart{}
	for _, class := range c.row.Class {
		c.apart[class] = apart{}
	}
	c.eachValue(s, docs, tf, &all, (*apart).add)
	all.centre()
	for _, class := range c.row.Class {
		c.apart[class].centre()
	}
	c.eachValue(s, docs, tf, &all, (*apart).addDistance)
	c.row.Centred, c.row.LowCF = true, all.sum.Beyond(c.row.CF)
	c.row.setApart(c.apart)
}

// eachValue passes the values of a term to f, with how often they count: for all documents,
// and for each of their classes.
func (c *SampleCounter) eachValue(s *Sample, docs []uint32, tf []float64, all *apart, f func(a *apart, times, v float64)) {
	for i, d := range docs {
		times, _ := s.at(d, nil, i)
		if times == 0 {
			continue
		}
		f(all, times, tf[i])
		if c.x.multi {
			for _, l := range s.labels(d) {
				f(&c.apart[l], times, tf[i])
			}
			continue
		}
		if class := c.classes[i]; int(class) < len(c.apart) {
			f(&c.apart[class], times, tf[i])
		}
	}
}
